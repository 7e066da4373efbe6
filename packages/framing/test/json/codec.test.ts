import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../../src/index.ts';

/** Arrays and objects in turn, `depth` levels of them. */
function nested(depth: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { k: value };
  return value;
}

function nestedText(depth: number): string {
  const open: string[] = [];
  const close: string[] = [];
  for (let level = depth - 1; level >= 0; level--) {
    open.push(level % 2 === 0 ? '[' : '{"k":');
    close.push(level % 2 === 0 ? ']' : '}');
  }
  return `${open.join('')}"end"${close.reverse().join('')}`;
}

/** A value under so many levels that the native encoder gives up. */
function deepUnder(value: unknown): unknown {
  let outer = value;
  for (let level = 0; level < 20_000; level++) outer = [outer];
  return outer;
}

/** What `encodeJson` writes of a value behind those levels. */
function encodedDeep(value: unknown): string {
  return encodeJson(deepUnder(value), { nonFinite: 'null' }).slice(20_000, -20_000);
}

const refused = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'ENCODE_REFUSED', message: expect.stringMatching(message) });

describe('encodeJson', () => {
  it('writes any depth', () => {
    expect(encodeJson(nested(100))).toBe(nestedText(100));
    expect(encodeJson(nested(100_000))).toBe(nestedText(100_000));
  });

  it.each<[string, unknown]>([
    ['members without JSON', { a: undefined, b: () => 1, c: Symbol('x'), d: 1, e: undefined }],
    ['items without JSON', [undefined, () => 1, Symbol('x'), 1]],
    ['toJSON', { at: new Date(0), list: [new Date(0)] }],
    [
      'toJSON with its key',
      { a: { toJSON: (key: string) => `key ${key}` }, b: [{ toJSON: (key: string) => key }] },
    ],
    ['toJSON that gives nothing', { a: { toJSON: () => undefined }, b: 1, c: [{ toJSON: () => undefined }] }],
    ['toJSON that gives an object', { a: { toJSON: () => ({ b: [1], toJSON: () => 'not again' }) } }],
    ['boxed values', [Object(1), Object('x'), Object(true)]],
    ['numbers', [0, -0, 1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY]],
    ['strings', ['\ud800', '\udc00\ud800', '\u2028\n\r"\\\u0000\u007f', 'ก🧪']],
    ['keys', { '"': 1, '\n': 2, '2': 3, '1': 4, ['__proto__']: 5 }],
    ['empty containers', [[], {}, [[]], { a: {} }]],
    [
      'a Map, a typed array, a holey array',
      [new Map([[1, 2]]), new Uint8Array(2), Object.assign(new Array(3), { 0: 1, 2: 2 })],
    ],
    ['the same object twice, side by side', ((same) => [same, { same }])({ a: 1 })],
  ])('is byte-equal to JSON.stringify, at any depth: %s', (_, value) => {
    expect(encodeJson(value, { nonFinite: 'null' })).toBe(JSON.stringify(value));
    expect(encodedDeep(value)).toBe(JSON.stringify(value));
  });

  it('never writes a newline', () => {
    expect(encodeJson({ a: 'x\ny' })).not.toContain('\n');
  });

  it('refuses a cycle and a BigInt with the path', () => {
    const cycle: Record<string, unknown> = { list: [1] };
    (cycle['list'] as unknown[]).push({ back: cycle });
    expect(() => encodeJson(cycle)).toThrow(refused(/\$\.list\[1\]\.back/));
    expect(() => encodeJson({ a: [0, { b: 1n }] })).toThrow(refused(/\$\.a\[1\]\.b is a BigInt/));
    expect(() => encodeJson(1n)).toThrow(refused(/\$ is a BigInt/));
    expect(() => encodeJson(deepUnder(1n))).toThrow(refused(/BigInt/));
    const deepCycle: unknown[] = [];
    deepCycle.push(deepUnder(deepCycle));
    expect(() => encodeJson(deepCycle)).toThrow(refused(/refers to itself/));
  });

  it('refuses NaN and the infinities with the path, where JSON.stringify would write null', () => {
    expect(() => encodeJson({ a: [0, { b: Number.NaN }] })).toThrow(refused(/\$\.a\[1\]\.b is NaN$/));
    expect(() => encodeJson(Number.NEGATIVE_INFINITY)).toThrow(refused(/\$ is -Infinity$/));
    expect(() => encodeJson({ list: [null, Object(Number.NaN)] })).toThrow(refused(/\$\.list\[1\]/));
    expect(() => encodeJson(deepUnder(Number.NaN))).toThrow(refused(/is NaN$/));
    expect(() => encodeJson({ a: { toJSON: () => Number.NaN } })).toThrow(refused(/\$\.a is NaN$/));
    expect(encodeJson({ a: Number.NaN }, { nonFinite: 'null' })).toBe('{"a":null}');
  });

  it('does not refuse what is null without being such a number', () => {
    for (const value of [
      null,
      'null',
      [null],
      { a: null, b: ':null,', c: Number.MAX_VALUE },
      Object.assign([1, null], { extra: Number.NaN }),
      { at: new Date(Number.NaN), m: new Map([[1, Number.NaN]]), u: undefined, n: null },
      [undefined, () => 1],
      { toJSON: () => null, a: Number.NaN },
      { a: 'long '.repeat(2000), b: null },
      [Array.from({ length: 3000 }, (_, i) => i), null],
    ])
      expect(encodeJson(value)).toBe(JSON.stringify(value));
  });

  it('finds such numbers in long texts of any kind', () => {
    for (const filling of ['u'.repeat(9000), Array.from({ length: 3000 }, (_, i) => i), '. '.repeat(4000)])
      expect(() => encodeJson({ filling, list: [1, Number.NaN] })).toThrow(refused(/\$\.list\[1\] is NaN$/));
  });

  it.each([undefined, () => 1, Symbol('x')])('refuses a root without JSON: %s', (value) => {
    expect(() => encodeJson(value)).toThrow(refused(/has no JSON form/));
  });

  it('refuses what toJSON throws, and keeps it as the cause', () => {
    const cause = new RangeError('mine');
    const value = {
      toJSON() {
        throw cause;
      },
    };
    expect(() => encodeJson(value)).toThrow(expect.objectContaining({ code: 'ENCODE_REFUSED', cause }));
  });
});

describe('decodeJson', () => {
  it('gives what JSON.parse gives, -0 and an own __proto__ included', () => {
    const value = decodeJson('{"__proto__":{"a":-0},"b":[1e400]}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'b']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['b']).toEqual([Number.POSITIVE_INFINITY]);
  });

  it('throws JSON_SYNTAX with the cause', () => {
    const error = expect.objectContaining({ code: 'JSON_SYNTAX', cause: expect.any(SyntaxError) });
    expect(() => decodeJson('{"a":}')).toThrow(error);
    expect(() => decodeJson('')).toThrow(error);
  });
});
