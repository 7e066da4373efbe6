import { STRING_CLASS } from '../byte-classes.ts';

/** Text this long is worth a call of `plainTextEnd`; shorter text ends sooner in the caller's own loop. In bytes. */
export const LONG_TEXT_BYTES = 16;

/** For bytes that no view of words covers: `plainTextEnd` then looks at each byte. */
export const NO_WORDS: Int32Array = new Int32Array(0);

/** Every byte of a word, one value: for doing four bytes' work with one operation. */
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;

/** A view of `bytes` as words, for memory that begins on a word boundary. */
export function wordsOver(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

/**
 * First position from `from` on that is no plain string text (a quote, a backslash, a control byte or a byte above 0x7F), or `to`.
 * `words` covers the same memory as `bytes`, four bytes a word, or is `NO_WORDS`.
 *
 * Four bytes at once: subtracting sets a byte's high bit exactly when the byte was smaller, as long as no byte has it set already, and
 * one that has is no plain text anyway (bench case `frame index`, corpora of long strings).
 */
export function plainTextEnd(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  let i = from;
  while ((i & 3) !== 0 && i < to) {
    if (STRING_CLASS[bytes[i]] !== 0) return i;
    i++;
  }
  const end = Math.min(to >> 2, words.length);
  let at = i >> 2;
  for (; at < end; at++) {
    const word = words[at];
    const quote = (word ^ QUOTES) - ONES;
    const backslash = (word ^ BACKSLASHES) - ONES;
    if (((word | (word - SPACES) | quote | backslash) & HIGH_BITS) !== 0) break;
  }
  if (at << 2 > i) i = at << 2;
  while (i < to && STRING_CLASS[bytes[i]] === 0) i++;
  return i;
}
