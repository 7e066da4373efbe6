import { type ChildDuplex, spawnChild } from '../child/child.ts';
import type { CloseReason } from '../duplex.ts';
import { onAbort } from '../shared-abort.ts';
import { openBreaker } from './breaker.ts';
import { type Clock, systemClock } from './clock.ts';
import type {
  ChildKeeper,
  KeeperEnd,
  KeeperOptions,
  KeeperState,
  KeeperStatus,
  NextStep,
  OpenBreaker,
  RestartMode,
} from './keeper-contract.ts';
import { checkKeeperOptions } from './keeper-options.ts';
import { RestartPolicy } from './restart-policy.ts';

/**
 * Keeps one child alive: starts it, and starts it anew when it ends, later each time, until it ends too often. Nothing is carried over from
 * one child to the next, frames least of all. A child that takes its time is never touched: only an end counts as an end.
 *
 * @example
 * ```ts
 * const keeper = keepChild({
 *   child: { command: 'node', args: ['server.js'] },
 *   onChild: (child) => child.start({ onFrames: (batch) => console.log(batch.text(0)) }),
 *   onChildEnd: ({ next }) => { if (next.kind === 'breaker-open') console.error(next.breaker.error.message); },
 * });
 * await keeper.close();
 * ```
 *
 * @throws TransportError `OPTION_RANGE` or `OPTION_INVALID`, and whatever the first start throws.
 */
export function keepChild(options: KeeperOptions): ChildKeeper {
  checkKeeperOptions(options);
  return new Keeper(options);
}

class Keeper implements ChildKeeper {
  readonly closed: Promise<KeeperEnd>;
  readonly #options: KeeperOptions;
  readonly #mode: RestartMode;
  readonly #policy: RestartPolicy;
  readonly #clock: Clock;
  #state: KeeperState = 'running';
  #generation = 0;
  #child: ChildDuplex | undefined;
  #startedAt = 0;
  #lastReason: CloseReason | undefined;
  #timer: unknown;
  #unabort: (() => void) | undefined;
  #dueAt = 0;
  #breaker: OpenBreaker | undefined;
  /** What `closed` will say once the child is gone. */
  #leaving: Pick<KeeperEnd, 'kind' | 'error'> = { kind: 'closed' };
  #settle: (end: KeeperEnd) => void = () => {};

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#mode = options.restart ?? 'on-failure';
    this.#policy = new RestartPolicy(options);
    this.#clock = options.clock ?? systemClock;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { signal } = options;
    if (signal?.aborted === true) {
      this.#leave({ kind: 'aborted' });
      return;
    }
    const child = this.#spawn();
    // On its own tick, so that the callback finds the keeper in its caller's variable.
    queueMicrotask(() => this.#announce(child));
    this.#watch(child);
    if (signal !== undefined) this.#unabort = onAbort(signal, () => this.#leave({ kind: 'aborted' }));
  }

  get child(): ChildDuplex | undefined {
    return this.#child;
  }

  get status(): KeeperStatus {
    const now = this.#clock.now();
    const uptimeMs = this.#child === undefined ? undefined : now - this.#startedAt;
    return {
      state: this.#state,
      generation: this.#generation,
      recentFailures: this.#policy.recentFailures(now, uptimeMs),
      ...(this.#state === 'backing-off' && { nextStartMs: Math.max(0, this.#dueAt - now) }),
      ...(this.#breaker !== undefined && { breaker: this.#breaker }),
    };
  }

  reset(): void {
    if (this.#isLeaving) return;
    this.#policy.forget();
    if (this.#state !== 'running') this.#restart();
  }

  close(): Promise<KeeperEnd> {
    this.#leave({ kind: 'closed' });
    return this.closed;
  }

  get #isLeaving(): boolean {
    return this.#state === 'closing' || this.#state === 'closed';
  }

  /** Starts the next generation. There is no other child now: this is only called at first, and after the end of the one before. */
  #spawn(): ChildDuplex {
    const { child: plan } = this.#options;
    this.#generation++;
    this.#state = 'running';
    this.#startedAt = this.#clock.now();
    const child = typeof plan === 'function' ? plan(this.#generation) : spawnChild(plan);
    this.#child = child;
    return child;
  }

  #restart(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#breaker = undefined;
    let child: ChildDuplex;
    try {
      child = this.#spawn();
    } catch (error) {
      // What is wrong now was right at the first start, so it may be right again.
      this.#ended({ kind: 'error', error: asError(error) });
      return;
    }
    this.#watch(child);
    this.#announce(child);
  }

  #announce(child: ChildDuplex): void {
    if (this.#child !== child || this.#isLeaving) return;
    this.#guarded(() => this.#options.onChild(child, this.#generation));
  }

  #watch(child: ChildDuplex): void {
    child.closed.then((reason) => {
      // An end that comes late, or twice, must not touch the child of now.
      if (this.#child === child) this.#ended(reason);
    });
  }

  #ended(reason: CloseReason): void {
    this.#child = undefined;
    this.#lastReason = reason;
    const uptimeMs = this.#clock.now() - this.#startedAt;
    const next = this.#decide(reason, uptimeMs);
    const { onChildEnd } = this.#options;
    if (onChildEnd === undefined) return;
    const generation = this.#generation;
    this.#guarded(() => onChildEnd.call(this.#options, { generation, reason, uptimeMs, next }));
  }

  #decide(reason: CloseReason, uptimeMs: number): NextStep {
    if (this.#isLeaving || !this.#wantsAnother(reason)) {
      if (!this.#isLeaving) this.#leaving = { kind: 'stopped' };
      // After this turn, so that a callback that throws can still say so.
      this.#state = 'closing';
      queueMicrotask(() => this.#finish());
      return { kind: 'closed' };
    }
    const now = this.#clock.now();
    const delayMs = this.#policy.failed(now, uptimeMs, this.#clock.random());
    if (delayMs === undefined) {
      this.#state = 'breaker-open';
      this.#breaker = openBreaker(this.#policy.recentFailures(now, undefined), this.#policy, reason);
      return { kind: 'breaker-open', breaker: this.#breaker };
    }
    this.#state = 'backing-off';
    this.#dueAt = now + delayMs;
    const generation = this.#generation;
    this.#timer = this.#clock.setTimeout(() => this.#due(generation), delayMs);
    return { kind: 'restart', delayMs };
  }

  #wantsAnother(reason: CloseReason): boolean {
    if (this.#mode === 'never') return false;
    return this.#mode === 'always' || reason.kind !== 'closed';
  }

  /** The delay after a generation is over; a timer that was cleared and comes all the same is of another generation or state. */
  #due(generation: number): void {
    if (this.#state === 'backing-off' && this.#generation === generation) this.#restart();
  }

  #leave(how: Pick<KeeperEnd, 'kind' | 'error'>): void {
    if (this.#isLeaving) return;
    this.#state = 'closing';
    this.#leaving = how;
    this.#breaker = undefined;
    this.#clock.clearTimeout(this.#timer);
    if (this.#child === undefined) this.#finish();
    else this.#child.close();
  }

  #finish(): void {
    this.#state = 'closed';
    this.#unabort?.();
    const lastReason = this.#lastReason === undefined ? {} : { lastReason: this.#lastReason };
    this.#settle({ ...this.#leaving, generation: this.#generation, ...lastReason });
  }

  /** A callback that throws ends the keeper instead of being an exception of nobody; to go on would only repeat it. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#leave({ kind: 'error', error });
      if (this.#state === 'closing') this.#leaving = { kind: 'error', error };
    }
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
