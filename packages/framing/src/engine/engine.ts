import type { Leap } from '../json/lazy/lazy-source.ts';
import { MAX_WAIT_BYTES } from './sizes.ts';

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

/** How much an area must have room for. */
export interface AreaSize {
  readonly windowBytes: number;
  readonly maxDepth: number;
  readonly maxIdBytes: number;
}

/**
 * Memory that readers work in by turns: bytes land in the window, the scanner writes rows into the table. No bytes of a stream
 * stay in an area between two calls of its reader. An engine makes its areas itself, since they may lie in memory of a special kind.
 */
export interface ScanArea {
  /** As long as the area was opened for. */
  readonly window: Uint8Array;
  /** Room for `TABLE_ROWS` rows. */
  readonly rows: Int32Array;
  /** Passes over a container in the window, in a frame that was scanned; positions count from its first byte. Undefined: nothing faster is here. */
  readonly leap: Leap | undefined;
  /** A reader is at work here, from the beginning of a call to its end, callbacks included. Set by that reader. */
  busy: boolean;
}

/**
 * Scans one stream, wherever its bytes land: it writes rows (see `table/row.ts`) and keeps the state of the frame that is not finished
 * yet, between calls and from area to area.
 *
 * Invariant: `frameStart <= position`; the bytes from `frameStart` to `position` are scanned and belong to an unfinished frame.
 */
export interface FrameScanner {
  /** Rows written by the last `scan` or `finish`. */
  readonly rowCount: number;
  /** Next byte of the window to scan. */
  readonly position: number;
  /** First byte of the unfinished frame in the window; where this call's bytes began while the frame began in an earlier call. */
  readonly frameStart: number;
  /** Bytes of the unfinished frame have left the window. */
  readonly hasSpilled: boolean;
  /** Blank lines skipped so far. */
  readonly blankFrames: number;
  /** Length in bytes of the frame whose row is stored or dropped: it may be above 2^31. */
  readonly longFrameBytes: number;
  /** For a dropped frame: its preview, id and method, which are all that is left of it. Valid until the next call of this scanner. */
  readonly captured: Uint8Array;

  /** The stream goes on at `at` in the window of `area`, which is this engine's. Only when nothing scanned is left in an area: see `spill`. */
  enter(area: ScanArea, at: number): void;
  /**
   * Starts a new table and scans from `position` up to `end`, until the bytes or the rows run out. What is then left from `position`
   * on, unless the rows ran out, is a beginning that waits for its newline: at most `waitBytes(windowBytes)`.
   */
  scan(end: number): number;
  /** End of the stream, after a `scan` to the same `end`: a new table with at most one row, for what is left. */
  finish(end: number): number;
  /** The bytes from `frameStart` to `position` leave the window, their frame unfinished; remembers what a later row may need. `enter` comes next. */
  spill(): void;
  /** The stream is over: lets go of every area. The counters stay. */
  close(): void;
}

/** A way to scan. */
export interface ScanEngine {
  readonly name: 'scalar' | 'wasm';
  /** Fresh memory. @throws FramingError `ENGINE_UNAVAILABLE`, or RangeError, when there is not enough of it */
  openArea(size: AreaSize): ScanArea;
  createScanner(options: ScanOptions): FrameScanner;
}

/** The beginning of a frame up to this length waits for the rest of it; a longer one is scanned as it comes, for the sake of latency. */
export function waitBytes(windowBytes: number): number {
  return Math.min(MAX_WAIT_BYTES, windowBytes >> 2);
}
