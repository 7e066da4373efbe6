import {
  BACKSLASH,
  DIGIT_0,
  LOWER_A,
  LOWER_B,
  LOWER_F,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  LOWER_U,
  QUOTE,
  SPACE,
} from '../../bytes.ts';

const ONES = 0x01010101;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
/** 0x80808080, as the bit operators see it. */
const HIGH_BITS = -0x7f7f7f80;
const WORD = 4;

/** What follows the backslash for each byte up to the backslash that has a short escape; `u` for the other control bytes, 0 for plain ones. */
const SHORT_ESCAPES = shortEscapes();
/** Bytes that the escape of a control byte without a short form has more than the byte. */
const LONG_EXTRA = 5;

/** Where `countEscapes` found bytes to escape, and how many. More of them are left to the runtime. */
const MAX_NOTED = 1024;
/** There are more escapes than can be noted. */
export const TOO_MANY = -1;
const noted = new Int32Array(MAX_NOTED);
let found = 0;

/** How many bytes more a range of UTF-8 takes as the inside of a JSON string: 0 when it holds nothing that must be escaped, or `TOO_MANY`. */
export function countEscapes(view: DataView, bytes: Uint8Array, from: number, to: number): number {
  found = 0;
  let extra = 0;
  let i = from;
  for (; i + 2 * WORD <= to; i += 2 * WORD) {
    const first = view.getInt32(i, true);
    const second = view.getInt32(i + WORD, true);
    if (((oddBytes(first) & ~first) | (oddBytes(second) & ~second)) & HIGH_BITS) {
      extra += countBytes(bytes, i, i + 2 * WORD);
      if (found > MAX_NOTED - 2 * WORD) return TOO_MANY;
    }
  }
  return i < to ? extra + countBytes(bytes, i, to) : extra;
}

function countBytes(bytes: Uint8Array, from: number, to: number): number {
  let extra = 0;
  for (let i = from; i < to; i++) {
    const letter = escapeOf(bytes[i]);
    if (letter === 0) continue;
    extra += letter === LOWER_U ? LONG_EXTRA : 1;
    noted[found++] = i;
  }
  return extra;
}

/** Makes the range that `countEscapes` has just counted the inside of a JSON string, `extra` bytes longer. From its end to its first escape. */
export function escapeInPlace(view: DataView, bytes: Uint8Array, to: number, extra: number): void {
  let read = to;
  let write = to + extra;
  for (let k = found - 1; k >= 0; k--) {
    const odd = noted[k];
    // Two words at once: well-formed UTF-8 never reads as a NaN, which could lose bits.
    while (read - odd > 2 * WORD) {
      read -= 2 * WORD;
      write -= 2 * WORD;
      view.setFloat64(write, view.getFloat64(read, true), true);
    }
    while (read > odd + 1) bytes[--write] = bytes[--read];
    read = odd;
    write = writeEscape(bytes, write, bytes[odd]);
  }
}

/** Writes the escape of a byte that ends before `end`; gives where it begins. */
function writeEscape(bytes: Uint8Array, end: number, byte: number): number {
  const letter = escapeOf(byte);
  if (letter !== LOWER_U) {
    bytes[end - 1] = letter;
    bytes[end - 2] = BACKSLASH;
    return end - 2;
  }
  bytes[end - 1] = hexDigit(byte & 0xf);
  bytes[end - 2] = hexDigit(byte >> 4);
  bytes[end - 3] = DIGIT_0;
  bytes[end - 4] = DIGIT_0;
  bytes[end - 5] = LOWER_U;
  bytes[end - 6] = BACKSLASH;
  return end - 6;
}

/** The high bit of some byte below 0x80 is set when one of the word's bytes must be escaped. The bits of bytes from 0x80 on mean nothing. */
function oddBytes(word: number): number {
  return (word - SPACES) | ((word ^ QUOTES) - ONES) | ((word ^ BACKSLASHES) - ONES);
}

function escapeOf(byte: number): number {
  return byte <= BACKSLASH ? SHORT_ESCAPES[byte] : 0;
}

function shortEscapes(): Uint8Array {
  const table = new Uint8Array(BACKSLASH + 1);
  table.fill(LOWER_U, 0, SPACE);
  table.set([LOWER_B, LOWER_T, LOWER_N], 8);
  table.set([LOWER_F, LOWER_R], 12);
  table[QUOTE] = QUOTE;
  table[BACKSLASH] = BACKSLASH;
  return table;
}

function hexDigit(value: number): number {
  return value < 10 ? DIGIT_0 + value : LOWER_A + value - 10;
}
