const WORD_BYTES = 4;
const NO_WORDS: Int32Array = new Int32Array(0);

/**
 * Bytes that are known by heart and compared four at a time: the first four, the last four, and between them as many words as fit. The
 * last word may overlap the one before, so that no byte is left over.
 */
export class Piece {
  /** In bytes, at least 4. */
  readonly length: number;
  readonly head: number;
  readonly middle: Int32Array;
  readonly tail: number;

  /** A copy of `length` bytes, at least 4, of `view` from `start` on. */
  constructor(view: DataView, start: number, length: number) {
    this.length = length;
    this.head = view.getInt32(start, true);
    this.tail = view.getInt32(start + length - WORD_BYTES, true);
    const words = Math.max(0, Math.ceil(length / WORD_BYTES) - 2);
    this.middle = words === 0 ? NO_WORDS : new Int32Array(words);
    for (let i = 0; i < words; i++) this.middle[i] = view.getInt32(start + (i + 1) * WORD_BYTES, true);
  }
}

/** The piece stands at `at`. It must end before `limit`, up to which `view` can be read. */
export function stands(piece: Piece, view: DataView, at: number, limit: number): boolean {
  const tailAt = at + piece.length - WORD_BYTES;
  if (tailAt >= limit || view.getInt32(at, true) !== piece.head || view.getInt32(tailAt, true) !== piece.tail)
    return false;
  const { middle } = piece;
  for (let i = 0; i < middle.length; i++) {
    if (view.getInt32(at + WORD_BYTES + i * WORD_BYTES, true) !== middle[i]) return false;
  }
  return true;
}
