import { selectAreas } from '../engine-choice.ts';
import { FramingError, isFramingError } from '../errors.ts';
import { Backlog } from './backlog.ts';
import { Delivery } from './delivery.ts';
import { Landing } from './landing.ts';
import { type FrameReaderOptions, readerSettings } from './options.ts';
import type { ReaderSettings } from './settings.ts';
import { emptyStats, type FrameReaderStats, type MutableStats } from './stats.ts';

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
  readonly #options: ReaderSettings;
  readonly #landing: Landing;
  readonly #delivery: Delivery;
  readonly #stats: MutableStats = emptyStats();
  /** Bytes that came while frames could not be delivered. Not empty only while they cannot. */
  readonly #backlog = new Backlog();

  #ending = false;
  #ended = false;
  /** Bytes that the view has which `reserve` returned last. */
  #reservedBytes = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = readerSettings(options);
    this.#landing = new Landing(selectAreas(options.engine, this.#options), this.#options);
    this.#delivery = new Delivery(options, this.#landing, this.#stats);
  }

  /** No frames are delivered until `resume`. */
  get paused(): boolean {
    return this.#delivery.paused;
  }

  /**
   * Takes a chunk of any size; its bytes are copied, so the chunk may be reused at once.
   *
   * @returns false when frames are paused or held: stop feeding until `resume`, or the chunks pile up
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`; `ENGINE_UNAVAILABLE` (wasm) or a RangeError
   *   (scalar), with nothing taken, when there is no memory for a second window: inside a callback of another reader only;
   *   `OUT_OF_MEMORY` when there is none for a frame that is longer than the window: the reader is closed then
   */
  push(chunk: Uint8Array): boolean {
    this.#assertFeedable('push');
    if (chunk.length === 0) return !this.#delivery.isBlocked;
    if (!this.#delivery.isBlocked && this.#landing.keepsAside(chunk)) {
      this.#stats.bytes += chunk.length;
      return true;
    }
    try {
      this.#feed(chunk);
    } catch (error) {
      throw this.#afterFailure(error);
    } finally {
      this.#landing.release();
    }
    return !this.#delivery.isBlocked;
  }

  /**
   * A place to read into: part of the landing window, which the readers of a thread share. Once it is filled, `commit` before any reader
   * of the thread, this one included, is fed or resumed; the system's `onread` does so by itself. What readers do before it is filled does
   * no harm. Nearly always the same view, as long as any read can need; shorter while frames are paused or held, and empty
   * when as many bytes wait as the window has.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`; what `push` throws when there is no memory for
   *   a window
   */
  reserve(): Uint8Array {
    this.#assertFeedable('reserve');
    const free = this.#delivery.isBlocked ? this.#freeBytes() : this.#landing.room;
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
    if (this.#delivery.isBlocked || byteCount === 0 || !this.#landing.keepsLanded(byteCount)) {
      try {
        this.#feedLanded(byteCount);
      } catch (error) {
        throw this.#afterFailure(error);
      } finally {
        this.#landing.release();
      }
    }
    return !this.#delivery.isBlocked;
  }

  /**
   * The stream has ended. A whole object without a newline is delivered, any other rest is a `FRAME_TRUNCATED` fault.
   * While paused, that comes after `resume`.
   *
   * @throws FramingError what `push` throws; where there was no memory for a window, it may be called again
   */
  end(): void {
    this.#assertFeedable('end');
    // Where there is no memory for an area the end has not come, and may come again.
    if (!this.#delivery.isStopped) this.#landing.open();
    this.#ending = true;
    this.#goOn();
  }

  /** Stops delivering. Inside the callback it takes effect when the callback returns. */
  pause(): void {
    this.#delivery.paused = true;
  }

  /** Delivers what was held, then goes on. @throws FramingError what `push` throws for want of memory */
  resume(): void {
    this.#delivery.paused = false;
    this.#delivery.held = false;
    if (!this.#delivery.isInside) this.#goOn();
  }

  /** Drops everything; nothing is delivered any more. Legal at any time, also inside the callback. */
  close(): void {
    this.#delivery.closed = true;
    this.#backlog.clear();
    if (!this.#delivery.isInside) this.#landing.close();
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
      decoding: this.#landing.source.slots.stats(),
    };
  }

  /** How much more may wait while frames are blocked. */
  #freeBytes(): number {
    return this.#options.windowBytes - this.#landing.keptBytes - this.#backlog.length;
  }

  #assertFeedable(call: string): void {
    if (this.#delivery.isInside) {
      throw new FramingError(
        'REENTRANT',
        `${call}() was called inside onFrames or onError: feed the reader after the callback has returned`,
      );
    }
    if (this.#delivery.closed || this.#ending)
      throw new FramingError('READER_CLOSED', `${call}() was called after close() or end()`);
  }

  /** Takes a chunk by turns, and keeps a copy of what must wait. */
  #feed(chunk: Uint8Array): void {
    const { room } = this.#landing;
    // Nothing of the chunk is taken when there is no memory for an area.
    if (this.#advance()) this.#landing.open();
    this.#stats.bytes += chunk.length;
    let offset = 0;
    while (offset < chunk.length && !this.#delivery.isBlocked && !this.#delivery.closed) {
      const end = Math.min(offset + room, chunk.length);
      this.#landing.enterWith(end - offset === chunk.length ? chunk : chunk.subarray(offset, end));
      offset = end - this.#takeTurn();
    }
    if (offset < chunk.length && !this.#delivery.closed) this.#backlog.append(chunk, offset, chunk.length);
  }

  #feedLanded(byteCount: number): void {
    if (this.#delivery.isBlocked || byteCount === 0) {
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
    } catch (error) {
      throw this.#afterFailure(error);
    } finally {
      this.#landing.release();
    }
  }

  /** Without memory for a long frame nothing behind it can be trusted either. */
  #afterFailure(error: unknown): unknown {
    if (isFramingError(error) && error.code === 'OUT_OF_MEMORY') this.close();
    return error;
  }

  /** Offers what is held, then what came behind it, then the end. True: nothing waits any more. */
  #advance(): boolean {
    this.#delivery.held = false;
    while (!this.#delivery.isStopped) {
      if (this.#delivery.hasRows) this.#delivery.deliver();
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
    if (!this.#delivery.closed) this.#backlog.drop(length - left);
  }

  #finish(): void {
    this.#landing.enterWith(NO_BYTES);
    this.#ended = true;
    if (this.#delivery.take(this.#landing.finish())) this.#delivery.deliver();
    this.#delivery.leave();
    this.#landing.retire();
  }

  /** Scans and delivers what has landed. Returns how many bytes at its end are left to be scanned, because delivery has stopped. */
  #takeTurn(): number {
    do {
      if (!this.#delivery.take(this.#landing.scan())) break;
      this.#delivery.deliver();
    } while (!this.#delivery.isStopped);
    return this.#delivery.leave();
  }
}
