import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compileInput, compileOutput } from '../../src/schema/input-schema.ts';
import { compileSchema } from '../../src/schema/schema-compile.ts';
import type { Judged, SchemaSource } from '../../src/schema/schema-source.ts';

const unsupported = expect.objectContaining({ code: 'SCHEMA_UNSUPPORTED' });

/** A library without JSON Schema, whose verdict is given. */
function library(validate: StandardSchemaV1['~standard']['validate']): StandardSchemaV1 {
  return { '~standard': { version: 1, vendor: 'own', validate } };
}

describe('a JSON Schema', () => {
  it('is shown as it is, without $schema, and checked', () => {
    const compiled = compileInput(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        required: ['a'],
        'x-unit': 'm',
      },
      'tool',
    );
    expect(compiled.json).toEqual({ type: 'object', required: ['a'], 'x-unit': 'm' });
    expect(compiled.check?.check({})).toEqual({ path: 'a', text: 'is required' });
    expect(compiled.judge).toBeUndefined();
  });

  it('none at all is any object', () => {
    expect(compileInput(undefined, 'tool')).toEqual({
      json: { type: 'object' },
      check: undefined,
      judge: undefined,
    });
  });

  it('of arguments must be of type object, of a result it need not', () => {
    for (const schema of [
      { type: 'string' },
      {},
      { type: ['object'] },
      { anyOf: [{ type: 'object' }] },
    ] as const) {
      expect(() => compileInput(schema, 'tool')).toThrow(unsupported);
    }
    expect(() => compileInput({ type: 'array' }, 'tool')).toThrow(
      'Schema of tool at #: type must be "object"',
    );
    expect(compileOutput({ type: 'array' }, 'tool').check?.check({})?.text).toBe('must be an array');
  });

  it.each([null, 1, 'text', true, []])('%j is none', (schema) => {
    expect(() => compileInput(schema as unknown as SchemaSource, 'tool')).toThrow(unsupported);
  });
});

describe('a schema of zod 4', () => {
  const schema = z.object({
    at: z.iso.date(),
    count: z.coerce.number().int().positive(),
    unit: z.enum(['c', 'f']).default('c'),
    name: z.string().transform((text) => text.length),
  });

  it('shows what goes in for arguments, and what comes out for results', () => {
    const input = compileInput(schema, 'tool').json;
    expect(input).toMatchObject({ type: 'object', required: ['at', 'count', 'name'] });
    expect(input).not.toHaveProperty('$schema');
    const output = compileOutput(z.object({ on: z.boolean().default(true) }), 'tool').json;
    expect(output).toMatchObject({ type: 'object', required: ['on'] });
  });

  it('judges at once, and hands on what comes out', () => {
    const { judge, check } = compileInput(schema, 'tool');
    expect(check).toBeUndefined();
    expect(judge?.({ at: '2026-01-31', count: '3', name: 'abc' })).toMatchObject({
      value: { at: '2026-01-31', count: 3, unit: 'c', name: 3 },
    });
  });

  it('says what is wrong, where, and what else', () => {
    const { judge } = compileInput(
      z.object({ a: z.array(z.object({ b: z.number() })), c: z.string() }),
      'tool',
    );
    const judged = judge?.({ a: [{ b: 1 }, { b: 'x' }] }) as { violation: { path: string; text: string } };
    expect(judged.violation.path).toBe('a[1].b');
    expect(judged.violation.text).toMatch(/expected number.*; c: .*expected string/);
  });

  it('that waits is a promise', async () => {
    const slow = z.object({ a: z.string().refine(async (text) => text !== 'taken', 'is taken') });
    const { judge } = compileInput(slow, 'tool');
    const judged = judge?.({ a: 'free' });
    expect(judged).toBeInstanceOf(Promise);
    expect(await judged).toMatchObject({ value: { a: 'free' } });
    expect(await judge?.({ a: 'taken' })).toEqual({ violation: { path: 'a', text: 'is taken' } });
  });

  it('that cannot be described is refused at once, with the reason', () => {
    const schema = z.object({ a: z.bigint() });
    expect(() => compileInput(schema, 'tool')).toThrow(unsupported);
    expect(() => compileInput(schema, 'tool')).toThrow('Schema of tool: zod cannot describe it: BigInt');
    expect(() => compileInput(z.string(), 'tool')).toThrow('type must be "object"');
  });

  it.each<[string, z.ZodType, unknown, unknown]>([
    ['a strict object', z.strictObject({ a: z.string() }), { a: 'x' }, { a: 'x', b: 1 }],
    ['a loose object', z.looseObject({ a: z.string() }), { a: 'x', b: 1 }, { b: 1 }],
    ['a record', z.object({ r: z.record(z.string(), z.number()) }), { r: { a: 1 } }, { r: { a: 'x' } }],
    [
      'a partial record',
      z.object({ r: z.partialRecord(z.enum(['a', 'b']), z.number()) }),
      { r: { a: 1 } },
      { r: { c: 1 } },
    ],
    [
      'a tuple with a rest',
      z.object({ t: z.tuple([z.string()]).rest(z.number()) }),
      { t: ['a', 1] },
      { t: ['a', 'b'] },
    ],
    ['nullable', z.object({ n: z.string().nullable() }), { n: null }, { n: 1 }],
    [
      'a union by a member',
      z.object({
        u: z.discriminatedUnion('k', [
          z.object({ k: z.literal('a') }),
          z.object({ k: z.literal('b'), v: z.int() }),
        ]),
      }),
      { u: { k: 'b', v: 1 } },
      { u: { k: 'b' } },
    ],
    [
      'an intersection',
      z.object({ i: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })) }),
      { i: { a: 'x', b: 1 } },
      { i: { a: 'x' } },
    ],
    [
      'formats',
      z.object({ e: z.email(), u: z.uuid() }),
      { e: 'a@b.co', u: '00000000-0000-4000-8000-000000000000' },
      { e: 'a', u: 'x' },
    ],
    [
      'limits',
      z.object({ n: z.number().gt(1).max(3).multipleOf(0.1), s: z.string().min(2).max(3).regex(/^a/) }),
      { n: 1.3, s: 'ab' },
      { n: 1.35, s: 'ab' },
    ],
    ['literals', z.object({ l: z.literal([1, 'a', null]) }), { l: 'a' }, { l: 2 }],
    [
      'names of its own',
      z.object({ p: z.string().meta({ id: 'Name', note: 'free', title: 't' }) }),
      { p: 'x' },
      { p: 1 },
    ],
  ])('%s is read by the validator as by zod', (_, schema, good, bad) => {
    const json = compileInput(schema as unknown as SchemaSource, 'tool').json;
    const check = compileSchema(json, 'tool');
    expect(schema.safeParse(good).success).toBe(true);
    expect(check.check(good)).toBeUndefined();
    expect(schema.safeParse(bad).success).toBe(false);
    expect(check.check(bad)).toBeDefined();
  });

  it('that refers to itself is read to any depth', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    const check = compileSchema(compileInput(node, 'tool').json, 'tool');
    let tree: Record<string, unknown> = { name: 'leaf' };
    for (let depth = 0; depth < 250; depth++) tree = { name: 'node', children: [tree] };
    expect(check.check(tree)).toBeUndefined();
    tree = { children: [tree] };
    expect(check.check({ name: 'top', children: [tree] })).toEqual({
      path: 'children[0].name',
      text: 'is required',
    });
  });
});

