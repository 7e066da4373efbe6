/**
 * Seeded pseudo-random numbers: the same seed gives the same corpus on every machine, so that two result files compare
 * the same bytes and a failing test can be repeated from its seed.
 *
 * The mixer is a 32-bit multiply-xorshift. It is not fit for secrets.
 */
export function mix32(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A counter run through {@link mix32}. Every draw costs one mix; there is no warm-up. */
export class Random {
  #state: number;

  /** @param seed any integer; only its low 32 bits count */
  constructor(seed: number) {
    this.#state = mix32(seed ^ 0x9e3779b9);
  }

  /** The next integer from 0 up to, not including, 2^32. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mix32(this.#state);
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.next() % items.length] as T;
  }
}
