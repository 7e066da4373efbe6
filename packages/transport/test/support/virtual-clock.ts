import type { Clock } from '../../src/index.ts';

interface VirtualTimer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** Time that passes only when it is told to. Keeps the timers that were cleared, to fire them all the same: late. */
export class VirtualClock implements Clock {
  /** What `random()` gives next. */
  chance = 0.5;
  #now = 1000;
  #timers = new Set<VirtualTimer>();
  readonly #past: VirtualTimer[] = [];

  get pendingTimers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  random(): number {
    return this.chance;
  }

  setTimeout(callback: () => void, delayMs: number): VirtualTimer {
    const timer = { dueAt: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    if (this.#timers.delete(timer as VirtualTimer)) this.#past.push(timer as VirtualTimer);
  }

  /** Lets time pass, with every timer at its moment; work that a callback leaves to microtasks is done before the next one. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined || next.dueAt > until) break;
      this.#timers.delete(next);
      this.#past.push(next);
      this.#now = next.dueAt;
      next.callback();
      await settled();
    }
    this.#now = until;
  }

  /** Fires every timer that has fired or was cleared once more. */
  async fireLate(): Promise<void> {
    for (const { callback } of this.#past) callback();
    await settled();
  }
}

/** Until all microtasks are done. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
