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

test('a tail of any pieces is the end of all of them, and remembers no memory of theirs', () => {
  for (const maxBytes of [1, 2, 255, 256, 257, 1000, 5000]) {
    const tail = new ByteTail(maxBytes);
    let all = Buffer.alloc(0);
    let state = maxBytes;
    for (let round = 0; round < 200; round++) {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      const piece = Buffer.alloc(state % (round % 10 === 0 ? 3 * maxBytes : 40), state % 251);
      all = Buffer.concat([all, piece]);
      tail.push(piece);
      piece.fill(0xff);
      expect(Buffer.compare(tail.copyBytes(), all.subarray(Math.max(0, all.length - maxBytes)))).toBe(0);
    }
  }
});
