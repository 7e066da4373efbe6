import { asciiText } from './decode.ts';

/** Bytes that become text at a time. */
const STRETCH_BYTES = 4096;
/** Longest text that engines copy when it is cut out of another; longer ones keep the whole of it alive. */
export const MAX_CUT_CHARACTERS = 12;

let source: Uint8Array | undefined;
let sourceEnd = 0;
let text = '';
let textStart = 0;
let textEnd = 0;

/**
 * The bytes up to `end` are new: what was made of the memory before is forgotten. Until the next call they must stay as they are.
 */
export function beginText(bytes: Uint8Array, end: number): void {
  source = bytes;
  sourceEnd = end;
  textEnd = 0;
}

/**
 * Text of an ASCII range, cut out of the text of some thousand bytes around it, which is made once: 8 to 14 ns instead of 50. To be kept
 * only up to `MAX_CUT_CHARACTERS`; longer ones are for reading on the spot.
 */
export function cutText(bytes: Uint8Array, start: number, end: number): string {
  if (end > textEnd || start < textStart || bytes !== source) {
    if (bytes !== source || end > sourceEnd) return asciiText(bytes, start, end);
    textStart = start;
    textEnd = Math.max(end, Math.min(sourceEnd, start + STRETCH_BYTES));
    text = asciiText(bytes, textStart, textEnd);
    // Where the runtime has no text of a character a byte, bytes that are not ASCII shift what follows them.
    if (text.length !== textEnd - textStart) {
      source = undefined;
      return asciiText(bytes, start, end);
    }
  }
  return text.slice(start - textStart, end - textStart);
}
