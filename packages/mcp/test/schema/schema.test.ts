import { describe, expect, it } from 'vitest';
import { isMcpError } from '../../src/errors.ts';
import type { JsonSchema, JsonSchemaObject } from '../../src/schema/json-schema.ts';

import { compileRemoteSchema, compileSchema } from '../../src/schema/schema-compile.ts';
import { McpServer } from '../../src/server/mcp-server.ts';

import { info } from '../support/example-server.ts';

function violation(schema: JsonSchema | boolean, value: unknown): string | undefined {
  const found = compileSchema(schema, 'test').check(value);
  return found === undefined ? undefined : `${found.path} ${found.text}`.trim();
}

describe('schema checks', () => {
  it.each<[JsonSchema | boolean, unknown, string | undefined]>([
    [{ type: 'number' }, 1.5, undefined],
    [{ type: 'number' }, '1', 'must be a number'],
    [{ type: 'integer' }, 1, undefined],
    [{ type: 'integer' }, 1.5, 'must be an integer'],
    [{ type: 'integer' }, Number.POSITIVE_INFINITY, 'must be an integer'],
    [{ type: 'string' }, '', undefined],
    [{ type: 'string' }, null, 'must be a string'],
    [{ type: 'boolean' }, 0, 'must be a boolean'],
    [{ type: 'null' }, null, undefined],
    [{ type: 'array' }, {}, 'must be an array'],
    [{ type: 'object' }, [], 'must be an object'],
    [{ type: 'object' }, null, 'must be an object'],
    [{ type: ['string', 'null'] }, null, undefined],
    [{ type: ['string', 'null'] }, 1, 'must be a string or null'],
    [{ minimum: 0 }, 0, undefined],
    [{ minimum: 0 }, -1, 'must be >= 0'],
    [{ minimum: 0 }, 'text', undefined],
    [{ maximum: 3 }, 4, 'must be <= 3'],
    [{ exclusiveMinimum: 0 }, 0, 'must be > 0'],
    [{ exclusiveMaximum: 1 }, 1, 'must be < 1'],
    [{ multipleOf: 0.5 }, 1.5, undefined],
    [{ multipleOf: 2 }, 3, 'must be a multiple of 2'],
    [{ minLength: 2 }, '👍', 'must have at least 2 characters'],
    [{ maxLength: 1 }, '👍', undefined],
    [{ maxLength: 1 }, 'ab', 'must have at most 1 characters'],
    [{ pattern: '^a' }, 'ba', 'must match ^a'],
    [{ enum: ['a', 1, null] }, 1, undefined],
    [{ enum: ['a', 1] }, '1', 'must be one of "a", 1'],
    [{ const: 5 }, 6, 'must be 5'],
    [{ items: { type: 'string' } }, ['a', 1], '[1] must be a string'],
    [{ minItems: 1 }, [], 'must have at least 1 items'],
    [{ maxItems: 1 }, [1, 2], 'must have at most 1 items'],
    [false, 1, 'is not allowed'],
    [true, 1, undefined],
    [{ properties: { a: { type: 'string' } }, required: ['a', 'b'] }, {}, 'a is required'],
    [{ properties: { a: { type: 'string' } }, required: ['b'] }, { a: 'x' }, 'b is required'],
    [
      { properties: { a: { items: { properties: { b: { type: 'null' } } } } } },
      { a: [{ b: 1 }] },
      'a[0].b must be null',
    ],
    [{ additionalProperties: false, properties: { a: true } }, { a: 1, c: 2 }, 'c is not allowed'],
    [{ additionalProperties: { type: 'number' } }, { c: 'x' }, 'c must be a number'],
    [{ additionalProperties: { type: 'number' }, required: ['c'] }, { c: 'x' }, 'c must be a number'],
    [
      { additionalProperties: false, properties: { a: true }, required: ['a', 'c'] },
      { a: 1, c: 2 },
      'c is not allowed',
    ],
    [{ title: 't', description: 'd', default: 1, format: 'email', $schema: 'x' }, 'anything', undefined],
  ])('%j on %j gives %j', (schema, value, expected) => {
    expect(violation(schema, value)).toBe(expected);
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'the member %s must be an own one',
    (key) => {
      const schema = { type: 'object', required: [key] } as const;
      expect(violation(schema, {})).toBe(`${key} is required`);
      expect(violation(schema, JSON.parse(`{"${key}":1}`))).toBeUndefined();
    },
  );

  it('a property named __proto__ is checked as any other', () => {
    const schema = { properties: JSON.parse('{"__proto__":{"type":"string"}}') } as JsonSchema;
    expect(violation(schema, JSON.parse('{"__proto__":1}'))).toBe('__proto__ must be a string');
  });

  it.each<[string, unknown]>([
    ['a misspelt keyword', { type: 'object', requried: ['a'] }],
    ['a keyword in another case', { type: 'object', properties: { a: { minlength: 1 } } }],
    ['a keyword with a dash', { type: 'object', 'additional-properties': false }],
    ['two letters swapped', { type: 'object', properties: { a: { enmu: [1] } } }],
    ['a keyword of draft 7', { type: 'object', dependencies: {} }],
    ['a keyword of draft 4', { type: 'object', id: 'http://example.com/a' }],
    ['a list of items', { type: 'object', properties: { a: { items: [{}] } } }],
    ['anyOf of nothing', { type: 'object', properties: { a: { anyOf: [] } } }],
    ['oneOf that is no list', { type: 'object', oneOf: {} }],
    ['a subschema that is text', { type: 'object', not: 'x' }],
    ['an unknown type', { type: 'object', properties: { a: { type: 'float' } } }],
    ['a root that is no object', { type: 'string' }],
    ['no root type', { properties: {} }],
    ['a minimum that is text', { type: 'object', properties: { a: { minimum: '0' } } }],
    ['a broken pattern', { type: 'object', properties: { a: { pattern: '(' } } }],
    ['a broken pattern of names', { type: 'object', patternProperties: { '(': true } }],
    ['an empty enum', { type: 'object', properties: { a: { enum: [] } } }],
    ['required that is no list', { type: 'object', required: 'a' }],
    ['dependentRequired with text', { type: 'object', dependentRequired: { a: 'b' } }],
    ['uniqueItems that is a number', { type: 'object', properties: { a: { uniqueItems: 1 } } }],
    ['a negative maxLength', { type: 'object', properties: { a: { maxLength: -1 } } }],
    ['a minContains that is text', { type: 'object', properties: { a: { contains: {}, minContains: '1' } } }],
    ['a multiple of nothing', { type: 'object', properties: { a: { multipleOf: 0 } } }],
    ['$ref that is no text', { type: 'object', properties: { a: { $ref: 1 } } }],
  ])('a schema with %s is refused when the tool is registered', (_, schema) => {
    const register = (): unknown =>
      new McpServer(info).registerTool('t', { inputSchema: schema as JsonSchemaObject }, () => 'x');
    expect(register).toThrow(expect.objectContaining({ code: 'SCHEMA_UNSUPPORTED' }));
  });

  it('the refusal names the tool, the place and the keyword', () => {
    try {
      new McpServer(info).registerTool(
        'search',
        { inputSchema: { type: 'object', properties: { q: { patern: 'x' } as JsonSchema } } },
        () => 'x',
      );
      expect.unreachable();
    } catch (error) {
      expect(isMcpError(error)).toBe(true);
      expect((error as Error).message).toBe(
        'Schema of search at #/properties/q: keyword "patern" is unknown; "pattern" may be meant ' +
          '(an annotation of your own begins with x-)',
      );
    }
  });

  it('an endless schema is refused', () => {
    const schema: { type: 'object'; properties: Record<string, unknown> } = {
      type: 'object',
      properties: {},
    };
    schema.properties['self'] = schema;
    expect(() => compileSchema(schema as JsonSchema, 'test')).toThrow('nested deeper');
  });
});

describe('unknown keywords', () => {
  it.each([
    ['x-anything', {}],
    ['x-minimum', 'not a number'],
    ['enumNames', ['A']],
    ['example', 1],
    ['unit', 'm'],
    ['id', 'Name'], // zod and others name their schemas so
    ['~kind', 'Object'],
    ['errorMessage', 'no'],
    ['definitions', { unused: { type: 'string' } }],
  ])('%s is an annotation', (keyword, value) => {
    expect(violation({ type: 'string', [keyword]: value } as JsonSchema, 'a')).toBeUndefined();
    expect(violation({ type: 'string', [keyword]: value } as JsonSchema, 1)).toBe('must be a string');
  });

  it('a peer may misspell', () => {
    expect(
      compileRemoteSchema({ type: 'string', minlength: 5, dependencies: {} }, 'test').check('a'),
    ).toBeUndefined();
  });
});

describe('what a violation says', () => {
  it.each<[JsonSchema, unknown, string]>([
    [
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'null' } } }] },
      { a: 1 },
      'must fit one of the alternatives: (1) must be a string; (2) a must be null',
    ],
    [
      { oneOf: [{ minimum: 0 }, { maximum: 9 }] },
      5,
      'must fit only one of the alternatives, but fits number 1 and 2',
    ],
    [{ anyOf: [{ type: 'string' }] }, 5, 'must be a string'],
    [{ not: { type: 'string' } }, 'a', 'must not fit the schema under "not"'],
    [{ if: { required: ['a'] }, else: { required: ['b'] } }, {}, 'b is required'],
    [{ const: { a: [1] } }, { a: [2] }, 'must be {"a":[1]}'],
    [{ enum: [[1], 2, 3, 4] }, 5, 'must be one of [1], 2, 3, …'],
    [{ uniqueItems: true }, [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }], '[2] must not be equal to item 0'],
    [
      { contains: { type: 'string' } },
      [1],
      'must have at least 1 items that fit the schema under "contains"',
    ],
    [
      { items: { contains: true } },
      [[0], []],
      '[1] must have at least 1 items that fit the schema under "contains"',
    ],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a', 'b'], '[1] is not allowed'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'ab has a name that must have at most 1 characters'],
    [{ patternProperties: { '^n': { type: 'number' } } }, { na: 'x' }, 'na must be a number'],
    [{ minProperties: 1 }, {}, 'must have at least 1 members'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 members'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'b is required beside a'],
    [
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      'b is not allowed',
    ],
    [{ prefixItems: [true], unevaluatedItems: { type: 'number' } }, [1, 'x'], '[1] must be a number'],
    [{ $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, 'x', 'must be a number'],
    [{ multipleOf: 0.01 }, 0.075, 'must be a multiple of 0.01'],
  ])('%j on %j: %s', (schema, value, expected) => {
    expect(violation(schema, value)).toBe(expected);
  });

  it('reasons of many alternatives are counted, and long ones cut', () => {
    const types = ['string', 'number', 'boolean', 'null'] as const;
    const text = violation({ anyOf: types.map((type) => ({ type })) }, []);
    expect(text).toMatch(/\(3\) must be a boolean; and 1 more$/);
    const long = violation({ anyOf: [{ const: 'a'.repeat(500) }, { const: 2 }] }, 1);
    expect(long?.length).toBeLessThan(250);
  });
});

