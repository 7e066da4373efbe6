import { describe, expect, it } from 'vitest';
import { idOfText } from '../../src/text/id.ts';

describe('the id of a JSON text', () => {
  it.each<[string, string | number | bigint | undefined]>([
    ['1', 1],
    ['1.0', 1],
    ['10e-1', 1],
    ['1.5e1', 15],
    ['-0', 0],
    ['"a\\u0062"', 'ab'],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993.0', -9007199254740993n],
    ['1e20', 100000000000000000000n],
    ['1.5', undefined],
    ['9007199254740991.4', undefined],
    ['1e-5', undefined],
    ['1e999999999', undefined],
    ['null', undefined],
    ['{}', undefined],
  ])('%s is %s', (text, id) => {
    expect(idOfText(text)).toBe(id);
  });
});
