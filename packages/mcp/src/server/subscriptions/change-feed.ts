import type { LogLevel } from '../../wire/log-levels.ts';
import type { ChangeListener, ListKind } from '../run/change-listener.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { LegacyFeed } from './legacy-feed.ts';
import { type Offers, Subscriptions } from './subscriptions.ts';

/**
 * What one connection is told of changes in the server, by the rules of both eras: a modern client hears of what its subscriptions name, a legacy
 * one of everything that was advertised to it. A connection may have both, and hears of a change by each then.
 */
export class ChangeFeed implements ChangeListener {
  readonly legacy: LegacyFeed;
  readonly modern: Subscriptions;

  /** @param maxSubscriptions - open subscriptions, and URIs of a legacy client, each. */
  constructor(connection: ConnectionState, offers: Offers, maxSubscriptions: number) {
    this.legacy = new LegacyFeed(connection, offers, maxSubscriptions);
    this.modern = new Subscriptions(connection, offers, maxSubscriptions);
  }

  listChanged(kind: ListKind): void {
    this.legacy.listChanged(kind);
    this.modern.listChanged(kind);
  }

  resourceUpdated(uri: string): void {
    this.legacy.resourceUpdated(uri);
    this.modern.resourceUpdated(uri);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    this.legacy.log(level, data, logger);
  }
}
