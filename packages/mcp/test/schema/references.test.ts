import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { compileRemoteSchema, compileSchema } from '../../src/schema/schema-compile.ts';

function refusal(schema: unknown, compile: typeof compileRemoteSchema = compileRemoteSchema): string {
  try {
    compile(schema, 'tool');
  } catch (error) {
    expect(error).toMatchObject({ code: 'SCHEMA_UNSUPPORTED' });
    return (error as Error).message;
  }
  return 'accepted';
}

function own(schema: unknown): string {
  return refusal(schema, compileSchema as typeof compileRemoteSchema);
}

describe('references', () => {
  it.each([
    'https://example.com/schema.json',
    'other.json',
    'other.json#/$defs/a',
    '#/$defs/missing',
    '#missing',
    '#/$defs/a/type/0/x',
    '#%E0%A4%A',
    'http://[broken',
    'file:///etc/passwd',
    '#/__proto__',
    '#/constructor',
  ])('%s leads out of the document and is refused, naming the place', (reference) => {
    const schema = { properties: { x: { $ref: reference } }, $defs: { a: { type: ['string'] } } };
    expect(own(schema)).toBe(
      `Schema of tool at #/properties/x/$ref: "${reference}" is not in this schema, and nothing is ever fetched`,
    );
    expect(refusal(schema)).toContain('nothing is ever fetched');
  });

  it('a fault in what is referred to is named by the reference', () => {
    expect(own({ $ref: '#/$defs/a', $defs: { a: { properties: { b: { type: 'float' } } } } })).toBe(
      'Schema of tool at #/$defs/a/properties/b: type "float" is unknown',
    );
  });

  it.each<[string, unknown]>([
    ['itself', { $ref: '#' }],
    ['itself under allOf', { allOf: [{ anyOf: [{ $ref: '#' }] }] }],
    ['itself under not', { not: { $ref: '#' } }],
    ['itself under if', { if: { $ref: '#' } }],
    ['itself by a dependent schema', { dependentSchemas: { a: { $ref: '#' } } }],
    [
      'each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
    ],
    [
      'itself where a way into the value is found first',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: { properties: { x: { $ref: '#/$defs/b' } }, $ref: '#/$defs/b' },
          b: { $ref: '#/$defs/a' },
        },
      },
    ],
  ])('a schema that refers to %s without going deeper is refused', (_, schema) => {
    expect(own(schema)).toContain('a reference leads back to itself without going deeper into the value');
  });

  it.each<[string, unknown]>([
    ['properties', { properties: { a: { $ref: '#' } }, required: ['b'] }],
    ['items', { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#' } }] }],
    ['propertyNames', { propertyNames: { $ref: '#' } }],
    ['contains', { contains: { $ref: '#' } }],
    ['unevaluatedProperties', { unevaluatedProperties: { $ref: '#' } }],
  ])('a schema may refer to itself under %s', (_, schema) => {
    expect(own(schema)).toBe('accepted');
  });

  it('addresses, anchors and dynamic anchors within the document are found', () => {
    const schema: JsonSchema = {
      $id: 'https://example.com/list',
      $ref: 'entries#first',
      $defs: {
        one: {
          $id: 'entries',
          $defs: { first: { $anchor: 'first', items: { $ref: '#/$defs/word' } }, word: { type: 'string' } },
        },
      },
    };
    expect(compileSchema(schema, 'tool').check(['a', 1])).toEqual({ path: '[1]', text: 'must be a string' });
  });

  it('one subschema means two things where two ways lead to it', () => {
    const element = (type: string): unknown => ({ $dynamicAnchor: 'element', type });
    const schema = {
      properties: { strings: { $ref: 'strings' }, numbers: { $ref: 'numbers' } },
      $defs: {
        list: {
          $id: 'list',
          items: { $dynamicRef: '#element' },
          $defs: { any: { $dynamicAnchor: 'element' } },
        },
        strings: { $id: 'strings', $ref: 'list', $defs: { element: element('string') } },
        numbers: { $id: 'numbers', $ref: 'list', $defs: { element: element('number') } },
      },
    } as JsonSchema;
    const check = compileSchema(schema, 'tool');
    expect(check.check({ strings: ['a'], numbers: [1] })).toBeUndefined();
    expect(check.check({ strings: [1] })).toEqual({ path: 'strings[0]', text: 'must be a string' });
    expect(check.check({ numbers: ['a'] })).toEqual({ path: 'numbers[0]', text: 'must be a number' });
  });
});

