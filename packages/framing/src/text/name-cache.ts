import { BACKSLASH, NON_ASCII } from '../bytes.ts';
import { asciiText, utf8Text } from './decode.ts';

/** Slots, a power of two. Method names of one program are few. */
const SLOTS = 64;

/** Longer names are decoded each time. */
const MAX_CACHED_BYTES = 64;

/**
 * Decodes method names, the same few again and again, without making a string each time: a slot remembers the bytes of one name
 * and its text. Collisions just decode.
 */
export class NameCache {
  readonly #bytes: (Uint8Array | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #names: string[] = new Array(SLOTS).fill('');

  /** The decoded text of `bytes[start, end)`, the inside of a JSON string that the grammar has accepted. */
  name(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length === 0 || length > MAX_CACHED_BYTES) return decodeName(bytes, start, end);
    const slot =
      (length * 31 + bytes[start] * 7 + bytes[end - 1] + bytes[start + (length >> 1)] * 3) & (SLOTS - 1);
    const known = this.#bytes[slot];
    if (known !== undefined && isSame(known, bytes, start, length)) return this.#names[slot];
    const name = decodeName(bytes, start, end);
    this.#bytes[slot] = new Uint8Array(bytes.subarray(start, end));
    this.#names[slot] = name;
    return name;
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (known[i] !== bytes[start + i]) return false;
  }
  return true;
}

function decodeName(bytes: Uint8Array, start: number, end: number): string {
  let plain = true;
  let ascii = true;
  for (let i = start; i < end; i++) {
    if (bytes[i] === BACKSLASH) plain = false;
    if (bytes[i] >= NON_ASCII) ascii = false;
  }
  const text = ascii ? asciiText(bytes, start, end) : utf8Text(bytes, start, end);
  return plain ? text : JSON.parse(`"${text}"`);
}
