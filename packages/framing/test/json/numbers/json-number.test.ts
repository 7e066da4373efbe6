import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { JsonNumber } from '../../../src/index.ts';

const hasRawJson = 'rawJSON' in JSON;

describe('a JsonNumber', () => {
  it('is its text, its double and its integer', () => {
    const number = new JsonNumber('1.50E+1');
    expect(number.text).toBe('1.50E+1');
    expect(String(number)).toBe('1.50E+1');
    expect(`${number}`).toBe('1.50E+1');
    expect(number.number()).toBe(15);
    expect(number.bigint()).toBe(15n);
    expect(Object.is(new JsonNumber('-0').number(), -0)).toBe(true);
    expect(new JsonNumber('9007199254740993').bigint()).toBe(9007199254740993n);
  });

  it('calculates and compares as its double', () => {
    expect(Number(new JsonNumber('9')) + 1).toBe(10);
    expect(new JsonNumber('9') < new JsonNumber('10')).toBe(true);
  });

  it('is deep-equal to those that are written alike, and to no other', () => {
    expect(isDeepStrictEqual(new JsonNumber('1.0'), new JsonNumber('1.0'))).toBe(true);
    expect(isDeepStrictEqual(new JsonNumber('1.0'), new JsonNumber('1'))).toBe(false);
  });

  it('cannot be changed', () => {
    expect(() => Object.assign(new JsonNumber('1'), { text: '1\n2' })).toThrow(TypeError);
  });

  it.each<unknown>([
    '',
    ' 1',
    '1 ',
    '1\n',
    '01',
    '-',
    '+1',
    '.5',
    '5.',
    '1e',
    '1e+',
    '0x10',
    'NaN',
    'Infinity',
    '1,2',
    '--1',
    1,
    null,
  ])('is not made of %j', (text) => {
    expect(() => new JsonNumber(text as string)).toThrow(expect.objectContaining({ code: 'JSON_SYNTAX' }));
  });

  it('has no bigint when it is a fraction or has too many digits', () => {
    expect(() => new JsonNumber('1.5').bigint()).toThrow(
      expect.objectContaining({ code: 'VALUE_KIND', message: '1.5 is a fraction, not an integer' }),
    );
    expect(() => new JsonNumber('1e1000').bigint()).toThrow(
      expect.objectContaining({
        code: 'VALUE_RANGE',
        limit: 1000,
        actual: 1001,
        message: '1e1000 has 1001 digits, more than 1000: read its text',
      }),
    );
  });

  it.runIf(hasRawJson)('is written by JSON.stringify as its text', () => {
    expect(JSON.stringify([new JsonNumber('1.50'), { n: new JsonNumber('9007199254740993') }])).toBe(
      '[1.50,{"n":9007199254740993}]',
    );
  });

  it.skipIf(hasRawJson)('is refused by JSON.stringify, with what to do, where that cannot be exact', () => {
    const refused = expect.objectContaining({
      code: 'ENCODE_REFUSED',
      message: 'JSON.stringify of this runtime cannot write 1.50 exactly: use encodeJson',
    });
    expect(() => JSON.stringify([new JsonNumber('1.50')])).toThrow(refused);
  });
});
