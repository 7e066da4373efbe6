import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCanonicalJson } from '../../../src/server/input/canonical-json.ts';

const LIMIT = { interruptAfterTimeLimit: 2000 };

function pieces(value: unknown): string[] {
  const all: string[] = [];
  writeCanonicalJson(value, (piece) => all.push(piece));
  return all;
}

function canonical(value: unknown): string {
  return pieces(value).join('');
}

/** Read from RFC 8785 a second time: by recursion, with keys compared as bytes of UTF-16. */
function secondOpinion(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(secondOpinion).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => Buffer.compare(bigEndian(a), bigEndian(b)));
  const object = value as Record<string, unknown>;
  return `{${keys.map((key) => `${JSON.stringify(key)}:${secondOpinion(object[key])}`).join(',')}}`;
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'toJSON', 'constructor', '1', '10', ''),
);

/** As a frame would bring it: strings with lone surrogates, keys of every kind, numbers of every size. */
const json = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
      ),
      fc.constant(null),
      fc.array(tie('value')),
      fc.array(fc.tuple(key, tie('value'))),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value, asObjects)) as unknown);

/** Lists of pairs become objects, half of the time. */
function asObjects(_: string, value: unknown): unknown {
  const isPairs =
    Array.isArray(value) &&
    value.length % 2 === 1 &&
    value.every((one) => Array.isArray(one) && typeof one[0] === 'string');
  return isPairs ? Object.fromEntries(value as [string, unknown][]) : value;
}

/** The same value, its members in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('canonical JSON', () => {
  it('is what a second, recursive reading of RFC 8785 says', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonical(value)).toBe(secondOpinion(value));
      }),
      LIMIT,
    );
  });

  it('is the same for the same value with its members in another order, and says all of it', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonical(value);
        expect(canonical(reversed(value))).toBe(text);
        // Not by toEqual, for which 0 and -0 differ.
        expect(JSON.stringify(reversed(JSON.parse(text)))).toBe(
          JSON.stringify(reversed(JSON.parse(JSON.stringify(sortedKeys(value))))),
        );
      }),
      LIMIT,
    );
  });

  it('tells two values apart', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const same = canonical(one) === canonical(other);
        expect(same).toBe(JSON.stringify(sortedKeys(one)) === JSON.stringify(sortedKeys(other)));
      }),
      LIMIT,
    );
  });
});

function sortedKeys(value: unknown): unknown {
  return JSON.parse(secondOpinion(value));
}

describe('canonical JSON, case by case', () => {
  it.each([
    // From RFC 8785, 3.2.2 and 3.2.3.
    [
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
    ['[-0,0.0,1e21,1e-7,9007199254740993]', '[0,0,1e+21,1e-7,9007199254740992]'],
    ['{"__proto__":{"b":1,"a":2},"toJSON":3}', '{"__proto__":{"a":2,"b":1},"toJSON":3}'],
    ['{"10":1,"9":2,"a":{},"b":[]}', '{"10":1,"9":2,"a":{},"b":[]}'],
    ['"\\ud800"', '"\\ud800"'],
  ])('%s', (source, expected) => {
    expect(canonical(JSON.parse(source))).toBe(expected);
  });

  it('has words for the infinities, which JSON can say and its decoder keep', () => {
    expect(canonical(JSON.parse('[1e400,-1e400]'))).toBe('[Infinity,-Infinity]');
  });

  it('of nesting that would overflow the stack is written all the same', () => {
    const depth = 200_000;
    let value: unknown = [];
    for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
    const text = canonical(value);
    expect(text.length).toBe(2 * depth + 4 * (depth / 2));
  });

  it.each([1, 2, 4095, 4096, 4097, 10_000])(
    'of a value that contains itself %i levels down is refused',
    (levels) => {
      const innermost: Record<string, unknown> = {};
      let value = innermost;
      for (let level = 1; level < levels; level++) value = { a: value };
      innermost['self'] = value;
      expect(() => canonical({ before: value })).toThrow(RangeError);
    },
  );

  it('comes in pieces, so that a large value is never one string', () => {
    const all = pieces(Array.from({ length: 100_000 }, (_, at) => at));
    expect(all.length).toBeGreaterThan(10);
    expect(Math.max(...all.map((piece) => piece.length))).toBeLessThan(20_000);
  });
});
