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

/** How many bytes more a range of UTF-8 takes as the inside of a JSON string: 0 when it holds nothing that must be escaped. */
export function countEscapes(view: DataView, bytes: Uint8Array, from: number, to: number): number {
  let extra = 0;
  let i = from;
  for (; i + 2 * WORD <= to; i += 2 * WORD) {
    const first = view.getInt32(i, true);
    const second = view.getInt32(i + WORD, true);
    if (((oddBytes(first) & ~first) | (oddBytes(second) & ~second)) & HIGH_BITS)
      extra += countBytes(bytes, i, i + 2 * WORD);
  }
  return i < to ? extra + countBytes(bytes, i, to) : extra;
}

function countBytes(bytes: Uint8Array, from: number, to: number): number {
  let extra = 0;
  for (let i = from; i < to; i++) {
    const letter = escapeOf(bytes[i]);
    if (letter !== 0) extra += letter === LOWER_U ? LONG_EXTRA : 1;
  }
  return extra;
}

/** Makes the range the inside of a JSON string, `extra` bytes longer, as `countEscapes` has counted them. From the end to the first escape. */
export function escapeInPlace(
  view: DataView,
  bytes: Uint8Array,
  from: number,
  to: number,
  extra: number,
): void {
  let read = to;
  let write = to + extra;
  while (write > read) {
    if (read - from >= WORD) {
      const word = view.getInt32(read - WORD, true);
      if ((oddBytes(word) & ~word & HIGH_BITS) === 0) {
        read -= WORD;
        write -= WORD;
        view.setInt32(write, word, true);
        continue;
      }
    }
    const byte = bytes[--read];
    const letter = escapeOf(byte);
    if (letter === 0) {
      bytes[--write] = byte;
      continue;
    }
    if (letter === LOWER_U) {
      bytes[--write] = hexDigit(byte & 0xf);
      bytes[--write] = hexDigit(byte >> 4);
      bytes[--write] = DIGIT_0;
      bytes[--write] = DIGIT_0;
    }
    bytes[--write] = letter;
    bytes[--write] = BACKSLASH;
  }
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
