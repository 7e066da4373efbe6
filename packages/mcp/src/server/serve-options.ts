import type { CloseReason } from '@linewire/transport';
import type { SessionReport } from '../session/session-report.ts';
import type { SessionStats } from '../session/session-stats.ts';

/** How a server is run on one connection. */
export interface ServeOptions {
  /** `reject` = modern revisions only: `initialize` is answered -32022. Default `serve`. */
  readonly legacy?: 'serve' | 'reject' | undefined;
  /** Handlers that may run at once, 1 … 1,000,000. Default 256. Requests beyond wait, up to `maxParkedBytes` of the duplex. */
  readonly maxInFlight?: number | undefined;
  /** Open `subscriptions/listen` requests, and URIs of `resources/subscribe`, 1 … 1,000,000 each. Default 1,024. */
  readonly maxSubscriptions?: number | undefined;
  /** After the end of input: ms since the last answer before running calls are given up. Default 10,000. */
  readonly drainTimeoutMs?: number | undefined;
  /** Time for what a handler asks of a legacy client, in ms, 0 … 2^31−1. Default 600,000; then the client is told. */
  readonly inputTimeoutMs?: number | undefined;
  /** Requests to the client that may wait while it reads slowly, 1 … 1,000,000. Default 1,024. */
  readonly maxWaitingRequests?: number | undefined;
  /** Keeps the distribution of the handlers' times (`stats.latency`), for two looks at the clock for each call. Default false. */
  readonly measureLatency?: boolean | undefined;
  /**
   * Takes arrays of messages from a client that has agreed on revision 2025-03-26, the only one that has them. Default false: an array is
   * reported and ignored, as under all other revisions.
   */
  readonly batches?: boolean | undefined;
  /** With `batches`: messages in one array, 1 … 1,000,000. Default 1,024. */
  readonly maxBatchMessages?: number | undefined;
  /** With `batches`: characters of answers that wait for the rest of their arrays, 1 KiB … 256 MiB. Default 16 MiB. */
  readonly maxBatchAnswerBytes?: number | undefined;
  /** Told of input that could not be used. Called for each; thin it out yourself. */
  readonly onReport?: ((report: SessionReport) => void) | undefined;
}

/** A server on one connection. */
export interface ServerSession {
  /** A snapshot, made when it is read. */
  readonly stats: SessionStats;
  /** Settles once, when the connection has ended; everything accepted was answered or given up before. */
  readonly closed: Promise<CloseReason>;
  /** Settles when no handler runs any more, whether its call was answered or not. */
  settled(): Promise<void>;
  /** Aborts what runs, answers it -32603 "server shutting down", flushes and ends. Idempotent. */
  close(): Promise<CloseReason>;
}