describe('decimal multiples', () => {
  it.each([
    [0.3, 0.1, true],
    [1.35, 0.1, false],
    [0.0075, 0.0001, true],
    [19.99, 0.01, true],
    [1e300, 1e-300, true],
    [1e308, 0.123456789, false],
    [-0.3, 0.1, true],
    [0, 0.7, true],
    [9007199254740991, 2, false],
    [1e20, 3, false],
  ])('%d of %d: %s', (value, step, expected) => {
    expect(violation({ multipleOf: step }, value) === undefined).toBe(expected);
  });
});

describe('the order of members', () => {
  const schema = {
    properties: { a: { type: 'number' }, b: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  } as const;

  it.each<[unknown, string | undefined]>([
    [{ a: 1, b: 'x' }, undefined],
    [{ b: 'x', a: 1 }, undefined],
    [{ a: 1 }, undefined],
    [{ b: 'x' }, 'a is required'],
    [{}, 'a is required'],
    [{ a: 1, b: 2 }, 'b must be a string'],
    [{ b: 2, a: 1 }, 'b must be a string'],
    [{ a: 1, b: 'x', c: 1 }, 'c is not allowed'],
    [{ c: 1, a: 1, b: 'x' }, 'c is not allowed'],
    [{ a: 1, c: 1 }, 'c is not allowed'],
    [{ a: 1, b: undefined, c: undefined }, undefined], // JSON leaves them out
    [{ a: undefined, b: 'x' }, 'a is required'],
  ])('does not matter: %o', (value, expected) => {
    expect(violation(schema, value)).toBe(expected);
  });

  it('what a prototype has is no member', () => {
    expect(violation(schema, Object.create({ c: 1 }, { a: { value: 1, enumerable: true } }))).toBeUndefined();
  });
});

describe('registration', () => {
  it('a second tool of one name is refused', () => {
    const server = new McpServer(info).registerTool('a', {}, () => 'x');
    expect(() => server.registerTool('a', {}, () => 'x')).toThrow(
      expect.objectContaining({ code: 'TOOL_EXISTS' }),
    );
  });

  it('a server needs a name and a version, a tool a name and a handler', () => {
    const invalid = expect.objectContaining({ code: 'OPTION_INVALID' });
    expect(() => new McpServer({ name: 'x' } as never)).toThrow(invalid);
    expect(() => new McpServer(info).registerTool('', {}, () => 'x')).toThrow(invalid);
    expect(() => new McpServer(info).registerTool('x', {}, undefined as never)).toThrow(invalid);
  });
});
