import { describe, expect, it } from 'vitest';
import { isMcpError } from '../../src/errors.ts';
import type { JsonSchema, JsonSchemaObject } from '../../src/schema/json-schema.ts';
import { compileSchema } from '../../src/schema/schema-compile.ts';
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
    ['an unknown keyword', { type: 'object', propertyNames: {} }],
    ['$ref', { type: 'object', properties: { a: { $ref: '#' } } }],
    ['anyOf inside', { type: 'object', properties: { a: { anyOf: [] } } }],
    ['an unknown type', { type: 'object', properties: { a: { type: 'float' } } }],
    ['a root that is no object', { type: 'string' }],
    ['no root type', { properties: {} }],
    ['a minimum that is text', { type: 'object', properties: { a: { minimum: '0' } } }],
    ['a broken pattern', { type: 'object', properties: { a: { pattern: '(' } } }],
    ['an enum of objects', { type: 'object', properties: { a: { enum: [{}] } } }],
    ['required that is no list', { type: 'object', required: 'a' }],
    ['a negative maxLength', { type: 'object', properties: { a: { maxLength: -1 } } }],
  ])('a schema with %s is refused when the tool is registered', (_, schema) => {
    const register = (): unknown =>
      new McpServer(info).registerTool('t', { inputSchema: schema as JsonSchemaObject }, () => 'x');
    expect(register).toThrow(expect.objectContaining({ code: 'SCHEMA_UNSUPPORTED' }));
  });

  it('the refusal names the tool, the place and the keyword', () => {
    try {
      new McpServer(info).registerTool(
        'search',
        { inputSchema: { type: 'object', properties: { q: { if: {} } as JsonSchema } } },
        () => 'x',
      );
      expect.unreachable();
    } catch (error) {
      expect(isMcpError(error)).toBe(true);
      expect((error as Error).message).toBe(
        'Schema of search at #/properties/q: keyword "if" is not supported',
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
