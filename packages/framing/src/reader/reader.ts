import type { FrameScanner, ScanOptions } from '../engine/engine.ts';
import { selectEngine } from '../engine-choice.ts';
import { FramingError } from '../errors.ts';
import { FrameBatch } from './batch.ts';
import { Landing } from './landing.ts';
import { type FrameReaderOptions, scanOptions } from './options.ts';
import { poisons } from './poison.ts';
import { countRows, emptyStats, type FrameReaderStats, type MutableStats } from './stats.ts';

/** Starts reading a stream of frames. @throws FramingError `OPTION_RANGE`, `OPTION_INVALID`, `ENGINE_UNAVAILABLE` */
export function createFrameReader(options: FrameReaderOptions): FrameReader {
  return new FrameReader(options);
}

/**
 * Turns bytes into frames: feed it with `push`, or with `reserve` and `commit` to save the copy, then `end`.
 *
 * The same input gives the same frames however it is split. Work is linear in bytes. Memory is at most `maxFrameBytes` +
 * `windowBytes`, plus what is pushed after `push` said false. Callbacks run synchronously inside these calls.
 */
export class FrameReader {
  readonly #options: ScanOptions;
  readonly #handlers: FrameReaderOptions;
  readonly #scanner: FrameScanner;
  readonly #landing: Landing;
  readonly #stats: MutableStats = emptyStats();

  /** Rows of the table that are not consumed: from `#head` to `#tail`. */
  #head = 0;
  #tail = 0;
  #paused = false;
  #held = false;
  #inCallback = false;
  /** A chunk is being taken piece by piece: later chunks wait. */
  #feeding = false;
  #closed = false;
  #ending = false;
  #ended = false;
  /** Chunks that were pushed while frames were held and the window was full; copies. */
  #backlog: Uint8Array[] = [];

  constructor(options: FrameReaderOptions) {
    this.#options = scanOptions(options);
    this.#handlers = options;
    this.#scanner = selectEngine(options.engine).createScanner(this.#options);
    this.#landing = new Landing(this.#scanner, this.#options);
  }

  /** No frames are delivered until `resume`. */
  get paused(): boolean {
    return this.#paused;
  }

  /**
   * Takes a chunk of any size; its bytes are copied, so the chunk may be reused at once.
   *
   * @returns false when frames are paused or held: stop feeding until `resume`, or the chunks pile up
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  push(chunk: Uint8Array): boolean {
    this.#assertFeedable('push');
    if (this.#backlog.length > 0) this.#backlog.push(chunk.slice());
    else this.#feed(chunk, false);
    this.#landing.rest();
    return !this.#blocked;
  }

  /**
   * The free part of the window, to read into. Valid until the next call of this reader. Empty while held frames fill the window,
   * or while pushed chunks wait.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  reserve(): Uint8Array {
    this.#assertFeedable('reserve');
    if (this.#head === this.#tail) this.#landing.makeRoom();
    const { window, filled } = this.#landing;
    return window.subarray(filled, filled + this.#room);
  }

  /**
   * Says that `byteCount` bytes have landed at the start of what `reserve` returned.
   *
   * @returns like `push`
   * @throws FramingError `REENTRANT`, `READER_CLOSED`, `OPTION_RANGE` when more than the reserved bytes are named
   */
  commit(byteCount: number): boolean {
    this.#assertFeedable('commit');
    const room = this.#room;
    if (!Number.isInteger(byteCount) || byteCount < 0 || byteCount > room) {
      throw new FramingError(
        'OPTION_RANGE',
        `commit takes an integer from 0 to ${room} reserved bytes, not ${String(byteCount)}`,
      );
    }
    this.#land(byteCount);
    this.#landing.rest();
    return !this.#blocked;
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
    this.#held = false;
    this.#advance();
    this.#landing.rest();
  }

  /** Stops delivering. Inside the callback it takes effect when the callback returns. */
  pause(): void {
    this.#paused = true;
  }

  /** Delivers what was held, then goes on. */
  resume(): void {
    this.#paused = false;
    this.#held = false;
    if (this.#inCallback) return;
    this.#advance();
    this.#landing.rest();
  }

  /** Drops everything; nothing is delivered any more. Legal at any time, also inside the callback. */
  close(): void {
    this.#closed = true;
    this.#backlog = [];
    if (!this.#inCallback) this.#landing.close();
  }

  /** Counters since the start. A copy. */
  stats(): FrameReaderStats {
    const { blankFrames } = this.#scanner;
    const { storedBytes, peakStoredBytes, droppedBytes } = this.#landing;
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

  /** Free bytes of the window. Chunks that wait were first, so nothing may land before them. */
  get #room(): number {
    return this.#backlog.length > 0 ? 0 : this.#landing.room;
  }

  get #blocked(): boolean {
    return this.#paused || this.#head < this.#tail;
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

  /** `isCopy`: the chunk is the reader's own, so what is left of it may wait as it is. */
  #feed(chunk: Uint8Array, isCopy: boolean): void {
    this.#feeding = true;
    let offset = 0;
    while (offset < chunk.length && !this.#closed) {
      const room = this.#roomForFeed();
      if (room === 0) {
        this.#backlog.unshift(isCopy ? chunk.subarray(offset) : chunk.slice(offset));
        break;
      }
      const part = offset === 0 && chunk.length <= room ? chunk : chunk.subarray(offset, offset + room);
      this.#landing.window.set(part, this.#landing.filled);
      offset += part.length;
      this.#land(part.length);
    }
    this.#feeding = false;
  }

  /** Bytes that fit the window now. Held frames that fill it are offered once more. */
  #roomForFeed(): number {
    if (this.#head === this.#tail) this.#landing.makeRoom();
    if (this.#landing.room === 0 && this.#held) {
      this.#held = false;
      this.#advance();
      if (this.#head === this.#tail) this.#landing.makeRoom();
    }
    return this.#landing.room;
  }

  #land(byteCount: number): void {
    this.#landing.filled += byteCount;
    this.#stats.bytes += byteCount;
    this.#held = false;
    this.#advance();
  }

  /** Delivers and scans until the bytes are used up, or the callback holds frames. */
  #advance(): void {
    for (;;) {
      if (this.#closed || this.#paused || this.#held) return;
      if (this.#head < this.#tail) {
        this.#deliver();
        continue;
      }
      const { filled } = this.#landing;
      if (this.#scanner.position < filled && this.#takeRows(this.#scanner.scan(filled))) continue;
      if (this.#feeding) return;
      const chunk = this.#backlog.shift();
      if (chunk !== undefined) {
        this.#feed(chunk, true);
        if (this.#blocked) return;
        continue;
      }
      if (!this.#ending || this.#ended) return;
      this.#ended = true;
      this.#takeRows(this.#scanner.finish(filled));
    }
  }

  /** Makes the rows of a fresh table the ones to deliver. False: there are none. */
  #takeRows(count: number): boolean {
    this.#head = 0;
    this.#tail = count;
    if (count > 0) countRows(this.#stats, this.#scanner.rows, count);
    this.#landing.settle(count);
    return count > 0;
  }

  #deliver(): void {
    const count = this.#tail - this.#head;
    const batch = new FrameBatch(this.#landing.source, this.#head, count);
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
    if (poisons) this.#landing.poison(from, this.#head);
    this.#landing.release(from, this.#head);
    if (consumed < count) this.#held = true;
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
