import type { CacheHint } from './cache-hint.ts';
import type { StateOptions } from './state-options.ts';

/** What a server can advertise. */
export type OfferedKind = 'tools' | 'resources' | 'prompts' | 'completions';

/** What a server says about itself beside its name. */
export interface McpServerOptions extends StateOptions {
  /** A hint for the model on how to use the server, handed out by `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** Advertise log messages, and answer `logging/setLevel`. Default true; with false, legacy clients get none. */
  readonly logging?: boolean;
  /**
   * Kinds that are advertised though nothing of them is registered yet. Any other kind is advertised from its first registration
   * on; a client that had introduced itself before may never ask for it.
   */
  readonly offers?: readonly OfferedKind[];
  /** Items on a page of a list, 1 … 1,000,000. Default 1,000. */
  readonly pageSize?: number;
  /** Of lists, `server/discover` and resources that have none of their own. Default `{ ttlMs: 0, cacheScope: 'private' }`. */
  readonly cache?: CacheHint;
}
