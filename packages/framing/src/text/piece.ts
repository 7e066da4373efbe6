const WORD_BYTES = 4;
const LONG_BYTES = 8;
const NO_WORDS: Float64Array = new Float64Array(0);

/**
 * Bytes that are known by heart: compared by their first four and last four, and between them eight at a time. The words overlap so that no
 * byte is left over.
 *
 * The long words are compared as doubles, which are equal exactly when their bits are, but for NaNs (never equal, so never a match) and the
 * two zeros (of zero bytes, which no JSON text has).
 */
export class Piece {
  /** In bytes, at least 4. */
  readonly length: number;
  readonly head: number;
  readonly middle: Float64Array;
  readonly tail: number;
  /** Where the last of `middle` begins. */
  readonly lastAt: number;

  /** A copy of `length` bytes, at least 4, of `view` from `start` on. */
  constructor(view: DataView, start: number, length: number) {
    this.length = length;
    this.head = view.getInt32(start, true);
    this.tail = view.getInt32(start + length - WORD_BYTES, true);
    const words = Math.max(0, Math.ceil((length - LONG_BYTES) / LONG_BYTES));
    this.middle = words === 0 ? NO_WORDS : new Float64Array(words);
    this.lastAt = Math.min(WORD_BYTES + (words - 1) * LONG_BYTES, length - LONG_BYTES);
    for (let i = 0; i < words; i++) {
      const from = i === words - 1 ? this.lastAt : WORD_BYTES + i * LONG_BYTES;
      this.middle[i] = view.getFloat64(start + from, true);
    }
  }
}

/** The piece stands at `at`. It must end before `limit`, up to which `view` can be read. */
export function stands(piece: Piece, view: DataView, at: number, limit: number): boolean {
  const { length, middle } = piece;
  const tailAt = at + length - WORD_BYTES;
  if (tailAt >= limit || view.getInt32(at, true) !== piece.head || view.getInt32(tailAt, true) !== piece.tail)
    return false;
  const last = middle.length - 1;
  if (last < 0) return true;
  for (let i = 0; i < last; i++) {
    if (view.getFloat64(at + WORD_BYTES + i * LONG_BYTES, true) !== middle[i]) return false;
  }
  return view.getFloat64(at + piece.lastAt, true) === middle[last];
}
