import type { ScanOptions } from '../engine/engine.ts';
import { selectEngine } from '../engine-choice.ts';
import { FramingError } from '../errors.ts';
import { Backlog } from './backlog.ts';
import { FrameBatch } from './batch.ts';
import { type BatchSource, releaseRows } from './batch-source.ts';
import { Landing } from './landing.ts';
import { type FrameReaderOptions, scanOptions } from './options.ts';
import { countRows, emptyStats, type FrameReaderStats, type MutableStats } from './stats.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * Most bytes that wait behind blocked frames are scanned at once: about what one table holds of common frames. When delivery stops in
 * between, the rest of them is copied to the window again.
 */
const BACKLOG_PIECE_BYTES = 32 * 1024;

/** Starts reading a stream of frames. @throws FramingError `OPTION_RANGE`, `OPTION_INVALID`, `ENGINE_UNAVAILABLE` */
export function createFrameReader(options: FrameReaderOptions): FrameReader {
  return new FrameReader(options);
}

/**
 * Turns bytes into frames: feed it with `push`, or with `reserve` and `commit` to save the copy, then `end`.
 *
 * The same input gives the same frames however it is split. Work is linear in bytes. Memory is at most `maxFrameBytes` +
 * `windowBytes`, plus what is pushed after `push` said false, plus the window that the readers of a thread share. Callbacks run
 * synchronously inside these calls; another reader may be fed inside them.
 */
export class FrameReader {
  readonly #options: ScanOptions;
  readonly #handlers: FrameReaderOptions;
  readonly #landing: Landing;
  readonly #stats: MutableStats = emptyStats();
  /** Bytes that came while frames could not be delivered. Not empty only while they cannot. */
  readonly #backlog = new Backlog();

