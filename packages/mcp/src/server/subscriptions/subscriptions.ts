import { encodeJson, type IdKey, type IdSource } from '@linewire/framing';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import { metaKeys } from '../../wire/versions.ts';
import { type ListKind, listKinds } from '../run/change-listener.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import { listChangedFrame, resourceUpdatedFrame } from './change-frames.ts';
import { type Filter, filterMembers, filterOf } from './filter.ts';
import { UriBudget } from './uri-budget.ts';

/** What the server advertises; the catalog has these. */
export interface Offers {
  readonly infoText: string;
  offers(kind: ListKind): boolean;
}

/** One subscription that is open: the id as it came, and what is told under it. */
interface Subscription extends Filter {
  readonly idSource: IdSource;
}

/** An array is answered when all of it is, which a subscription never is. */
const IN_A_BATCH: RpcRefusal = {
  code: rpcCodes.invalidRequest,
  message: 'subscriptions/listen must not be in a batch',
};

export const SUBSCRIPTION_LIMIT: RpcRefusal = {
  code: rpcCodes.internalError,
  message: 'Subscription limit reached',
};

/**
 * The open `subscriptions/listen` requests of one connection. Each is acknowledged first and then told of what it named, and of nothing else; a change
 * that fits several is told to each. They take no credit and hold nothing up: the end of the input ends them.
 */
export class Subscriptions {
  /** How many are open. A field, since it is looked at for each request. */
  size = 0;
  private readonly connection: ConnectionState;
  private readonly offers: Offers;
  private readonly max: number;
  private open: Map<IdKey, Subscription> | undefined = undefined;
  private readonly budget: UriBudget = new UriBudget();

  constructor(connection: ConnectionState, offers: Offers, max: number) {
    this.connection = connection;
    this.offers = offers;
    this.max = max;
  }

  has(key: IdKey): boolean {
    return this.open?.has(key) === true;
  }

  /** Opens one and acknowledges it, or refuses. The id must not be in use. */
  listen(idSource: IdSource, key: IdKey, params: Readonly<Record<string, unknown>>): void {
    const { out } = this.connection;
    const asked = filterOf(params['notifications']);
    if (typeof asked === 'string') {
      out.refuse(idSource, { code: rpcCodes.invalidParams, message: `Invalid params: ${asked}` });
      return;
    }
    if (out.collector?.owns(idSource) === true) {
      out.refuse(idSource, IN_A_BATCH);
      return;
    }
    const subscription: Subscription = { idSource, ...this.honoured(asked) };
    if (this.size >= this.max || !this.takeUris(subscription.uris)) {
      out.refuse(idSource, SUBSCRIPTION_LIMIT);
      return;
    }
    this.open ??= new Map();
    this.open.set(key, subscription);
    this.size = this.open.size;
    out.notify(
      `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":${encodeJson(shown(subscription))},${metaOf(idSource)}}}`,
    );
  }

  /** The client wants no more of it: nothing is sent under that id from now on. False if there is none. */
  cancel(key: IdKey): boolean {
    const subscription = this.open?.get(key);
    if (subscription === undefined) return false;
    this.open?.delete(key);
    this.size = this.open?.size ?? 0;
    this.forget(subscription);
    return true;
  }

  /** The server ends them: each gets its result, and nothing behind it. */
  endAll(): void {
    if (this.open === undefined) return;
    const open = [...this.open.values()];
    this.open = undefined;
    this.size = 0;
    for (const subscription of open) {
      this.forget(subscription);
      const meta = `"_meta":{"${metaKeys.subscriptionId}":${subscription.idSource},"${metaKeys.serverInfo}":${this.offers.infoText}}`;
      this.connection.out.result(subscription.idSource, `{"resultType":"complete",${meta}}`);
    }
  }

  listChanged(kind: ListKind): void {
    if (this.open === undefined) return;
    for (const { idSource, kinds } of this.open.values()) {
      if (!kinds.has(kind)) continue;
      const frame = listChangedFrame(kind, metaOf(idSource));
      this.connection.notices.coalesce(keyOfList(idSource, kind), frame);
    }
  }

  resourceUpdated(uri: string): void {
    if (this.open === undefined) return;
    for (const { idSource, uris } of this.open.values()) {
      if (!uris.has(uri)) continue;
      const frame = resourceUpdatedFrame(uri, metaOf(idSource));
      this.connection.notices.coalesce(keyOfUri(idSource, uri), frame);
    }
  }

  /** The part of a filter that the server has anything for. */
  private honoured({ kinds, uris }: Filter): Filter {
    const { offers } = this;
    return {
      kinds: new Set([...kinds].filter((kind) => offers.offers(kind))),
      uris: offers.offers('resources') ? uris : new Set(),
    };
  }

  /** All or none. */
  private takeUris(uris: ReadonlySet<string>): boolean {
    const taken: string[] = [];
    for (const uri of uris) {
      if (!this.budget.take(uri)) {
        for (const one of taken) this.budget.giveBack(one);
        return false;
      }
      taken.push(uri);
    }
    return true;
  }

  /** Frees what a subscription took, and drops what waits for a slow client under its id. */
  private forget({ idSource, kinds, uris }: Subscription): void {
    const { notices } = this.connection;
    for (const kind of kinds) notices.forgetChange(keyOfList(idSource, kind));
    for (const uri of uris) {
      this.budget.giveBack(uri);
      notices.forgetChange(keyOfUri(idSource, uri));
    }
  }
}

/** A filter as it goes back to the client: what is not honoured is left out. */
function shown({ kinds, uris }: Filter): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const kind of listKinds) if (kinds.has(kind)) members[filterMembers[kind]] = true;
  if (uris.size > 0) members['resourceSubscriptions'] = [...uris];
  return members;
}

/** The id with the text and type of the request. */
function metaOf(idSource: IdSource): string {
  return `"_meta":{"${metaKeys.subscriptionId}":${idSource}}`;
}

function keyOfList(idSource: IdSource, kind: ListKind): string {
  return `${idSource} ${kind}`;
}

function keyOfUri(idSource: IdSource, uri: string): string {
  return `${idSource} uri ${uri}`;
}
