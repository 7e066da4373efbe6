import { FrameBatch } from './batch.ts';
import { type BatchSource, releaseRows } from './batch-source.ts';
import type { Landing } from './landing.ts';
import type { FrameReaderOptions } from './options.ts';
import { countRows, type MutableStats } from './stats.ts';

/** Brings the rows of one table after the other to the callback, from front to back, until they are consumed. */
export class Delivery {
  paused = false;
  closed = false;
  /** The last callback did not take all it was given: it is not asked again before the next call of the reader. */
  held = false;
  /** A callback is running. */
  isInside = false;

  readonly #handlers: FrameReaderOptions;
  readonly #landing: Landing;
  readonly #stats: MutableStats;
  /** The rows that are not consumed: from `#head` to `#tail` of the table in `#source`. */
  #source: BatchSource;
  #head = 0;
  #tail = 0;

  constructor(handlers: FrameReaderOptions, landing: Landing, stats: MutableStats) {
    this.#handlers = handlers;
    this.#landing = landing;
    this.#stats = stats;
    this.#source = landing.source;
  }

  /** There are rows that are not consumed. */
  get hasRows(): boolean {
    return this.#head < this.#tail;
  }

  /** Frames wait that may not be delivered, or not yet: whatever comes now must wait behind them. */
  get isBlocked(): boolean {
    return this.paused || this.#head < this.#tail;
  }

  /** No callback may be called now. */
  get isStopped(): boolean {
    return this.closed || this.paused || this.held;
  }

  /** Makes the `count` rows of a fresh table the ones to deliver. False: there are none. */
  take(count: number): boolean {
    this.#head = 0;
    this.#tail = count;
    if (count > 0) countRows(this.#stats, this.#source.rows, count);
    return count > 0;
  }

  /** Calls the callback once, with all rows that are not consumed. */
  deliver(): void {
    const count = this.#tail - this.#head;
    const batch = new FrameBatch(this.#source, this.#head, count);
    let consumed: number;
    this.isInside = true;
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
    this.isInside = false;
    // NaN counts as none.
    this.#consume(Math.min(Math.max(Math.trunc(consumed) || 0, 0), count), count);
  }

  /** Ends a turn in an area: rows that are not consumed are held elsewhere from now on. Returns what `Landing.leave` returns. */
  leave(): number {
    if (this.closed) return 0;
    const left = this.#landing.leave(this.#head, this.#tail);
    if (this.#head < this.#tail) {
      this.#tail -= this.#head;
      this.#head = 0;
      this.#source = this.#landing.held.source;
    }
    return left;
  }

  #consume(consumed: number, count: number): void {
    const from = this.#head;
    this.#head += consumed;
    releaseRows(this.#source, from, this.#head);
    if (consumed < count) this.held = true;
    else if (this.#source !== this.#landing.source) {
      this.#landing.held.clear();
      this.#source = this.#landing.source;
    }
    if (this.closed) this.#landing.close();
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
