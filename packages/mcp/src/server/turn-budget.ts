/** How long handlers that answer at once may keep the event loop, in ms. */
const TURN_MS = 10;
/**
 * Bytes of answers that one turn may leave behind unsent. What the system takes at once needs no turn of its own to be written, and a turn
 * that ends inside a read batch costs some 50 µs (the rest of the batch leaves the window), so less than a batch of answers ends none.
 */
const TURN_BYTES = 256 * 1024;
/** What a look at the clock aims at: one in so many milliseconds. */
const LOOK_MS = 1;
/**
 * Most requests between two looks, which cost a tenth of a fast request. Should they suddenly be slow in the middle of a turn, it takes so
 * many of them; then the looks come closer.
 */
const MAX_STRIDE = 16;
const SLOW_STRIDE = 5;

/**
 * Says when the handlers of one turn of the event loop have had enough of it, so that the process can write, read a cancel, or run a timer
 * between two of them.
 */
export class TurnBudget {
  /** Requests until the next look. */
  untilLook = 1;
  private stride = 1;
  private startMs = 0;
  private lookedMs = 0;
  private startBytes = 0;

  /** A turn begins; how fast its requests are is not known before the first of them is done. */
  begin(unsentBytes: number): void {
    this.startMs = performance.now();
    this.lookedMs = this.startMs;
    this.startBytes = unsentBytes;
    this.stride = 1;
    this.untilLook = 1;
  }

  /** As many requests have been run as `untilLook` had said. True: that is enough for one turn. */
  isOver(unsentBytes: number): boolean {
    const nowMs = performance.now();
    const perLook = (this.stride * LOOK_MS) / (nowMs - this.lookedMs);
    this.stride = Math.max(1, Math.min(Math.trunc(perLook), MAX_STRIDE));
    this.lookedMs = nowMs;
    this.untilLook = this.stride;
    return nowMs - this.startMs >= TURN_MS || unsentBytes - this.startBytes >= TURN_BYTES;
  }

  /** Requests take so long that the copy of one is nothing beside it: 200 µs and more. */
  get isSlow(): boolean {
    return this.stride <= SLOW_STRIDE;
  }
}
