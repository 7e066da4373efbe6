import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { compileSchema } from '../../src/schema/schema-compile.ts';

const number: JsonSchema = { type: 'number' };
const string: JsonSchema = { type: 'string' };

function object(properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), ...rest };
}

interface Case {
  readonly schema: JsonSchema;
  example(at: number): unknown;
}

const letters = [...'abcdefgh'];
const cases: Readonly<Record<string, Case>> = {
  'two numbers': { schema: object({ a: number, b: number }), example: (at) => ({ a: at, b: 2 * at }) },
  'eight members with limits': {
    schema: object(
      Object.fromEntries(
        letters.map((key, at) => [
          key,
          at % 2 ? { type: 'integer', minimum: 0 } : { type: 'string', minLength: 1 },
        ]),
      ),
    ),
    example: (at) => Object.fromEntries(letters.map((key, n) => [key, n % 2 ? at : `text ${at}`])),
  },
  'an order with five lines': {
    schema: object({
      id: { type: 'integer', minimum: 0 },
      tags: { type: 'array', items: string, maxItems: 20 },
      address: object({ street: string, zip: { type: 'string', pattern: '^[0-9]{5}$' } }),
      lines: {
        type: 'array',
        items: object({ sku: string, n: { type: 'integer', minimum: 1 } }, { additionalProperties: false }),
      },
    }),
    example: (at) => ({
      id: at,
      tags: ['a', 'b'],
      address: { street: 's', zip: '12345' },
      lines: [1, 2, 3, 4, 5].map((n) => ({ sku: `s${n}`, n })),
    }),
  },
  'one of four by a member': {
    schema: object({
      shape: { oneOf: letters.slice(0, 4).map((kind) => object({ kind: { const: kind }, v: number })) },
    }),
    example: (at) => ({ shape: { kind: 'd', v: at } }),
  },
  'a list of 1,000 numbers': {
    schema: object({ list: { type: 'array', items: number } }),
    example: (at) => ({ list: Array.from({ length: 1_000 }, (_, n) => at + n / 2) }),
  },
};

function medianNs(judge: (value: unknown) => boolean, values: readonly unknown[], rounds: number): number {
  const started = performance.now();
  let fitting = 0;
  for (let round = 0; round < rounds; round++) for (const value of values) if (judge(value)) fitting++;
  expect(fitting).toBe(rounds * values.length);
  return ((performance.now() - started) * 1e6) / fitting;
}

const measuring = process.env['LINEWIRE_MEASURE'] === '1';

describe('generated code beside the interpreter', () => {
  it(`says the same of the cases that are measured${measuring ? '' : ' (SKIPPED the clock: LINEWIRE_MEASURE=1)'}`, () => {
    const rows = Object.entries(cases).map(([name, { schema, example }]) => {
      const count = name.includes('1,000') ? 20 : 500;
      const values = Array.from(
        { length: count },
        (_, at) => JSON.parse(JSON.stringify(example(at))) as unknown,
      );
      const interpreter = compileSchema(schema, name);
      const code = new Ajv2020({ strict: false, messages: false }).compile(schema);
      const samples: { own: number[]; ajv: number[] } = { own: [], ajv: [] };
      for (let turn = 0; turn < (measuring ? 15 : 1); turn++) {
        const rounds = measuring ? Math.ceil(30_000 / count / (count < 100 ? 10 : 1)) : 1;
        samples.own.push(medianNs((value) => interpreter.check(value) === undefined, values, rounds));
        samples.ajv.push(medianNs((value) => code(value), values, rounds));
      }
      const [own, ajv] = [samples.own, samples.ajv].map(
        (all) => all.sort((a, b) => a - b)[all.length >> 1] as number,
      );
      return { name, own: Math.round(own as number), ajv: Math.round(ajv as number) };
    });
    // biome-ignore lint/suspicious/noConsole: what whoever measures is here for
    if (measuring) console.table(rows);
    expect(rows).toHaveLength(Object.keys(cases).length);
  });
});
