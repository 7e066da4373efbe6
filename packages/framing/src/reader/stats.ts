import type { DecodingStats } from '../json/shapes/decoding-stats.ts';
import { CODE_TOO_LARGE, KIND_FAULT, KIND_INVALID } from '../table/meta.ts';
import { CODE_MASK, CODE_SHIFT, END, FLAG_DROPPED, KIND_MASK, META, ROW_WORDS, START } from '../table/row.ts';

/** Counters of a reader since its start. */
export interface FrameReaderStats {
  /** Bytes that came, scanned or not yet. */
  readonly bytes: number;
  /** Frames of every kind but blank. */
  readonly frames: number;
  /** Frames of kind `fault`. */
  readonly faults: number;
  /** Frames of kind `invalid`. */
  readonly invalid: number;
  /** Lines of white space only, skipped. */
  readonly blankFrames: number;
  /** Callbacks. */
  readonly batches: number;
  /** Most of the landing window that this reader uses, in bytes. */
  readonly windowBytes: number;
  /** Memory held now for a frame that outgrew the window, in bytes. */
  readonly storedBytes: number;
  /** The most that was ever held. */
  readonly peakStoredBytes: number;
  /** Bytes of the frames over the limit that were dropped. */
  readonly droppedBytes: number;
  /** Frames that one engine handed to another: always 0. */
  readonly fallbackFrames: number;
  /** How payloads and whole frames were decoded, under `numbers: 'double'`. */
  readonly decoding: DecodingStats;
}

/** The counters that the reader itself keeps. */
export type MutableStats = {
  -readonly [Key in
    | 'bytes'
    | 'frames'
    | 'faults'
    | 'invalid'
    | 'batches'
    | 'droppedBytes']: FrameReaderStats[Key];
};

export function emptyStats(): MutableStats {
  return { bytes: 0, frames: 0, faults: 0, invalid: 0, batches: 0, droppedBytes: 0 };
}

/** Counts a fresh table. */
export function countRows(stats: MutableStats, rows: Int32Array, count: number): void {
  stats.frames += count;
  for (let row = META; row < count * ROW_WORDS; row += ROW_WORDS) {
    const kind = rows[row] & KIND_MASK;
    if (kind === KIND_FAULT) countFault(stats, rows, row - META);
    else if (kind === KIND_INVALID) stats.invalid++;
  }
}

function countFault(stats: MutableStats, rows: Int32Array, row: number): void {
  stats.faults++;
  // A frame that left the window is counted by its true length, which may be beyond 32 bits.
  const isWhole = (rows[row + META] & FLAG_DROPPED) === 0;
  const isTooLarge = ((rows[row + META] >> CODE_SHIFT) & CODE_MASK) === CODE_TOO_LARGE;
  if (isTooLarge && isWhole) stats.droppedBytes += rows[row + END] - rows[row + START];
}
