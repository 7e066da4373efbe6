import type { RequestInput } from '../api/input.ts';
import type { Call } from './call.ts';

/** What one call has asked its client; made when it asks, or when a retry brings answers. */
export interface CallInputs {
  /** `requestInput` of the call's context. */
  readonly ask: RequestInput;
  /** The handler has settled. True if the call is answered herewith: then its outcome does not count. */
  settled(): boolean;
}

/** How the calls of one connection ask. */
export interface InputDesk {
  open(call: Call): CallInputs;
  /**
   * Takes what a modern retry brings (`inputResponses`, `requestState`) into `call.inputs`, before the handler runs. False if that was unusable: the call
   * is answered then.
   */
  resume(call: Call): boolean;
}
