import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { InferInput, InferSchema } from '../../src/schema/infer.ts';
import { compileInput } from '../../src/schema/input-schema.ts';
import type { JsonSchemaObject } from '../../src/schema/json-schema.ts';
import type { SchemaPair, SchemaSource } from '../../src/schema/schema-source.ts';

// `tsc -b` judges the types; the run judges that a value of the type also fits the schema.

/** As a tool is registered: the literal types of the schema are kept without `as const`. */
function handled<const Schema extends SchemaSource>(
  schema: Schema,
  example: InferInput<Schema>,
): InferSchema<Schema> {
  const { check } = compileInput(schema, 'test');
  expect(check?.check(example)).toBeUndefined();
  return example as InferSchema<Schema>;
}

describe('the type of arguments follows from a JSON Schema literal', () => {
  it('properties are optional unless required, and types may be lists', () => {
    const args = handled(
      {
        type: 'object',
        properties: {
          a: { type: 'number' },
          b: { type: 'integer' },
          c: { type: ['string', 'null'] },
          d: { type: 'boolean' },
        },
        required: ['a', 'c'],
      },
      { a: 1, c: null },
    );
    expectTypeOf(args).toEqualTypeOf<{ a: number; c: string | null; b?: number; d?: boolean }>();
  });

  it('enum and const are their values', () => {
    const args = handled(
      {
        type: 'object',
        properties: { unit: { type: 'string', enum: ['c', 'f'] }, v: { const: 2 } },
        required: ['unit', 'v'],
      },
      { unit: 'c', v: 2 },
    );
    expectTypeOf(args).toEqualTypeOf<{ unit: 'c' | 'f'; v: 2 }>();
  });

  it('items and prefixItems are arrays and tuples', () => {
    const args = handled(
      {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
          },
          pair: {
            type: 'array',
            prefixItems: [{ type: 'string' }, { type: 'number' }],
            items: false,
            minItems: 2,
          },
          open: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
          any: { type: 'array' },
        },
        required: ['list', 'pair', 'open', 'any'],
      },
      { list: [{ x: 'y' }], pair: ['a', 1], open: ['a', 1, 2], any: [1] },
    );
    expectTypeOf(args).toEqualTypeOf<{
      list: { x: string }[];
      pair: [string, number];
      open: [string?, ...number[]];
      any: unknown[];
    }>();
  });

  it('alternatives are unions, and allOf is both', () => {
    const args = handled(
      {
        type: 'object',
        properties: {
          a: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          b: {
            oneOf: [
              {
                type: 'object',
                properties: { k: { const: 'x' }, v: { type: 'number' } },
                required: ['k', 'v'],
              },
              { type: 'object', properties: { k: { const: 'y' } }, required: ['k'] },
            ],
          },
          c: { allOf: [{ enum: ['p', 'q'] }, { enum: ['q', 'r'] }] },
        },
        required: ['a', 'b', 'c'],
      },
      { a: 1, b: { k: 'x', v: 1 }, c: 'q' },
    );
    expectTypeOf(args.a).toEqualTypeOf<string | number>();
    expectTypeOf(args.b).toEqualTypeOf<{ k: 'x'; v: number } | { k: 'y' }>();
    expectTypeOf(args.c).toEqualTypeOf<'q'>();
  });

  it('additionalProperties without properties is a record; references and what is not known are unknown', () => {
    const args = handled(
      {
        type: 'object',
        properties: {
          map: { type: 'object', additionalProperties: { type: 'number' } },
          tree: { $ref: '#' },
          free: {},
          open: { type: 'object' },
        },
        required: ['map', 'free', 'open', 'other'],
      },
      { map: { a: 1 }, free: 1, open: {}, other: 1 },
    );
    expectTypeOf(args).toEqualTypeOf<{
      map: Record<string, number>;
      free: unknown;
      open: Record<string, unknown>;
      other: unknown;
      tree?: unknown;
    }>();
  });

  it('a schema whose type says no more makes a record', () => {
    expectTypeOf<InferSchema<JsonSchemaObject>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it('a wrong use of the arguments does not compile', () => {
    const args = handled(
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      { a: 1 },
    );
    // @ts-expect-error a is a number
    expectTypeOf(args.a).toEqualTypeOf<string>();
    // @ts-expect-error there is no b
    void args.b;
    // @ts-expect-error the type has no such name
    expect(() => compileInput({ type: 'objekt' }, 'test')).toThrow('unknown');
  });
});

describe('the type of arguments follows from a library', () => {
  const schema = z.object({ at: z.string().transform((text) => text.length), on: z.boolean().default(true) });

  it('handlers get what comes out, callers give what goes in', () => {
    expectTypeOf<InferSchema<typeof schema>>().toEqualTypeOf<{ at: number; on: boolean }>();
    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<{ at: string; on?: boolean | undefined }>();
    expectTypeOf(schema).toExtend<SchemaSource>();
  });

  it('a pair has the types of its library', () => {
    const pair = { standard: schema, jsonSchema: { type: 'object' } } as const;
    expectTypeOf(pair).toExtend<
      SchemaPair<{ at: string; on?: boolean | undefined }, { at: number; on: boolean }>
    >();
    expectTypeOf<InferSchema<typeof pair>>().toEqualTypeOf<{ at: number; on: boolean }>();
    expectTypeOf<InferInput<typeof pair>>().toEqualTypeOf<{ at: string; on?: boolean | undefined }>();
  });
});
