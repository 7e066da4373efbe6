import type { IdSource } from '@linewire/framing';
import type { Envelope } from '../../wire/envelope.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import { metaKeys } from '../../wire/versions.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import type { Incoming, Params, ParamsText } from './incoming.ts';
import { methodNotFound } from './refusals.ts';
import type { Routes } from './routes.ts';
import type { ToolRoute } from './tool-route.ts';

const NOT_INITIALIZED: RpcRefusal = {
  code: rpcCodes.invalidParams,
  message: 'Not initialized: send initialize first, or a request with a protocol version in _meta',
};

/** For a server without a handshake: the key that the request lacks. */
const MISSING_VERSION: RpcRefusal = {
  code: rpcCodes.invalidParams,
  message: `Invalid params: _meta ${metaKeys.protocolVersion}: missing`,
  data: { envelope: { key: metaKeys.protocolVersion, problem: 'missing' } },
};

/**
 * Requests without an envelope, of the four revisions that open with `initialize`. Before it only `ping` is answered; that
 * `notifications/initialized` follows is not asked for, since no peer does.
 */
export class LegacyRules {
  private readonly connection: ConnectionState;
  private readonly tools: ToolRoute;
  private readonly routes: Routes;
  private readonly rejectLegacy: boolean;

  constructor(connection: ConnectionState, tools: ToolRoute, routes: Routes, rejectLegacy: boolean) {
    this.connection = connection;
    this.tools = tools;
    this.routes = routes;
    this.rejectLegacy = rejectLegacy;
  }

  handle(
    idSource: IdSource,
    method: string,
    params: Params,
    meta: Envelope | undefined,
    paramsText: ParamsText,
  ): void {
    const { out, legacyClient } = this.connection;
    if (legacyClient === undefined && method !== 'ping' && method !== 'initialize') {
      out.refuse(idSource, this.rejectLegacy ? MISSING_VERSION : NOT_INITIALIZED);
      return;
    }
    switch (method) {
      case 'tools/call':
        this.tools.call(idSource, params, false, meta, paramsText);
        return;
      case 'ping':
        out.result(idSource, '{}');
        return;
      default:
        this.route({ idSource, method, params, meta, modern: false, paramsText });
    }
  }

  private route(incoming: Incoming): void {
    const { routes } = this;
    switch (incoming.method) {
      case 'initialize':
        routes.handshake.initialize(incoming);
        return;
      case 'resources/subscribe':
        routes.legacy.subscribe(incoming);
        return;
      case 'resources/unsubscribe':
        routes.legacy.unsubscribe(incoming);
        return;
      case 'logging/setLevel':
        routes.legacy.setLevel(incoming);
        return;
      default:
        if (!routes.takeShared(incoming))
          this.connection.out.refuse(incoming.idSource, methodNotFound(incoming.method));
    }
  }
}