describe('hostile schemas', () => {
  it('nested deeper than 64 is refused, wherever that is', () => {
    const deep = (keyword: string, depth: number): unknown => {
      let schema: unknown = { type: 'string' };
      for (let at = 0; at < depth; at++) schema = { [keyword]: keyword === 'allOf' ? [schema] : schema };
      return schema;
    };
    for (const keyword of ['not', 'items', 'allOf', 'additionalProperties']) {
      expect(refusal(deep(keyword, 64))).toBe('accepted');
      expect(refusal(deep(keyword, 65))).toContain('is nested deeper than 64');
    }
    expect(refusal({ $ref: '#/$defs/a', $defs: { a: {}, b: deep('not', 70) } })).toContain('deeper than 64');
    expect(refusal({ $ref: '#/x/a', x: { a: deep('not', 70) } })).toContain('deeper than 64');
  });

  it('longer than 256 KiB is refused before it is read', () => {
    expect(refusal({ description: 'a'.repeat(262_100) })).toBe('accepted');
    expect(refusal({ description: 'a'.repeat(262_144) })).toContain('at most 262144 are checked');
  });

  it('a long chain of references costs no stack, and is refused when one value would go through it', () => {
    const $defs: Record<string, unknown> = {};
    for (let at = 0; at < 4_000; at++)
      $defs[`d${at}`] = { properties: { next: { $ref: `#/$defs/d${at + 1}` } } };
    $defs['d4000'] = { type: 'string' };
    expect(refusal({ $ref: '#/$defs/d0', $defs })).toBe('accepted');
    for (let at = 0; at < 4_000; at++) $defs[`d${at}`] = { $ref: `#/$defs/d${at + 1}` };
    expect(refusal({ $ref: '#/$defs/d0', $defs })).toContain('more than 256 schemas in a row');
  });

  it('one that means many things at once is refused instead of filling memory', () => {
    // Each step doubles the ways: whether a resource was passed or not is remembered by its anchor.
    const $defs: Record<string, unknown> = {};
    const steps = 20;
    for (let at = 0; at < steps; at++) {
      const next = at + 1 === steps ? '#/$defs/end' : undefined;
      const to = next === undefined ? `s${at + 1}` : 'end';
      $defs[`s${at}`] = { $id: `s${at}`, items: { $ref: to }, contains: { $ref: `p${at}` } };
      $defs[`p${at}`] = { $id: `p${at}`, $dynamicAnchor: `a${at}`, items: { $ref: to } };
    }
    $defs['end'] = { $id: 'end', items: { $dynamicRef: '#a0' }, $dynamicAnchor: 'a0' };
    expect(refusal({ $ref: 's0', $defs })).toContain('there are more than 100000 subschemas');
  });

  it('a pattern with nested repeats is checked for ourselves, not for a peer', () => {
    const schema = { pattern: '^(a+)+$' };
    expect(compileSchema(schema, 'tool').check('b')).toBeDefined();
    expect(compileRemoteSchema(schema, 'tool').check(`${'a'.repeat(60)}b`)).toBeUndefined();
    expect(
      compileRemoteSchema({ patternProperties: { '(x*)*y': false } }, 'tool').check({ xy: 1 }),
    ).toBeUndefined();
    for (const pattern of ['^[a-z]+$', '^(ab)+c*$', '(a{1,3})+', '[(+)]*', '\\(a+\\)+']) {
      expect(compileRemoteSchema({ pattern }, 'tool').check('\n')?.text ?? 'fits', pattern).toBe(
        pattern === '[(+)]*' ? 'fits' : `must match ${pattern}`,
      );
    }
  });
});

