/** How long handlers that answer at once may keep the event loop, in ms. */
const TURN_MS = 10;
/** Bytes of answers in one turn. */
const TURN_BYTES = 64 * 1024;
/** What a look at the clock aims at: about one in so many milliseconds. */
const LOOK_MS = 1;
/**
 * Most requests between two looks: the clock costs a tenth of a fast request. Should all of them suddenly be slow, one turn takes so many
 * of them; the next looks come closer.
 */
const MAX_STRIDE = 16;

/**
 * Says when the handlers of one turn of the event loop have had enough of it, so that the process can write, read a cancel, or run a timer
 * between two of them.
 */
export class TurnBudget {
  /** Bytes of answers since `begin`; counted by whoever writes them. */
  answerBytes = 0;
  private startMs = 0;
  private lookedMs = 0;
  /** Requests from one look at the clock to the next. */
  private stride = 1;
  private untilLook = 1;

  /** A turn begins. */
  begin(): void {
    this.answerBytes = 0;
    this.startMs = performance.now();
    this.lookedMs = this.startMs;
    this.untilLook = this.stride;
  }

  /** Too many bytes for one turn. */
  get isWordy(): boolean {
    return this.answerBytes >= TURN_BYTES;
  }

  /** Requests take so long that the copy of one is nothing beside it: above 60 µs. */
  get isSlow(): boolean {
    return this.stride < MAX_STRIDE;
  }

  /** One more request has been run. True: too much time for one turn. */
  isOver(): boolean {
    if (--this.untilLook > 0) return false;
    const nowMs = performance.now();
    const perLook = (this.stride * LOOK_MS) / (nowMs - this.lookedMs);
    this.stride = Math.max(1, Math.min(Math.trunc(perLook), MAX_STRIDE));
    this.lookedMs = nowMs;
    this.untilLook = this.stride;
    return nowMs - this.startMs >= TURN_MS;
  }
}
