import type { IdSource } from '@linewire/framing';
import { checkEnvelope, type Envelope } from '../../wire/envelope.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import type { Incoming, ParamsText } from './incoming.ts';
import { methodNotFound } from './refusals.ts';
import type { Routes } from './routes.ts';
import type { ToolRoute } from './tool-route.ts';

/**
 * Requests that carry their envelope. Each is judged for itself, in this order: version, the other keys of the envelope, method and its capability,
 * params, what the client must be capable of, handler. A route begins at the capability.
 */
export class ModernRules {
  private readonly out: ReplyWriter;
  private readonly tools: ToolRoute;
  private readonly routes: Routes;

  constructor(out: ReplyWriter, tools: ToolRoute, routes: Routes) {
    this.out = out;
    this.tools = tools;
    this.routes = routes;
  }

  handle(
    idSource: IdSource,
    method: string,
    params: Record<string, unknown>,
    meta: Envelope,
    paramsText: ParamsText,
  ): void {
    const problem = checkEnvelope(meta);
    if (problem !== undefined) this.out.refuse(idSource, problem);
    else if (method === 'tools/call') this.tools.call(idSource, params, true, meta, paramsText);
    else this.route({ idSource, method, params, meta, modern: true, paramsText });
  }

  private route(incoming: Incoming): void {
    const { routes } = this;
    switch (incoming.method) {
      case 'server/discover':
        routes.handshake.discover(incoming);
        return;
      case 'subscriptions/listen':
        routes.listen(incoming);
        return;
      default:
        if (!routes.takeShared(incoming)) this.out.refuse(incoming.idSource, methodNotFound(incoming.method));
    }
  }
}