describe('hostile values', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
    additionalProperties: false,
  };

  function chain(depth: number, leaf: unknown): unknown {
    let value = leaf;
    for (let at = 0; at < depth; at++) value = { children: [value] };
    return value;
  }

  it('as deep as a frame may be are judged', () => {
    const check = compileSchema(tree, 'tool');
    expect(check.check(chain(255, { value: 1 }))).toBeUndefined();
    const path = check.check(chain(255, { value: 'x' }))?.path;
    expect(path?.split('children[0]').length).toBe(256);
  });

  it('so deep that the stack ends are a violation, and the next value is judged', () => {
    const check = compileSchema(tree, 'tool');
    expect(check.check(chain(200_000, {}))).toEqual({
      path: 'children[0]',
      text: 'is nested too deep to be checked',
    });
    expect(check.check(chain(5, {}))).toBeUndefined();
  });

  it.each<[string, JsonSchema]>([
    [
      'anyOf',
      {
        anyOf: [
          { properties: { c: { $ref: '#' }, k: { const: 1 } }, required: ['k'] },
          { properties: { c: { $ref: '#' }, k: { const: 2 } }, required: ['k'] },
        ],
      },
    ],
    [
      'oneOf',
      {
        oneOf: [
          { properties: { c: { $ref: '#' }, k: { const: 1 } }, required: ['k'] },
          { properties: { c: { $ref: '#' }, k: { const: 2 } }, required: ['k'] },
        ],
      },
    ],
    ['allOf', { allOf: [{ properties: { c: { $ref: '#' } } }, { properties: { c: { $ref: '#' } } }] }],
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    ['if', { if: { properties: { c: { $ref: '#' } } }, then: { properties: { c: { $ref: '#' } } } }],
    [
      'not',
      {
        allOf: [{ not: { not: { properties: { c: { $ref: '#' } } } } }, { properties: { c: { $ref: '#' } } }],
      },
    ],
    [
      'unevaluatedProperties',
      {
        anyOf: [
          { properties: { c: { $ref: '#' }, k: { const: 1 } } },
          { properties: { c: { $ref: '#' }, k: { const: 2 } } },
        ],
        unevaluatedProperties: false,
      },
    ],
  ])('schemas that ask twice at each level (%s) take no exponential time', (_, schema) => {
    // 2^250 steps if nothing were remembered. The deepest value fits none or the last.
    const check = compileSchema(schema, 'tool');
    for (const leaf of [{ k: 2 }, { k: 3 }, {}]) {
      let value: unknown = leaf;
      for (let at = 0; at < 250; at++) value = { c: value, k: 2 };
      const found = check.check(value);
      expect(found === undefined || found.text.length < 600).toBe(true);
    }
  });

  it('a memory that forgets still remembers what matters', () => {
    const schema: JsonSchema = {
      anyOf: [
        { properties: { c: { $ref: '#' }, wide: { items: { $ref: '#' } }, k: { const: 1 } } },
        { properties: { c: { $ref: '#' }, wide: { items: { $ref: '#' } }, k: { const: 2 } } },
      ],
    };
    const check = compileSchema(schema, 'tool');
    let value: unknown = { k: 2, wide: Array.from({ length: 120_000 }, () => ({ k: 1 })) };
    for (let at = 0; at < 60; at++) value = { c: value, k: 2, wide: [{ k: 2 }] };
    expect(check.check(value)).toBeUndefined();
  });

  it('equal items are found in linear time', () => {
    const check = compileSchema({ uniqueItems: true }, 'tool');
    const items: unknown[] = Array.from({ length: 100_000 }, (_, at) => ({ at, name: `n${at}` }));
    expect(check.check(items)).toBeUndefined();
    items.push({ name: 'n7', at: 7 });
    expect(check.check(items)).toEqual({ path: '[100000]', text: 'must not be equal to item 7' });
  });

  it('items too deep to be compared are a violation', () => {
    const check = compileSchema({ items: { uniqueItems: true } }, 'tool');
    expect(check.check([[chain(200_000, {})]])).toEqual({
      path: '[0]',
      text: 'is nested too deep to be checked',
    });
  });

  it('members of all names are judged as members', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":2}');
    expect(compileSchema({ additionalProperties: { type: 'number' } }, 't').check(value)?.path).toBe(
      '__proto__',
    );
    expect(compileSchema({ unevaluatedProperties: false }, 't').check(value)?.path).toBe('__proto__');
    expect(compileSchema({ dependentRequired: { constructor: ['valueOf'] } }, 't').check(value)?.path).toBe(
      'valueOf',
    );
    expect(compileSchema({ dependentSchemas: { hasOwnProperty: false } }, 't').check(value)).toBeUndefined();
    expect(compileSchema({ const: {} }, 't').check(value)).toBeDefined();
    expect(compileSchema({ const: JSON.parse('{"__proto__":1}') }, 't').check({})).toBeDefined();
  });
});