describe('a library that cannot describe itself', () => {
  it('is refused alone, and taken as one of a pair', () => {
    const standard = library((value) => ({ value }));
    expect(() => compileInput(standard as never, 'tool')).toThrow(
      'own cannot describe it as JSON Schema here: give',
    );
    const compiled = compileInput({ standard, jsonSchema: { type: 'object', title: 'shown' } }, 'tool');
    expect(compiled.json).toEqual({ type: 'object', title: 'shown' });
    expect(compiled.check).toBeUndefined();
    expect(compiled.judge?.(5)).toEqual({ value: 5 });
  });

  it('a pair needs both halves', () => {
    const standard = library((value) => ({ value }));
    expect(() => compileInput({ standard, jsonSchema: null } as never, 'tool')).toThrow(unsupported);
    expect(() => compileInput({ standard, jsonSchema: { type: 'array' } }, 'tool')).toThrow(unsupported);
    expect(() => compileInput({ standard: {}, jsonSchema: { type: 'object' } } as never, 'tool')).toThrow(
      unsupported,
    );
  });

  it('issues without a path or a text, and many of them, make one violation', () => {
    const judge = (issues: readonly StandardSchemaV1.Issue[]): Judged | PromiseLike<Judged> | undefined =>
      compileOutput({ standard: library(() => ({ issues })), jsonSchema: {} }, 'tool').judge?.(1);
    expect(judge([])).toEqual({ violation: { path: '', text: 'does not fit' } });
    expect(judge([{ message: 'no', path: [{ key: 'a' }, 0, Symbol('s')] }])).toEqual({
      violation: { path: 'a[0].Symbol(s)', text: 'no' },
    });
    const many = Array.from({ length: 7 }, (_, at) => ({ message: `m${at}`, path: [`p${at}`] }));
    expect(judge(many)).toEqual({
      violation: { path: 'p0', text: 'm0; p1: m1; p2: m2; p3: m3; p4: m4; and 2 more' },
    });
  });

  it('what a library throws or rejects with comes through', async () => {
    const thrown = new Error('broken');
    const failing = (validate: () => never): unknown =>
      compileOutput({ standard: library(validate), jsonSchema: {} }, 'tool').judge?.(1);
    expect(() =>
      failing(() => {
        throw thrown;
      }),
    ).toThrow(thrown);
    await expect(failing((() => Promise.reject(thrown)) as () => never)).rejects.toBe(thrown);
  });

  it('a library whose schemas are functions is one', () => {
    const schema = Object.assign(() => undefined, {
      '~standard': {
        ...library((value) => ({ value }))['~standard'],
        jsonSchema: { input: () => ({ type: 'object', $schema: 'x' }), output: () => ({ type: 'string' }) },
      },
    }) as unknown as SchemaSource;
    expect(compileInput(schema, 'tool').json).toEqual({ type: 'object' });
    expect(compileOutput(schema, 'tool').json).toEqual({ type: 'string' });
  });
});
