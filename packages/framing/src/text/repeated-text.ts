import { asciiText } from './decode.ts';
import { WORD_BYTES } from './plain-text.ts';
import { SHORT_ASCII_BYTES, shortAsciiText } from './short-ascii.ts';

/** Longest text that is remembered, bytes: names of tools and members, words of a protocol. */
const MAX_BYTES = 32;

/** Slots, a power of two; 2 KiB of text in all. */
const SLOTS = 64;
const SLOT_SHIFT = 26;

const store = new DataView(new ArrayBuffer(SLOTS * MAX_BYTES));
const texts: string[] = new Array<string>(SLOTS).fill('');
/** The hash that a slot was asked for last and did not have: text is kept when it comes a second time, so that what never repeats costs no copy. */
const missed = new Int32Array(SLOTS);

/**
 * Text of an ASCII range. What repeats in traffic is made once; a slot remembers it by its bytes. `words` reads the same memory as
 * `bytes`.
 */
export function repeatedText(words: DataView, bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length > MAX_BYTES) return asciiText(bytes, start, end);
  if (length < WORD_BYTES) return shortAsciiText(bytes, start, end);
  const hash = hashOf(words, start, length);
  const slot = hash >>> SLOT_SHIFT;
  const text = texts[slot];
  if (text.length === length && isStored(slot * MAX_BYTES, words, start, length)) return text;
  const made = length <= SHORT_ASCII_BYTES ? shortAsciiText(bytes, start, end) : asciiText(bytes, start, end);
  if (missed[slot] === hash) put(slot, words, start, made);
  else missed[slot] = hash;
  return made;
}

/** Of the length and the first, middle and last words. The upper bits are the best mixed. */
function hashOf(words: DataView, start: number, length: number): number {
  const first = words.getInt32(start, true);
  const middle = words.getInt32(start + ((length - WORD_BYTES) >> 1), true);
  const last = words.getInt32(start + length - WORD_BYTES, true);
  let hash = Math.imul(first ^ length, 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15) ^ middle, 0x846ca68b);
  return Math.imul(hash ^ (hash >>> 16) ^ last, 0x2c1b3c6d);
}

function isStored(at: number, words: DataView, start: number, length: number): boolean {
  const last = length - WORD_BYTES;
  for (let i = 0; i < last; i += WORD_BYTES) {
    if (store.getInt32(at + i, true) !== words.getInt32(start + i, true)) return false;
  }
  return store.getInt32(at + last, true) === words.getInt32(start + last, true);
}

function put(slot: number, words: DataView, start: number, text: string): void {
  const at = slot * MAX_BYTES;
  for (let i = 0; i < text.length; i++) store.setUint8(at + i, words.getUint8(start + i));
  texts[slot] = text;
}
