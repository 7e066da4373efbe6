import { expect, it } from 'vitest';
import { SHORT_ASCII_BYTES, shortAsciiText } from '../../src/text/short-ascii.ts';
import { bytesOf } from '../support/events.ts';

it('every length of short text is what the bytes say, wherever it stands', () => {
  const text = 'abcdefghijklmnopqrstuvwxyz';
  const bytes = bytesOf(text);
  for (let start = 0; start < 3; start++) {
    for (let length = 0; length <= SHORT_ASCII_BYTES; length++)
      expect(shortAsciiText(bytes, start, start + length)).toBe(text.slice(start, start + length));
  }
});
