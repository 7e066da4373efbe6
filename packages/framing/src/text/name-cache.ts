import { BACKSLASH, NON_ASCII } from '../bytes.ts';
import { asKey } from './as-key.ts';
import { asciiText, utf8Text } from './decode.ts';
import { Piece, stands } from './piece.ts';
import { unalignedView } from './unaligned-view.ts';

/** Slots, a power of two. Method names of one program are few. */
const SLOTS = 64;

/** Longer names are decoded each time, and so are shorter ones, which with the quotes around them fill no word. */
const MAX_CACHED_BYTES = 64;
const MIN_CACHED_BYTES = 2;

/** A name that came before; the piece is its bytes and one more on each side, the quotes. */
interface KnownName {
  readonly piece: Piece;
  readonly text: string;
}

/**
 * Decodes method names, the same few again and again, without making a string each time: a slot remembers the bytes of one name
 * and its text. Collisions just decode.
 */
export class NameCache {
  readonly #slots: (KnownName | undefined)[] = new Array(SLOTS).fill(undefined);

  /** The decoded text of `bytes[start, end)`, the inside of a JSON string that the grammar has accepted. */
  name(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length < MIN_CACHED_BYTES || length > MAX_CACHED_BYTES) return decodeName(bytes, start, end);
    // The bytes around it are compared too, whatever they are.
    if (start === 0 || end === bytes.length) return decodeName(bytes, start, end);
    const view = unalignedView(bytes);
    const slot =
      (length * 31 + bytes[start] * 7 + bytes[end - 1] + bytes[start + (length >> 1)] * 3) & (SLOTS - 1);
    const known = this.#slots[slot];
    if (
      known !== undefined &&
      known.piece.length === length + 2 &&
      stands(known.piece, view, start - 1, end + 1)
    )
      return known.text;
    const text = asKey(decodeName(bytes, start, end));
    this.#slots[slot] = { piece: new Piece(view, start - 1, length + 2), text };
    return text;
  }
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
