/** What a sink tells its outbox. */
export interface SinkOwner {
  /** The chunk for which `write` returned false is out. */
  written(): void;
  /** Nothing more can be written. */
  failed(error: Error): void;
}

/**
 * Takes chunks for one descriptor, one at a time: after `write` returned false the next one comes only after `written()`.
 * One chunk at a time keeps the account exact when the process exits: only the tail of one chunk can be with the system.
 */
export interface Sink {
  /** True: the system has all of it and the memory may be reused. False: the sink keeps the chunk until `written()`. */
  write(chunk: Buffer): boolean;
  /** The part of a chunk kept by the sink that the system does not have yet; for the last, synchronous flush of the process. */
  unsent(chunk: Buffer): Uint8Array;
  /** All is written: says EOF to the peer where the descriptor can. */
  end(): void;
  /** Lets go of everything at once; neither `written()` nor `failed()` comes after. */
  release(): void;
}
