import type { IdSource } from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import { claimsModern } from '../../wire/envelope.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CallRunner } from '../run/call-runner.ts';
import type { ConnectionState } from '../run/connection-state.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import type { ChangeFeed } from '../subscriptions/change-feed.ts';
import type { Params, ParamsText } from './incoming.ts';
import { LegacyRules } from './legacy-rules.ts';
import { ModernRules } from './modern-rules.ts';
import { invalidParams } from './refusals.ts';
import { Routes } from './routes.ts';
import { ToolRoute } from './tool-route.ts';

/** What a dispatcher works with. */
export interface DispatcherParts {
  readonly catalog: Catalog;
  readonly connection: ConnectionState;
  readonly runner: CallRunner;
  readonly changes: ChangeFeed;
  readonly rejectLegacy: boolean;
}

/**
 * Decides the era of each request and hands it to the rules of that era. One with a version in its `_meta` is modern whatever came
 * before; the others are legacy, which `initialize` switches on. Nothing else changes the state.
 */
export class Dispatcher {
  private readonly out: ReplyWriter;
  private readonly legacy: LegacyRules;
  private readonly modern: ModernRules;

  constructor(parts: DispatcherParts) {
    const { catalog, connection, runner, rejectLegacy } = parts;
    this.out = connection.out;
    const tools = new ToolRoute(catalog, this.out, runner);
    const routes = new Routes(parts);
    this.legacy = new LegacyRules(connection, tools, routes, rejectLegacy);
    this.modern = new ModernRules(this.out, tools, routes);
  }

  /** Answers one request, at once or when its handler settles. */
  dispatch(idSource: IdSource, method: string, params: Params, paramsText: ParamsText): void {
    const meta = params?.['_meta'];
    if (meta === undefined || meta === null) {
      this.legacy.handle(idSource, method, params, undefined, paramsText);
    } else if (!isObject(meta)) {
      this.out.refuse(idSource, invalidParams('_meta must be an object'));
    } else if (claimsModern(meta)) {
      this.modern.handle(idSource, method, params as Record<string, unknown>, meta, paramsText);
    } else {
      this.legacy.handle(idSource, method, params, meta, paramsText);
    }
  }
}
