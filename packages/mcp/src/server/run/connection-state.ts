import type { SessionCounters } from '../../session/session-stats.ts';
import type { Implementation } from '../../wire/versions.ts';
import type { InputDesk } from './call-inputs.ts';
import { Notices } from './notices.ts';
import type { ReplyWriter } from './reply-writer.ts';

/** What a client said about itself in `initialize`. Modern requests say it anew each time. */
export interface LegacyClient {
  /** The revision that was agreed on. */
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Implementation;
}

/**
 * Asks the client, which must have sent `initialize`. Rejects with McpError `REQUEST_TIMEOUT` (after `inputTimeoutMs`), `CANCELLED`, `PEER_CLOSED`,
 * `INVALID_RESPONSE`, `FRAME_TOO_LARGE`, `OVERLOADED`, with McpError `OPTION_INVALID` before `initialize`, and with `PeerError` if the
 * client answered with an error.
 *
 * @param signal - gives the question up, and tells the client
 */
export type AskClient = (
  method: string,
  params: object | undefined,
  signal?: AbortSignal,
) => Promise<Record<string, unknown>>;

/** Sends a notification behind what the client was asked before. False: it is dropped, since nobody is there or too much waits. */
export type TellClient = (frame: string) => boolean;

/** What all requests of one connection share. */
export class ConnectionState {
  readonly out: ReplyWriter;
  readonly counters: SessionCounters;
  /** The way out for notifications, which a slow client does not get all of. */
  readonly notices: Notices;
  /** Set by the latest `initialize`, which switches requests without an envelope on. */
  legacyClient: LegacyClient | undefined = undefined;

  /**
   * Index of the lowest level that a legacy client gets log messages of: all until it says otherwise, none of a server that does not advertise
   * them.
   */
  logLevel = 0;
  /** The server advertises log messages. */
  readonly offersLogging: boolean;
  readonly askClient: AskClient;
  readonly tellClient: TellClient;
  /** Set before the first request. */
  inputs!: InputDesk;

  constructor(
    out: ReplyWriter,
    counters: SessionCounters,
    offersLogging: boolean,
    askClient: AskClient,
    tellClient: TellClient,
  ) {
    this.out = out;
    this.counters = counters;
    this.offersLogging = offersLogging;
    this.askClient = askClient;
    this.tellClient = tellClient;
    this.notices = new Notices(out, counters);
  }
}
