/** The process, or its group, at the foot of a ladder. */
export interface Killable {
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** Times of a ladder, in milliseconds. */
export interface LadderTimes {
  readonly closeTimeoutMs: number;
  readonly termTimeoutMs: number;
}

/**
 * What follows after a child's stdin has been ended: `closeTimeoutMs` → SIGTERM → `termTimeoutMs` → SIGKILL. It only climbs; that the child
 * is gone is seen by its `exit` event alone, and `stop()` is called then.
 */
export class CloseLadder {
  readonly #child: Killable;
  readonly #times: LadderTimes;
  #timer: NodeJS.Timeout | undefined;
  #begun = false;
  /** The last signal sent. */
  signalled: 'SIGTERM' | 'SIGKILL' | undefined;

  constructor(child: Killable, times: LadderTimes) {
    this.#child = child;
    this.#times = times;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#timer = setTimeout(this.#terminate, this.#times.closeTimeoutMs);
  }

  stop(): void {
    this.#begun = true;
    clearTimeout(this.#timer);
  }

  readonly #terminate = (): void => {
    this.signalled = 'SIGTERM';
    this.#child.kill('SIGTERM');
    this.#timer = setTimeout(this.#kill, this.#times.termTimeoutMs);
  };

  readonly #kill = (): void => {
    this.signalled = 'SIGKILL';
    this.#child.kill('SIGKILL');
  };
}
