import { afterEach, describe, expect, it } from 'vitest';
import {
  createFrameReader,
  decodeJson,
  type FrameBatch,
  JsonNumber,
  lazyJson,
  type NumberMode,
} from '../../../src/index.ts';
import { bytesOf } from '../../support/events.ts';
import { during } from '../../support/lazy.ts';

const raw = { numbers: 'raw' } as const;
const bigint = { numbers: 'bigint' } as const;
const LONG = '9007199254740993';

describe('decoding numbers as bigints', () => {
  it.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['1'.repeat(1000), BigInt('1'.repeat(1000))],
    // No bigint is -0, and neither a fraction nor an exponent promises all digits.
    ['-0', -0],
    ['0', 0],
    ['1.0', 1],
    ['9007199254740993.0', 9007199254740992],
    ['1e400', Number.POSITIVE_INFINITY],
    ['9007199254740993e0', 9007199254740992],
    ['1E+2', 100],
    ['0.1e-7', 1e-8],
  ])('gives of %s a bigint only beyond 2^53 - 1 and in digits alone', (text, expected) => {
    expect(decodeJson(text, bigint)).toBe(expected);
    expect(decodeJson(`[${text},${LONG}]`, bigint)).toStrictEqual([expected, 9007199254740993n]);
  });

  it.each<[string, string]>([
    [`{"a":[0,{"b":${'1'.repeat(1001)}}]}`, '$.a[1].b'],
    [`[1,2,-${'1'.repeat(1_000_000)}]`, '$[2]'],
    ['1'.repeat(1001), '$'],
  ])('refuses an integer of more than 1,000 digits with its path, and is not slow about it', (text, path) => {
    const error = expect.objectContaining({
      code: 'VALUE_RANGE',
      limit: 1000,
      message: expect.stringContaining(`the integer at ${path} has `),
    });
    expect(() => decodeJson(text, bigint)).toThrow(error);
    expect(() => lazyJson(bytesOf(text)).decode(bigint)).toThrow(error);
    const advised = expect.objectContaining({ message: expect.stringContaining("numbers: 'raw'") });
    expect(() => decodeJson(text, bigint)).toThrow(advised);
    during(
      `${text}\n`,
      (batch, index) => {
        expect(() => batch.value(index)).toThrow(error);
        // It is no fault of the frame.
        expect(batch.fault(index)).toBeUndefined();
      },
      { envelope: 'none', ...bigint },
    );
  });
});

describe('decoding numbers raw', () => {
  it('keeps a million digits, and a million numbers', () => {
    const digits = '7'.repeat(1_000_000);
    expect((decodeJson(digits, raw) as JsonNumber).text).toBe(digits);
    const many = decodeJson(`[${'1.0,'.repeat(999_999)}1.0]`, raw) as JsonNumber[];
    expect(many).toHaveLength(1_000_000);
    expect(many.every((number) => number.text === '1.0')).toBe(true);
  });

  it('makes the members that JSON.parse makes, whatever the prototype of all objects holds', () => {
    const text = '{"b":1,"__proto__":{"x":2},"2":3,"constructor":4,"1":5,"b":6,"__proto__":7,"trap":8}';
    Object.defineProperty(Object.prototype, 'trap', {
      set: () => expect.fail('a setter was called'),
      configurable: true,
    });
    const value = decodeJson(text, raw) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value).map(([name, number]) => `${name} ${String(number)}`)).toEqual([
      '1 5',
      '2 3',
      'b 6',
      '__proto__ 7',
      'constructor 4',
      'trap 8',
    ]);
    const member = { enumerable: true, configurable: true, writable: true };
    for (const name of ['b', '__proto__', 'constructor', 'trap'])
      expect(Object.getOwnPropertyDescriptor(value, name)).toMatchObject(member);
  });

  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'trap');
  });
});

describe.each<NumberMode>(['double', 'bigint', 'raw'])('decoding numbers as %s', (numbers) => {
  it('goes a million levels deep, through the reader too', () => {
    const half = 499_999;
    const text = `${'[{"k":'.repeat(half)}[${LONG}]${'}]'.repeat(half)}`;
    const expected = { double: 9007199254740992, bigint: 9007199254740993n, raw: new JsonNumber(LONG) };
    const check = (value: unknown): void => {
      let at = value;
      for (let level = 0; level < half; level++) at = (at as { k: unknown }[])[0]?.k;
      expect(at).toStrictEqual([expected[numbers]]);
    };
    check(decodeJson(text, { numbers }));
    during(
      `${text}\n`,
      (batch, index) => {
        check(batch.value(index));
        check(batch.lazy(index).decode({ numbers }));
      },
      { envelope: 'none', maxDepth: 1_000_000, numbers },
    );
  });

  it.each(['', ' ', '{"a":}', '[1,]', '{"a":1,}', '[01]', '[1.]', '[-]', '[1e]', '[+1]', '[1}', '{"a"1}'])(
    'refuses %j as JSON_SYNTAX with what JSON.parse says',
    (text) => {
      const error = expect.objectContaining({ code: 'JSON_SYNTAX', cause: expect.any(SyntaxError) });
      expect(() => decodeJson(text, { numbers })).toThrow(error);
      expect(() => decodeJson(`[${LONG},${text}`, { numbers })).toThrow(error);
    },
  );

  it('reports bad JSON that a lax scan let through as the frame’s own fault, with its offset', () => {
    const line = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[${LONG},01]}}\n`;
    const offset = line.indexOf('01]') + 1;
    const error = expect.objectContaining({ code: 'JSON_SYNTAX', offset });
    during(
      line,
      (batch, index) => {
        expect(() => batch.payload(index)).toThrow(error);
        expect(() => batch.value(index)).toThrow(error);
        expect(() => batch.lazyPayload(index)?.decode({ numbers })).toThrow(
          expect.objectContaining({ code: 'JSON_SYNTAX' }),
        );
      },
      { validate: 'envelope', numbers },
    );
  });
});

describe('the option numbers', () => {
  it('is refused with the choices when it is none of them', () => {
    const numbers = 'float' as NumberMode;
    const refused = expect.objectContaining({
      code: 'OPTION_INVALID',
      message: 'numbers must be one of double, bigint, raw, not float',
    });
    expect(() => decodeJson('1', { numbers })).toThrow(refused);
    expect(() => lazyJson(bytesOf('1')).decode({ numbers })).toThrow(refused);
    expect(() => createFrameReader({ numbers, onFrames() {} })).toThrow(refused);
  });

  it('reaches frames that were held, and leaves ids and lazy values as they are', () => {
    const line = `{"jsonrpc":"2.0","id":${LONG},"method":"m","params":{"n":1.50}}\n`;
    const seen: unknown[] = [];
    let calls = 0;
    const reader = createFrameReader({
      ...raw,
      onFrames(batch: FrameBatch) {
        if (calls++ === 0) return 0;
        seen.push(batch.payload(0), batch.id(0), batch.lazyPayload(0)?.decode());
        return 1;
      },
    });
    reader.push(bytesOf(line));
    reader.resume();
    reader.end();
    expect(seen).toEqual([{ n: new JsonNumber('1.50') }, 9007199254740993n, { n: 1.5 }]);
  });
});
