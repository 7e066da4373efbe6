import type { QueueOptions, ReadingOptions } from '../duplex.ts';

/** What the duplexes over sockets and streams have in common. */
export interface StreamOptions extends ReadingOptions, QueueOptions {
  /** Longest time for unsent bytes after `close()`: 0 to 2^31−1 ms, default 2,000. */
  readonly exitFlushMs?: number;
  /**
   * Ends the duplex at once when it is aborted, also while it connects: what is unsent is dropped and counted. `closed` gives kind `closed`
   * with an error of code `ABORTED`, whose cause is the signal's reason.
   */
  readonly signal?: AbortSignal;
}
