import { logLevels, logRank } from '../../wire/log-levels.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import type { ChangeFeed } from '../subscriptions/change-feed.ts';
import { SUBSCRIPTION_LIMIT } from '../subscriptions/subscriptions.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Incoming } from './incoming.ts';
import { invalidParams, methodNotFound, resourceNotFound } from './refusals.ts';

/** Methods that the modern revisions have no more, since the connection would have to remember what they said. */
export class LegacyRoutes {
  private readonly catalog: Catalog;
  private readonly connection: ConnectionState;
  private readonly changes: ChangeFeed;

  constructor({ catalog, connection, changes }: DispatcherParts) {
    this.catalog = catalog;
    this.connection = connection;
    this.changes = changes;
  }

  subscribe(incoming: Incoming): void {
    const uri = this.uriOf(incoming);
    if (uri === undefined) return;
    const { out } = this.connection;
    const { idSource } = incoming;
    if (!this.catalog.knowsResource(uri)) out.refuse(idSource, resourceNotFound(uri));
    else if (!this.changes.legacy.subscribe(uri)) out.refuse(idSource, SUBSCRIPTION_LIMIT);
    else out.result(idSource, '{}');
  }

  unsubscribe(incoming: Incoming): void {
    const uri = this.uriOf(incoming);
    if (uri === undefined) return;
    this.changes.legacy.unsubscribe(uri);
    this.connection.out.result(incoming.idSource, '{}');
  }

  setLevel({ idSource, method, params }: Incoming): void {
    const { out } = this.connection;
    const index = logRank(params?.['level']);
    if (!this.catalog.offersLogging) out.refuse(idSource, methodNotFound(method));
    else if (index < 0) out.refuse(idSource, invalidParams(`level must be one of ${logLevels.join(', ')}`));
    else {
      this.connection.logLevel = index;
      out.result(idSource, '{}');
    }
  }

  /** `undefined`: the request was refused. */
  private uriOf({ idSource, method, params }: Incoming): string | undefined {
    const { out } = this.connection;
    const uri = params?.['uri'];
    if (!this.catalog.offersResources) out.refuse(idSource, methodNotFound(method));
    else if (typeof uri !== 'string') out.refuse(idSource, invalidParams('uri must be a string'));
    else return uri;
    return undefined;
  }
}
