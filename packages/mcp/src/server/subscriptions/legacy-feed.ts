import type { LogLevel } from '../../wire/log-levels.ts';
import { type ListKind, listKinds } from '../run/change-listener.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { logToClient } from '../run/log-message.ts';
import { listChangedFrame, resourceUpdatedFrame } from './change-frames.ts';
import type { Offers } from './subscriptions.ts';
import { UriBudget } from './uri-budget.ts';

/** Notices that a client of the legacy era gets unasked, from its `initialize` on, and those of `resources/subscribe`. */
export class LegacyFeed {
  private readonly connection: ConnectionState;
  private readonly offers: Offers;
  private readonly maxUris: number;
  /** Kinds that `initialize` advertised; nobody is told of the others. */
  private advertised: readonly ListKind[] = [];
  private uris: Set<string> | undefined = undefined;
  private readonly budget: UriBudget = new UriBudget();

  constructor(connection: ConnectionState, offers: Offers, maxUris: number) {
    this.connection = connection;
    this.offers = offers;
    this.maxUris = maxUris;
  }

  /** A client has introduced itself. What an earlier one subscribed to is forgotten. */
  begin(): void {
    this.advertised = listKinds.filter((kind) => this.offers.offers(kind));
    for (const uri of this.uris ?? []) this.unsubscribe(uri);
  }

  /** False: the limit is reached. */
  subscribe(uri: string): boolean {
    this.uris ??= new Set();
    if (this.uris.has(uri)) return true;
    if (this.uris.size >= this.maxUris || !this.budget.take(uri)) return false;
    this.uris.add(uri);
    return true;
  }

  unsubscribe(uri: string): void {
    if (this.uris?.delete(uri) !== true) return;
    this.budget.giveBack(uri);
    this.connection.notices.forgetChange(keyOfUri(uri));
  }

  listChanged(kind: ListKind): void {
    if (!this.advertised.includes(kind)) return;
    this.connection.notices.coalesce(`legacy ${kind}`, listChangedFrame(kind));
  }

  resourceUpdated(uri: string): void {
    if (this.uris?.has(uri) !== true) return;
    this.connection.notices.coalesce(keyOfUri(uri), resourceUpdatedFrame(uri));
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    logToClient(this.connection, level, data, logger);
  }
}

function keyOfUri(uri: string): string {
  return `legacy uri ${uri}`;
}
