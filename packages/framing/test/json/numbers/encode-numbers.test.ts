import { afterEach, describe, expect, it } from 'vitest';
import { encodeJson, JsonNumber, type NumberMode } from '../../../src/index.ts';

const TEXTS = ['0', '-0', '1.0', '1E+2', '0.1e-7', '9007199254740993', '7'.repeat(100)];
const modes: readonly NumberMode[] = ['double', 'bigint', 'raw'];

/** A program's own way to write BigInts, which the native encoder heeds. */
function giveBigintsToJson(): void {
  Object.defineProperty(BigInt.prototype, 'toJSON', {
    value(this: bigint) {
      return `string ${this}`;
    },
    configurable: true,
  });
}

describe('encoding numbers', () => {
  afterEach(() => {
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });

  it.each(modes)(
    'writes a JsonNumber as its text, wherever it stands and whatever the option: %s',
    (numbers) => {
      for (const text of TEXTS) {
        const number = new JsonNumber(text);
        expect(encodeJson(number, { numbers })).toBe(text);
        expect(encodeJson({ a: [number, { b: number, c: 'x\ud800' }] }, { numbers })).toBe(
          `{"a":[${text},{"b":${text},"c":"x\\ud800"}]}`,
        );
      }
      let deep: unknown = new JsonNumber('1.0');
      for (let level = 0; level < 20_000; level++) deep = [deep];
      expect(encodeJson(deep, { numbers })).toBe(`${'['.repeat(20_000)}1.0${']'.repeat(20_000)}`);
    },
  );

  it('writes a JsonNumber that a toJSON returns as its text under raw, where JSON.stringify is not asked', () => {
    const value = [{ toJSON: () => new JsonNumber('1.0') }];
    expect(encodeJson(value, { numbers: 'raw' })).toBe('[1.0]');
  });

  it('writes BigInts as digits when it is asked to', () => {
    const value = { a: [1n, -9007199254740993n, Object(5n)], b: 1.5 };
    const text = '{"a":[1,-9007199254740993,5],"b":1.5}';
    expect(encodeJson(value, { numbers: 'bigint' })).toBe(text);
    expect(encodeJson(value, { numbers: 'raw' })).toBe(text);
    expect(encodeJson(1n, { numbers: 'bigint' })).toBe('1');
  });

  it('refuses BigInts with the path when it is not', () => {
    const refused = expect.objectContaining({
      code: 'ENCODE_REFUSED',
      message: 'the value at $.a[1] is a BigInt',
    });
    expect(() => encodeJson({ a: [0, 1n] })).toThrow(refused);
    expect(() => encodeJson({ a: [0, 1n] }, { numbers: 'double' })).toThrow(refused);
    expect(() => encodeJson({ n: new JsonNumber('1'), a: [0, 1n] })).toThrow(refused);
  });

  it('writes digits also where a program has given BigInt a toJSON, which counts by default only', () => {
    giveBigintsToJson();
    expect(encodeJson([1n])).toBe('["string 1"]');
    for (const numbers of ['bigint', 'raw'] as const)
      expect(encodeJson([1n, Object(2n)], { numbers })).toBe('[1,2]');
  });

  it.runIf('rawJSON' in JSON)('keeps what JSON.rawJSON made, in deep values too', () => {
    const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
    for (const numbers of modes) expect(encodeJson([rawJSON('1.0')], { numbers })).toBe('[1.0]');
  });

  it.each(modes)('refuses what has no JSON, and a mode that there is not: %s', (numbers) => {
    for (const value of [undefined, () => 1, Symbol('x'), { toJSON: () => undefined }])
      expect(() => encodeJson(value, { numbers })).toThrow(/has no JSON form/);
    expect(() => encodeJson(1, { numbers: 'float' as NumberMode })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });

  it.each(modes)('keeps what a toJSON throws as the cause: %s', (numbers) => {
    const cause = new RangeError('mine');
    const value = {
      toJSON() {
        throw cause;
      },
    };
    expect(() => encodeJson(value, { numbers })).toThrow(
      expect.objectContaining({ code: 'ENCODE_REFUSED', cause }),
    );
  });
});
