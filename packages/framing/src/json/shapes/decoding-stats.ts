/** How texts were decoded by learned shapes. */
export interface DecodingStats {
  /** Texts whose shape was known. */
  readonly hits: number;
  /** Texts that were tried in vain, and then decoded by `JSON.parse`. */
  readonly misses: number;
  /** Texts that went to `JSON.parse` at once: over 16 MiB, or trying had not paid. */
  readonly passed: number;
  /** Members that are known now, at most 256 for each method and direction; each takes some hundred bytes of memory. */
  readonly members: number;
}

/** The sum of several. */
export function sumOfStats(all: readonly DecodingStats[]): DecodingStats {
  const sum = { hits: 0, misses: 0, passed: 0, members: 0 };
  for (const { hits, misses, passed, members } of all) {
    sum.hits += hits;
    sum.misses += misses;
    sum.passed += passed;
    sum.members += members;
  }
  return sum;
}
