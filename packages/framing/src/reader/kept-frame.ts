import { FrameBatch } from './batch.ts';
import { type BatchSource, releaseRows } from './batch-source.ts';

/** Bytes of memory that a kept frame takes beside its own: its row, and some 450 for the objects that make it a batch again (measured on V8). */
export const keptFrameOverheadBytes = 512;

/**
 * One frame that outlives its batch: its row and an exact copy of its bytes, in one piece of memory. It is read again as what it was, without
 * a second scan: same kind, same position in the stream, and the decoder slots of the reader it came from.
 */
export class KeptFrame {
  readonly #source: BatchSource;

  /** Frames are kept by `keepFrame`. @internal */
  constructor(source: BatchSource) {
    this.#source = source;
  }

  /** Bytes of memory for the frame and its row: the frame's length, newline not included, and `keptFrameOverheadBytes`. */
  get heldBytes(): number {
    return this.#source.window.length + keptFrameOverheadBytes;
  }

  /**
   * Calls `receive` with a batch of this frame alone, legal until it returns. May be called again, inside any callback too.
   *
   * @returns and throws what `receive` does
   */
  deliver<Result>(receive: (batch: FrameBatch) => Result): Result {
    const batch = new FrameBatch(this.#source, 0, 1);
    try {
      return receive(batch);
    } finally {
      batch.release();
    }
  }

  /** It is not needed any more: under `LINEWIRE_POISON` its bytes are overwritten, otherwise nothing happens. */
  drop(): void {
    releaseRows(this.#source, 0, 1);
  }
}

/**
 * Copies a frame, to be delivered later.
 *
 * @throws FramingError the frame's own code when it is a fault: its bytes may be gone
 */
export function keepFrame(batch: FrameBatch, index: number): KeptFrame {
  return new KeptFrame(batch.copyOf(index));
}
