/** Time and chance, as a keeper sees them; replaceable, so that years of restarts can be tested in milliseconds. */
export interface Clock {
  /** Milliseconds from any fixed moment. Must not go back when the wall clock is set. */
  now(): number;
  /** Calls back once, not before `delayMs` have passed. */
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  /** From 0 up to, but not including, 1. */
  random(): number;
}

/** The real one. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  random: () => Math.random(),
};
