import { describe, expect, it } from 'vitest';
import { repeatedText } from '../../src/text/repeated-text.ts';
import { bytesOf } from '../support/events.ts';

function textIn(bytes: Uint8Array, start: number, end: number): string {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return repeatedText(words, bytes, start, end);
}

describe('repeated text', () => {
  it('is what the bytes say at every length and offset, the first time and later', () => {
    const text = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const bytes = bytesOf(text);
    for (let start = 0; start < 5; start++) {
      for (let length = 0; length <= 40; length++) {
        for (let time = 0; time < 4; time++)
          expect(textIn(bytes, start, start + length)).toBe(text.slice(start, start + length));
      }
    }
  });

  it('is told from other text whose length and first, middle and last words are the same', () => {
    const texts = Array.from({ length: 26 }, (_, n) => {
      const letter = String.fromCharCode(97 + n);
      return `aaaa${letter}${letter}bbbbbb${letter}${letter}cccc`;
    });
    for (let time = 0; time < 4; time++) {
      for (const text of texts) {
        for (let twice = 0; twice < 2; twice++) expect(textIn(bytesOf(text), 0, text.length)).toBe(text);
      }
    }
  });

  it('outlives the bytes that it was made from', () => {
    const bytes = bytesOf('a name that comes again');
    const texts = [0, 1, 2].map(() => textIn(bytes, 0, bytes.length));
    bytes.fill(0x78);
    expect(texts).toEqual(Array(3).fill('a name that comes again'));
    expect(textIn(bytes, 0, bytes.length)).toBe('x'.repeat(bytes.length));
  });

  it('is right for thousands of texts that fight for the slots', () => {
    for (let n = 0; n < 20_000; n++) {
      const text = `name-${n % 700}-${n % 3}`;
      if (textIn(bytesOf(text), 0, text.length) !== text) expect.fail(text);
    }
  });
});
