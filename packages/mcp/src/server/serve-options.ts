import type { CloseReason } from '@linewire/transport';
import type { SessionReport } from '../session/session-report.ts';
import type { SessionStats } from '../session/session-stats.ts';

/** How a server is run on one connection. */
export interface ServeOptions {
  /** `reject` = modern revisions only: `initialize` is answered -32022. Default `serve`. */
  readonly legacy?: 'serve' | 'reject' | undefined;
  /** Handlers that may run at once, 1 … 1,000,000. Default 256. Requests beyond wait, up to `maxParkedBytes` of the duplex. */
  readonly maxInFlight?: number | undefined;
  /** After the end of input: ms since the last answer before running calls are given up. Default 10,000. */
  readonly drainTimeoutMs?: number | undefined;
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
