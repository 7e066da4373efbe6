import { expect, test } from 'vitest';
import { ByteTail } from '../../src/child/byte-tail.ts';

test('a tail is the last bytes, however they came', () => {
  for (const size of [1, 2, 3, 7, 100]) {
    const tail = new ByteTail(10);
    const text = 'abcdefghijklmnopqrstuvwxyz';
    for (let at = 0; at < text.length; at += size) tail.push(Buffer.from(text.slice(at, at + size)));
    expect(tail.text()).toBe('qrstuvwxyz');
  }
});

test('a tail shorter than the limit is whole, and one of no bytes is empty', () => {
  const tail = new ByteTail(10);
  expect(tail.text()).toBe('');
  tail.push(Buffer.from('é'));
  expect(tail.text()).toBe('é');
  const none = new ByteTail(0);
  none.push(Buffer.from('abc'));
  expect(none.text()).toBe('');
});
