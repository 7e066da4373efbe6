import { describe, expect, it, vi } from 'vitest';
import { compileWithAjv } from '../../src/schema/compiled/ajv-compiler.ts';
import {
  UPGRADE_AFTER_NODES,
  UpgradingCheck,
  upgradeCounts,
} from '../../src/schema/compiled/upgrading-check.ts';
import { compileInput } from '../../src/schema/input-schema.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { SchemaCheck } from '../../src/schema/schema-check.ts';
import { compileSchema } from '../../src/schema/schema-compile.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } } },
};

/** Until the check has been decided about; 64 uses are one sample. */
async function useUntilDecided(check: UpgradingCheck, value: unknown): Promise<void> {
  const before = upgradeCounts.compiled + upgradeCounts.refused;
  for (let use = 0; use < 64; use++) check.check(value);
  await vi.waitFor(() => expect(upgradeCounts.compiled + upgradeCounts.refused).toBe(before + 1), 20_000);
}

describe('a check that has been used for long', () => {
  it('is compiled, and gives the same verdicts in the same words', async () => {
    const check = new UpgradingCheck(compileSchema(schema, 'tool'), schema, 64);
    const { compiled, dropped } = upgradeCounts;
    await useUntilDecided(check, { list: [{ n: 1 }] });
    expect(upgradeCounts.compiled).toBe(compiled + 1);
    expect(check.check({ list: [{ n: 1 }] })).toBeUndefined();
    expect(check.check({ list: [{ n: 1 }, { n: 'x' }] })).toEqual({
      path: 'list[1].n',
      text: 'must be a number',
    });
    for (let use = 0; use < 3_000; use++) expect(check.check({ list: [] })).toBeUndefined();
    expect(upgradeCounts.dropped).toBe(dropped);
  });

  it('is asked no more than its members are worth', () => {
    const asked = vi.spyOn(globalThis, 'setImmediate');
    try {
      const check = new UpgradingCheck(compileSchema(schema, 'tool'), schema, 64 * 10);
      // One member for the list and one for each object in it, a sample of 64 uses counts for all of them.
      for (let use = 0; use < 64 * 4; use++) check.check({ list: [{ n: 1 }] });
      expect(asked).not.toHaveBeenCalled();
      expect(UPGRADE_AFTER_NODES).toBe(5_000_000);
    } finally {
      asked.mockRestore();
    }
  });

  it('is left alone from the start if it is flat, or judges results', () => {
    const flat = {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    } as const;
    expect(compileInput(flat, 'tool').check).toBeInstanceOf(SchemaCheck);
    expect(compileInput(schema as { type: 'object' }, 'tool').check).toBeInstanceOf(UpgradingCheck);
  });

  it.each<[string, SchemaCheck, unknown]>([
    ['refuses what the interpreter takes', compileSchema(true, 'lenient'), { list: 1 }],
    ['takes what the interpreter refuses', compileSchema({ required: ['other'] }, 'strict'), { list: [] }],
  ])('loses its code when that %s: the interpreter has the last word', async (_, interpreter, value) => {
    const check = new UpgradingCheck(interpreter, schema, 1);
    await useUntilDecided(check, { list: [] });
    const { dropped } = upgradeCounts;
    // Only every 1,024th value that the code has let pass is judged twice.
    for (let use = 0; use < 2_048; use++) check.check(value);
    expect(upgradeCounts.dropped).toBe(dropped + 1);
    expect(check.check(value)).toEqual(interpreter.check(value));
  });

  it('whose code runs out of stack is judged by the interpreter', async () => {
    const check = new UpgradingCheck(
      compileSchema({ type: 'object' }, 'tool'),
      { type: 'object', const: 1 },
      1,
    );
    await useUntilDecided(check, { a: 1 });
    const throwing = {
      get list(): never {
        throw new RangeError('deep');
      },
    };
    const other = new UpgradingCheck(compileSchema({ type: 'object' }, 'tool'), schema, 1);
    await useUntilDecided(other, { a: 1 });
    const { dropped } = upgradeCounts;
    expect(other.check(throwing)).toBeUndefined();
    expect(upgradeCounts.dropped).toBe(dropped);
  });
});

describe('ajv', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['is not installed', () => Promise.reject(new Error('Cannot find package'))],
    ['is another module', () => Promise.resolve({})],
    [
      'must not generate code',
      () =>
        Promise.resolve({
          default: class {
            readonly opts = {};
            compile(): never {
              throw new EvalError('Code generation from strings disallowed for this context');
            }
          },
        }),
    ],
  ])('that %s leaves the interpreter alone', async (_, load) => {
    expect(await compileWithAjv(schema, load)).toBeUndefined();
  });

  it.each<[JsonSchema]>([
    [{ properties: { a: { multipleOf: 0.1 } } }],
    [{ properties: { a: { uniqueItems: true } } }],
    [{ properties: { a: { $ref: '#' } } }],
    [{ required: ['toString'] }],
    [JSON.parse('{"properties":{"constructor":{"type":"string"}}}') as JsonSchema],
    [{ prefixItems: [true] }],
    [{ items: { contains: true } }],
    [{ unevaluatedProperties: false }],
    [{ nullable: true } as JsonSchema],
    [{ $async: true } as JsonSchema],
  ])('is not asked about %j, which it judges otherwise or slowly', async (odd) => {
    expect(await compileWithAjv(odd)).toBeUndefined();
    expect(typeof (await compileWithAjv({ properties: { a: { minimum: 1 } } }))).toBe('function');
  });
});
