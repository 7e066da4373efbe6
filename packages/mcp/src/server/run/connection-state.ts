import type { SessionCounters } from '../../session/session-stats.ts';
import type { Implementation } from '../../wire/versions.ts';
import { Notices } from './notices.ts';
import type { ReplyWriter } from './reply-writer.ts';

/** What a client said about itself in `initialize`. Modern requests say it anew each time. */
export interface LegacyClient {
  /** The revision that was agreed on. */
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Implementation;
}

/** What all requests of one connection share. */
export class ConnectionState {
  readonly out: ReplyWriter;
  readonly counters: SessionCounters;
  /** The way out for notifications, which a slow client does not get all of. */
  readonly notices: Notices;
  /** Set by the latest `initialize`, which switches requests without an envelope on. */
  legacyClient: LegacyClient | undefined = undefined;

  constructor(out: ReplyWriter, counters: SessionCounters) {
    this.out = out;
    this.counters = counters;
    this.notices = new Notices(out, counters);
  }
}
