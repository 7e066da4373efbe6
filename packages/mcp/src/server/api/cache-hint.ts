/** How long a modern client may keep a result. Legacy clients are not told. */
export interface CacheHint {
  /** Milliseconds from the moment of receipt, a whole number from 0 on; 0 = stale at once. */
  readonly ttlMs: number;
  /** `public`: the same for every user; `private`: for the one who asked. */
  readonly cacheScope: 'public' | 'private';
}