  /** The rows that are not consumed: from `#head` to `#tail` of the table in `#source`. */
  #source: BatchSource;
  #head = 0;
  #tail = 0;
  #paused = false;
  /** The last callback did not take all it was given: it is not asked again before the next call. */
  #held = false;
  #inCallback = false;
  #closed = false;
  #ending = false;
  #ended = false;
  /** Bytes that the view has which `reserve` returned last. */
  #reservedBytes = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = scanOptions(options);
    this.#handlers = options;
    this.#landing = new Landing(selectEngine(options.engine), this.#options);
    this.#source = this.#landing.source;
  }

  /** No frames are delivered until `resume`. */
  get paused(): boolean {
    return this.#paused;
  }

  /**
   * Takes a chunk of any size; its bytes are copied, so the chunk may be reused at once.
   *
   * @returns false when frames are paused or held: stop feeding until `resume`, or the chunks pile up
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`; RangeError, with nothing taken, when
   *   there is no memory for a window
   */
  push(chunk: Uint8Array): boolean {
    this.#assertFeedable('push');
    if (chunk.length === 0) return !this.#isBlocked;
    if (!this.#isBlocked && this.#landing.keepsAside(chunk)) {
      this.#stats.bytes += chunk.length;
      return true;
    }
    try {
      this.#feed(chunk);
    } finally {
      this.#landing.release();
    }
    return !this.#isBlocked;
  }

  /**
   * A place to read into: part of the landing window, which the readers of a thread share. Fill it and `commit` without using another
   * reader in between, or let the system do so (`onread` fills the view when the bytes have come). What other readers do before it is
   * filled does no harm. Nearly always the same view, as long as any read can need; shorter while frames are paused or held, and empty
   * when as many bytes wait as the window has.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`; RangeError when there is no memory for
   *   a window
   */
  reserve(): Uint8Array {
    this.#assertFeedable('reserve');
    const free = this.#isBlocked ? this.#freeBytes : this.#landing.room;
    this.#reservedBytes = Math.max(0, Math.min(free, this.#landing.room));
    if (this.#reservedBytes === 0) return NO_BYTES;
    const view = this.#landing.reserve();
    return this.#reservedBytes === view.length ? view : view.subarray(0, this.#reservedBytes);
  }

  /**
   * Says that `byteCount` bytes have landed at the start of what `reserve` returned. Each view is committed once.
   *
   * @returns like `push`
   * @throws FramingError `REENTRANT` inside the callback, or inside that of another reader which is at work in the same window;
   *   `READER_CLOSED`; `OPTION_RANGE` when more than the reserved bytes are named
   */
  commit(byteCount: number): boolean {
    this.#assertFeedable('commit');
    if (!Number.isInteger(byteCount) || byteCount < 0 || byteCount > this.#reservedBytes) {
      throw new FramingError(
        'OPTION_RANGE',
        `commit takes an integer from 0 to ${this.#reservedBytes} reserved bytes, not ${String(byteCount)}`,
      );
    }
    if (byteCount > 0 && this.#landing.isReservedBusy) {
      throw new FramingError(
        'REENTRANT',
        'commit() was called inside onFrames of another reader, which is at work in the same window: reserve() again there, then read',
      );
    }
    this.#reservedBytes = 0;
    this.#stats.bytes += byteCount;
    if (this.#isBlocked || byteCount === 0 || !this.#landing.keepsLanded(byteCount)) {
      try {
        this.#feedLanded(byteCount);
      } finally {
        this.#landing.release();
      }
    }
    return !this.#isBlocked;
  }

  /**
   * The stream has ended. A whole object without a newline is delivered, any other rest is a `FRAME_TRUNCATED` fault.
   * While paused, that comes after `resume`.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  end(): void {
    this.#assertFeedable('end');
    this.#ending = true;
    this.#goOn();
  }

  /** Stops delivering. Inside the callback it takes effect when the callback returns. */
  pause(): void {
    this.#paused = true;
  }

  /** Delivers what was held, then goes on. */
  resume(): void {
    this.#paused = false;
    this.#held = false;
    if (!this.#inCallback) this.#goOn();
  }

  /** Drops everything; nothing is delivered any more. Legal at any time, also inside the callback. */
  close(): void {
    this.#closed = true;
    this.#backlog.clear();
    if (!this.#inCallback) this.#landing.close();
  }

  /** Counters since the start. A copy. */
  stats(): FrameReaderStats {
    const { blankFrames, storedBytes, peakStoredBytes, droppedBytes } = this.#landing;
    const { windowBytes } = this.#options;
    return {
      ...this.#stats,
      blankFrames,
      windowBytes,
      storedBytes,
      peakStoredBytes,
      droppedBytes: this.#stats.droppedBytes + droppedBytes,
      fallbackFrames: 0,
    };
  }

  /** Frames wait that may not be delivered, or not yet: whatever comes now must wait behind them. */
  get #isBlocked(): boolean {
    return this.#paused || this.#head < this.#tail;
  }

  /** No callback may be called now. */
  get #isStopped(): boolean {
    return this.#closed || this.#paused || this.#held;
  }

  /** How much more may wait while frames are blocked. */
  get #freeBytes(): number {
    return this.#options.windowBytes - this.#landing.keptBytes - this.#backlog.length;
  }

  #assertFeedable(call: string): void {
    if (this.#inCallback) {
      throw new FramingError(
        'REENTRANT',
        `${call}() was called inside onFrames or onError: feed the reader after the callback has returned`,
      );
    }
    if (this.#closed || this.#ending)
      throw new FramingError('READER_CLOSED', `${call}() was called after close() or end()`);
  }

  /** Takes a chunk by turns, and keeps a copy of what must wait. */
  #feed(chunk: Uint8Array): void {
    const { room } = this.#landing;
    // Nothing of the chunk is taken when there is no memory for an area.
    if (this.#advance()) this.#landing.open();
    this.#stats.bytes += chunk.length;
    let offset = 0;
    while (offset < chunk.length && !this.#isBlocked && !this.#closed) {
      const end = Math.min(offset + room, chunk.length);
      this.#landing.enterWith(end - offset === chunk.length ? chunk : chunk.subarray(offset, end));
      offset = end - this.#takeTurn();
    }
    if (offset < chunk.length && !this.#closed) this.#backlog.append(chunk, offset, chunk.length);
  }

  #feedLanded(byteCount: number): void {
    if (this.#isBlocked || byteCount === 0) {
      // What waits needs the window before these bytes do.
      this.#backlog.append(this.#landing.reservedView, 0, byteCount);
      this.#advance();
      return;
    }
    this.#landing.enterLanded(byteCount);
    const left = this.#takeTurn();
    if (left > 0) this.#backlog.append(this.#landing.lastBytes(left), 0, left);
  }

  /** Delivers what waits, outside of a feeding call. */
  #goOn(): void {
    try {
      this.#advance();
    } finally {
      this.#landing.release();
    }
  }

  /** Offers what is held, then what came behind it, then the end. True: nothing waits any more. */
  #advance(): boolean {
    this.#held = false;
    while (!this.#isStopped) {
      if (this.#head < this.#tail) this.#deliver();
      else if (this.#backlog.length > 0) this.#feedBacklog();
      else if (this.#ending && !this.#ended) this.#finish();
      else return true;
    }
    return false;
  }

  #feedBacklog(): void {
    const part = this.#backlog.peek(Math.min(this.#landing.room, BACKLOG_PIECE_BYTES));
    const { length } = part;
    this.#landing.enterWith(part);
    const left = this.#takeTurn();
    if (!this.#closed) this.#backlog.drop(length - left);
  }

  #finish(): void {
    this.#landing.enterWith(NO_BYTES);
    this.#ended = true;
    if (this.#takeRows(this.#landing.finish())) this.#deliver();
    this.#leave();
  }

  /** Scans and delivers what has landed. Returns how many bytes at its end are left to be scanned, because delivery has stopped. */
  #takeTurn(): number {
    do {
      if (!this.#takeRows(this.#landing.scan())) break;
      this.#deliver();
    } while (!this.#isStopped);
    return this.#leave();
  }

  #leave(): number {
    if (this.#closed) return 0;
    const left = this.#landing.leave(this.#head, this.#tail);
    if (this.#head < this.#tail) {
      this.#tail -= this.#head;
      this.#head = 0;
      this.#source = this.#landing.held.source;
    }
    return left;
  }

  /** Makes the rows of a fresh table the ones to deliver. False: there are none. */
  #takeRows(count: number): boolean {
    this.#head = 0;
    this.#tail = count;
    if (count > 0) countRows(this.#stats, this.#source.rows, count);
    return count > 0;
  }

  #deliver(): void {
    const count = this.#tail - this.#head;
    const batch = new FrameBatch(this.#source, this.#head, count);
    let consumed: number;
    this.#inCallback = true;
    this.#stats.batches++;
    try {
      const returned = this.#handlers.onFrames(batch);
      consumed = typeof returned === 'number' ? returned : batch.consumed >= 0 ? batch.consumed : count;
      batch.release();
    } catch (error) {
      consumed = batch.release();
      // Still inside: nothing is consumed yet, so bytes fed by onError would bring the same frames again.
      this.#report(error);
    }
    this.#inCallback = false;
    // NaN counts as none.
    this.#consume(Math.min(Math.max(Math.trunc(consumed) || 0, 0), count), count);
  }

  #consume(consumed: number, count: number): void {
    const from = this.#head;
    this.#head += consumed;
    releaseRows(this.#source, from, this.#head);
    if (consumed < count) this.#held = true;
    else if (this.#source !== this.#landing.source) {
      this.#landing.held.clear();
      this.#source = this.#landing.source;
    }
    if (this.#closed) this.#landing.close();
  }

  #report(error: unknown): void {
    if (this.#handlers.onError === undefined) {
      throwLater(error);
      return;
    }
    try {
      this.#handlers.onError(error);
    } catch (secondError) {
      throwLater(secondError);
    }
  }
}

/** Makes an error nobody takes an uncaught exception, without breaking off the delivery of frames. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
