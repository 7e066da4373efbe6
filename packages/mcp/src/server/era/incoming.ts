import type { IdSource } from '@linewire/framing';
import type { Envelope } from '../../wire/envelope.ts';

/** The params of a request as they are decoded. */
export type Params = Record<string, unknown> | undefined;

/** The source text of the params of the request that is being dispatched. */
export type ParamsText = () => string | undefined;

/** A request on its way to a route that is not asked a million times a second: `tools/call` has no such object. */
export interface Incoming {
  readonly idSource: IdSource;
  readonly method: string;
  readonly params: Params;
  readonly meta: Envelope | undefined;
  readonly modern: boolean;
  readonly paramsText: ParamsText;
}
