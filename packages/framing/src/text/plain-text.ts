// Constants first, and no imports: only then does the bundler write them as literals into the loops that use them (worth a tenth of
// the frame index).

export const WORD_BYTES = 4;

/** Text this long is worth a call of `plainTextEnd`; shorter text ends sooner in the caller's own loop. In bytes, whole words. */
export const LONG_TEXT_BYTES = 16;

/** Every byte of a word, one value; the first byte is the lowest. */
const TWOS = 0x02020202;
const SPACES = 0x20202020;
const ABOVE_SPACES = 0x21212121;
const BACKSLASHES = 0x5c5c5c5c;
const ONES = 0x01010101;
/** 0x80808080, as the bit operators see it. */
const HIGH_BITS = -0x7f7f7f80;
/** Fills a word that one byte is looked at in. */
const UPPER_SPACES = 0x20202000;

/** For bytes that no view of words covers: `plainTextEnd` then looks at each byte. */
export const NO_WORDS: Int32Array = new Int32Array(0);

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** A view of `bytes` as words, for memory that begins on a word boundary. None where a word's first byte is not its lowest. */
export function wordsOver(bytes: Uint8Array): Int32Array {
  return isLittleEndian ? new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) : NO_WORDS;
}

/**
 * The high bit of every byte of a word that is no plain string text: a quote, a backslash, a control byte or a byte above 0x7F. Exact
 * for the lowest such byte; the borrow may mark a plain one above it. So 0 means that all four are plain.
 *
 * Subtracting sets a byte's high bit when the byte was smaller, and flipping bit 1 moves the quote to where the space is, next to the
 * control bytes (bench case `frame index`, corpora of long strings).
 */
export function oddBytes(word: number): number {
  return (word | ((word ^ TWOS) - ABOVE_SPACES) | ((word ^ BACKSLASHES) - ONES)) & HIGH_BITS;
}

/** As `oddBytes`, but for text that is passed over: bytes above 0x7F are plain, too. Nothing below them borrows, so it is as exact. */
export function stopBytes(word: number): number {
  return (((word ^ TWOS) - ABOVE_SPACES) | ((word ^ BACKSLASHES) - ONES)) & ~word & HIGH_BITS;
}

/** Which byte of its word, 0 to 3, is the first that `oddBytes` or `stopBytes` marked. */
export function firstOdd(odd: number): number {
  return (31 - Math.clz32(odd & -odd)) >> 3;
}

/** As `plainTextEnd`, for text that is mostly short, wherever a newline follows: it ends there at the latest. */
export function shortTextEnd(view: DataView, from: number): number {
  let i = from;
  let odd = oddBytes(view.getInt32(i, true));
  while (odd === 0) {
    i += WORD_BYTES;
    odd = oddBytes(view.getInt32(i, true));
  }
  return i + firstOdd(odd);
}

/**
 * First position from `from` on that is no plain string text, or `to`. `words` covers the same memory as `bytes`, four bytes a word,
 * or is `NO_WORDS`. Four words a turn: the loop's own cost was a third of it.
 */
export function plainTextEnd(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  const end = Math.min(to >> 2, words.length);
  let at = from >> 2;
  let i = from;
  if (at < end) {
    // What stands before `from` in the first word counts as plain.
    const kept = -1 << ((from & 3) << 3);
    let odd = oddBytes((words[at] & kept) | (SPACES & ~kept));
    if (odd !== 0) return (at << 2) + firstOdd(odd);
    at++;
    for (; at + 4 <= end; at += 4) {
      odd = oddBytes(words[at]);
      if (odd !== 0) return (at << 2) + firstOdd(odd);
      odd = oddBytes(words[at + 1]);
      if (odd !== 0) return (at << 2) + 4 + firstOdd(odd);
      odd = oddBytes(words[at + 2]);
      if (odd !== 0) return (at << 2) + 8 + firstOdd(odd);
      odd = oddBytes(words[at + 3]);
      if (odd !== 0) return (at << 2) + 12 + firstOdd(odd);
    }
    for (; at < end; at++) {
      odd = oddBytes(words[at]);
      if (odd !== 0) return (at << 2) + firstOdd(odd);
    }
    i = at << 2;
  }
  while (i < to && oddBytes(bytes[i] | UPPER_SPACES) === 0) i++;
  return i;
}
