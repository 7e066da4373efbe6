import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { compileSchema } from '../../src/schema/schema-compile.ts';

// ajv shares no code with the interpreter. Left out is where it differs on purpose: decimal `multipleOf`, 1e400
// (a number here, none there), members that a prototype has, `contains` beside `prefixItems`, and
// `contains` without a maximum: for an empty list ajv 8.20 forgets the one and takes the outcome of the list before for the other. The interpreter's
// own tests have both. `unevaluatedProperties` and `unevaluatedItems` are the official suite's: ajv throws on some of them.

const keys = fc.constantFrom('a', 'b', 'c', 'ab', 'x-1');
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 2, 1.5, -3, '', 'a', 'ab', 'abc', '👍', '👍👍'),
  fc.integer({ min: -5, max: 5 }),
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const types = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object');
const counts = fc.integer({ min: 0, max: 3 });
const patterns = fc.constantFrom('^a', 'b$', '^.{2}$', '[0-9]', '^x-');
const references = fc.constantFrom('#/$defs/plain', '#/$defs/deep', '#named', '#/$defs/tree');

const { schema: schemas } = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie('schema');
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(keys, schema, { maxKeys: 3, noNullPrototype: true });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(values, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
    const: values,
    minimum: counts,
    maximum: counts,
    exclusiveMinimum: counts,
    exclusiveMaximum: counts,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: counts,
    maxLength: counts,
    pattern: patterns,
    items: schema,
    prefixItems: list,
    minItems: counts,
    maxItems: counts,
    uniqueItems: fc.boolean(),
    properties: map,
    required: fc.uniqueArray(keys, { maxLength: 2 }),
    patternProperties: fc.dictionary(patterns, schema, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: schema,
    propertyNames: fc.record({ maxLength: counts }),
    minProperties: counts,
    maxProperties: counts,
    dependentRequired: fc.dictionary(keys, fc.uniqueArray(keys, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    dependentSchemas: map,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: schema,
    $ref: references,
  };
  const containing = fc.record(
    { contains: schema, minContains: counts, maxContains: counts },
    { requiredKeys: ['contains', 'maxContains'] },
  );
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  const branching = fc.record({ if: schema, then: schema, else: schema }, { requiredKeys: ['if'] });
  const chosen = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, keywords[name] as fc.Arbitrary<unknown>]))),
    );
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.boolean(),
      fc.record({ type: types }),
      chosen,
      chosen,
      containing,
      branching,
      fc.tuple(chosen, containing, branching).map(([some, contains, branches]) => {
        return { ...some, ...('prefixItems' in some ? {} : contains), ...branches };
      }),
    ),
  };
});

const $defs = {
  plain: { type: ['string', 'number'] },
  deep: { properties: { a: { $ref: '#/$defs/plain' } }, required: ['a'] },
  named: { $anchor: 'named', items: { type: 'integer' } },
  tree: { properties: { a: { $ref: '#/$defs/tree' } }, items: { $ref: '#/$defs/tree' }, not: { const: 1 } },
};

describe('the interpreter and ajv agree', () => {
  it('on random schemas and values, with and without a valid outcome', () => {
    let fitting = 0;
    let judged = 0;
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 4, maxLength: 12 }), (part, examples) => {
        const schema = { $defs, allOf: [part] } as JsonSchema;
        const check = compileSchema(schema, 'random');
        const ajv = new Ajv2020({
          strict: false,

          validateFormats: false,
          logger: false,
          validateSchema: false,
        });
        ajv.opts.unevaluated = false;
        const expected = ajv.compile(schema);
        for (const value of examples) {
          const fits = check.check(value) === undefined;
          judged++;
          if (fits) fitting++;
          if (fits !== expected(value)) {
            throw new Error(
              `${JSON.stringify(part)} on ${JSON.stringify(value)}: the interpreter says ${fits}`,
            );
          }
        }
      }),
      {
        numRuns: 100_000,
        interruptAfterTimeLimit: Number(process.env['LINEWIRE_PROP_MS'] ?? 2_000),
        markInterruptAsFailure: false,
      },
    );
    expect(fitting).toBeGreaterThan(judged / 20);
    expect(fitting).toBeLessThan(judged - judged / 20);
  });
});
