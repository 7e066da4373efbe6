/**
 * The seam between a reader and a scan engine. Two engines behind it must write the same table, to the byte, for the same input,
 * however the input is split.
 */

/** How strictly frames are checked. */
export type Validation = 'full' | 'envelope' | 'none';

/** What a scanner needs to know; every value is already validated. */
export interface ScanOptions {
  /** `jsonrpc` looks for the envelope at depth 1; `none` is a plain NDJSON scanner. */
  readonly envelope: 'jsonrpc' | 'none';
  readonly validate: Validation;
  readonly utf8: 'strict' | 'replace';
  readonly duplicates: 'fault' | 'last';
  /** Longest frame in bytes. */
  readonly maxFrameBytes: number;
  /** Deepest container level; the root is 1. */
  readonly maxDepth: number;
  /** Longest string id in bytes, and most digits of an integer id. */
  readonly maxIdBytes: number;
  /** Size of the landing window in bytes. */
  readonly windowBytes: number;
  /** `false`: the slow and sure way for every frame. Only tests ask for it, to hold the fast way against it. */
  readonly shortcuts?: boolean;
}

/**
 * Scans one stream. The reader lands bytes in `window`, the scanner writes rows (see `table/row.ts`) and keeps the state of the
 * frame that is not finished yet, whatever happens to its bytes meanwhile.
 *
 * Invariant: `frameStart <= position`; the bytes from `frameStart` to `position` are scanned and belong to an unfinished frame,
 * except those that `spill` took. After `scan`, bytes from `position` on are a beginning that waits, at most a quarter of the window.
 */
export interface FrameScanner {
  /** Landing bytes; owned by the scanner so that an engine may place it in its own memory. */
  readonly window: Uint8Array;
  readonly rows: Int32Array;
  /** Rows written by the last `scan` or `finish`. */
  readonly rowCount: number;
  /** Next byte of the window to scan. */
  readonly position: number;
  /** First byte of the unfinished frame in the window; 0 while the frame began before the window. */
  readonly frameStart: number;
  /** Bytes of the unfinished frame have left the window. */
  readonly hasSpilled: boolean;
  /** Blank lines skipped so far. */
  readonly blankFrames: number;
  /** Length in bytes of the frame whose row is stored or dropped: it may be above 2^31. */
  readonly longFrameBytes: number;
  /** For a dropped frame: its preview, id and method, which are all that is left of it. */
  readonly captured: Uint8Array;

  /** Starts a new table and scans from `position` up to `end`, until the bytes or the rows run out. */
  scan(end: number): number;
  /** End of the stream: a new table with at most one row, for what is left before `end`. */
  finish(end: number): number;
  /** The unfinished frame moved down by `byteCount` bytes within the window. */
  rebase(byteCount: number): void;
  /** Everything before `position` leaves the window; remembers what a later row may need. */
  spill(): void;
}

/** A way to scan. */
export interface ScanEngine {
  readonly name: 'scalar' | 'wasm';
  createScanner(options: ScanOptions): FrameScanner;
}

/** Rows of one table: enough to amortise the callback, small enough to stay in the second-level cache (48 KiB). */
export const TABLE_ROWS = 1024;

/** A frame longer than the window keeps this many first bytes for the preview of its fault. */
export const PREVIEW_BYTES = 32;

/** A method name longer than this is reported as absent when its frame was over the limit. */
export const MAX_CAPTURED_METHOD_BYTES = 1024;

/** An id's spelling may be longer than its digits (`1.000e2`); this much more survives in a frame over the limit. */
export const ID_SPELLING_SLACK_BYTES = 64;
