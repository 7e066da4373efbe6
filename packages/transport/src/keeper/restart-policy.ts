import { TransportError } from '../errors.ts';
import { limits, limitValue } from '../limits.ts';

/** Longest delay that a timer of the runtimes can hold; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** 250 ms doubled that often is beyond every possible cap, and stays an exact number. */
const MAX_DOUBLINGS = 31;

/** How soon a child that ended is started again, and when no more. Each has its row in the table of limits. */
export interface RestartOptions {
  /** Delay before the first restart; doubles with each failure in a row: 0 to 2^31−1 ms, default 250. */
  readonly restartDelayMs?: number;
  /** Where the doubling stops: 0 to 2^31−1 ms, default 30,000, or `restartDelayMs` if that is more. */
  readonly restartMaxDelayMs?: number;
  /** How far chance may move a delay, up or down: 0 to 100 %, default 20. */
  readonly restartJitterPercent?: number;
  /** Uptime after which earlier failures are forgotten: 0 to 2^31−1 ms, default 30,000. */
  readonly restartResetMs?: number;
  /** Failures within `breakerWindowMs` that open the breaker: 1 to 1,000,000, default 5. */
  readonly breakerFailures?: number;
  /** Span in which failures are counted: 0 to 2^31−1 ms, default 60,000. */
  readonly breakerWindowMs?: number;
}

/**
 * The arithmetic of restarts, without a clock or a process: how long to wait after a failure, and when to wait no more.
 * What counts is how long a child was up. That it could be started says nothing: a child in a crash loop always can.
 */
export class RestartPolicy {
  readonly breakerFailures: number;
  readonly breakerWindowMs: number;
  readonly #delayMs: number;
  readonly #maxDelayMs: number;
  readonly #jitter: number;
  readonly #resetMs: number;
  /** Failures in a row, for the doubling. */
  #streak = 0;
  /** When the failures of the window happened, oldest first; never more than `breakerFailures`. */
  #failureTimes: number[] = [];

  /** @throws TransportError `OPTION_RANGE` */
  constructor(options: RestartOptions) {
    this.#delayMs = limitValue('restartDelayMs', options.restartDelayMs);
    this.#maxDelayMs = maxDelayMs(this.#delayMs, options.restartMaxDelayMs);
    this.#jitter = limitValue('restartJitterPercent', options.restartJitterPercent) / 100;
    this.#resetMs = limitValue('restartResetMs', options.restartResetMs);
    this.breakerFailures = limitValue('breakerFailures', options.breakerFailures);
    this.breakerWindowMs = limitValue('breakerWindowMs', options.breakerWindowMs);
  }

  /**
   * A child ended unasked.
   *
   * @param now when, in milliseconds
   * @param uptimeMs time since its spawn
   * @param chance from 0 up to 1; 0.5 is no jitter
   * @returns milliseconds until the next start, or undefined: too many failures, the breaker opens
   */
  failed(now: number, uptimeMs: number, chance: number): number | undefined {
    if (uptimeMs >= this.#resetMs) this.forget();
    this.#failureTimes = this.#failureTimes.filter((time) => this.#isRecent(time, now));
    this.#failureTimes.push(now);
    if (this.#failureTimes.length >= this.breakerFailures) return undefined;
    const doubled = this.#delayMs * 2 ** Math.min(this.#streak, MAX_DOUBLINGS);
    this.#streak++;
    const jittered = Math.min(doubled, this.#maxDelayMs) * (1 + this.#jitter * (2 * chance - 1));
    return Math.min(Math.round(jittered), MAX_TIMER_MS);
  }

  /**
   * Failures that still count.
   *
   * @param uptimeMs of the child that runs now; undefined when none does
   */
  recentFailures(now: number, uptimeMs: number | undefined): number {
    if (uptimeMs !== undefined && uptimeMs >= this.#resetMs) return 0;
    return this.#failureTimes.filter((time) => this.#isRecent(time, now)).length;
  }

  /** As if nothing had ever failed. */
  forget(): void {
    this.#streak = 0;
    this.#failureTimes = [];
  }

  #isRecent(time: number, now: number): boolean {
    return now - time <= this.breakerWindowMs;
  }
}

function maxDelayMs(delayMs: number, given: number | undefined): number {
  if (given === undefined) return Math.max(limits.restartMaxDelayMs.default, delayMs);
  const value = limitValue('restartMaxDelayMs', given);
  if (value >= delayMs) return value;
  throw new TransportError(
    'OPTION_RANGE',
    `restartMaxDelayMs (${value}) must not be below restartDelayMs (${delayMs})`,
    { limit: delayMs, actual: value },
  );
}
