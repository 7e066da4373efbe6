/** How `requestState` is sealed, in which modern clients bring back what they have answered so far. */
export interface StateOptions {
  /**
   * Secrets of at least 32 random bytes each: `[current, …old]`. The first one seals, all of them open. Strings count as UTF-8. Default: a random one,
   * so a restart of the process ends the rounds that are open: their states are refused.
   */
  readonly stateKeys?: readonly (string | Uint8Array)[] | undefined;
  /** ms for the client to come back, 1 … 2^31 − 1. Default 600,000. */
  readonly stateTtlMs?: number | undefined;
  /** Longest `requestState`, 1,024 … 67,108,864 bytes. Default 65,536. A call whose answers take more is answered -32603. */
  readonly maxStateBytes?: number | undefined;
}
