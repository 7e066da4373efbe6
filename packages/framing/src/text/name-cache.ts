import { BACKSLASH, NON_ASCII } from '../bytes.ts';
import { asKey } from './as-key.ts';
import { asciiText, utf8Text } from './decode.ts';
import { Piece, stands } from './piece.ts';
import { WORD_BYTES } from './plain-text.ts';
import { unalignedView } from './unaligned-view.ts';

/** Slots, a power of two. Method names of one program are few, and those of the protocol have a slot each. */
const SLOTS = 256;
const SLOT_SHIFT = 24;
/** Found by trial, so that the methods of the protocol do not meet. */
const MIX = 0x63361f33;

/** Names that are made keys, which costs a microsecond: the first ones, since a peer may send ever new ones, or two that take turns in a slot. */
const MAX_KEYS = 128;

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
  #keys = 0;

  /** The decoded text of `bytes[start, end)`, the inside of a JSON string that the grammar has accepted. */
  name(bytes: Uint8Array, start: number, end: number): string {
    const length = end - start;
    if (length < MIN_CACHED_BYTES || length > MAX_CACHED_BYTES) return decodeName(bytes, start, end);
    // The bytes around it are compared too, whatever they are.
    if (start === 0 || end === bytes.length) return decodeName(bytes, start, end);
    const view = unalignedView(bytes);
    const slot = slotOf(view, start - 1, length + 2);
    const known = this.#slots[slot];
    if (
      known !== undefined &&
      known.piece.length === length + 2 &&
      stands(known.piece, view, start - 1, end + 1)
    )
      return known.text;
    const text = this.#asKey(decodeName(bytes, start, end));
    this.#slots[slot] = { piece: new Piece(view, start - 1, length + 2), text };
    return text;
  }

  #asKey(text: string): string {
    if (this.#keys === MAX_KEYS) return text;
    this.#keys++;
    return asKey(text);
  }
}

/** By the length and the first, middle and last words of a name with its quotes. The upper bits are the best mixed. @internal */
export function slotOf(view: DataView, start: number, length: number): number {
  const first = view.getInt32(start, true);
  const middle = view.getInt32(start + ((length - WORD_BYTES) >> 1), true);
  const last = view.getInt32(start + length - WORD_BYTES, true);
  return (
    Math.imul(Math.imul(first ^ (middle << 7), 0x7feb352d) ^ last ^ (middle >>> 3) ^ length, MIX) >>>
    SLOT_SHIFT
  );
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
