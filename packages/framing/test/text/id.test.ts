import { describe, expect, it } from 'vitest';
import { idKey, idKeyOfText, idOfText } from '../../src/index.ts';

describe('idKey', () => {
  it('keeps strings, numbers and bigints apart and equal ids together', () => {
    expect(idKey(1)).toBe(1);
    expect(idKey(1n)).toBe(1);
    expect(idKey('1')).toBe('"1');
    expect(idKey('')).toBe('"');
    expect(idKey(9007199254740993n)).toBe(idKeyOfText('9007199254740993'));
    expect(idKey(10n ** 400n)).toBe(idKeyOfText('1e400'));
    expect(idKey(10n ** 400n)).toBe(idKeyOfText('10e399'));
    expect(idKey(-(10n ** 400n))).toBe(idKeyOfText('-1e400'));
    expect(idKey('n1e400')).not.toBe(idKey(10n ** 400n));
    expect(idKey('a"b')).toBe(idKeyOfText('"a\\"b"'));
  });
});

describe('idOfText', () => {
  it('takes 65,536 digits and not one more', () => {
    expect(idOfText('1e65535')).toBe(10n ** 65_535n);
    expect(idOfText('1e65536')).toBeUndefined();
  });

  it('never expands an exponent to find out', () => {
    const started = performance.now();
    for (let round = 0; round < 1000; round++) idOfText(`1e${999_999_999 + round}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
