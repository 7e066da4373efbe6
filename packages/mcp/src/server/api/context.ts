import type { LogLevel } from '../../wire/log-levels.ts';
import type { Implementation } from '../../wire/versions.ts';
import type { RequestInput } from './input.ts';

/** What a handler knows about its request beside the arguments. Of use for as long as the handler runs, but for `elicitationComplete`. */
export interface RequestContext {
  /** Aborts when the client cancels, the connection ends or the server shuts down. Made when first read. */
  readonly signal: AbortSignal;
  /** The id of the request; a bigint beyond 2^53. */
  readonly requestId: string | number | bigint;
  /** `_meta` of the request, with the envelope if it is modern. Decoded JSON, the call's own. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** `modern`: the request carries its own envelope; `legacy`: it belongs to an `initialize`. */
  readonly era: 'legacy' | 'modern';
  /** The revision that is spoken: of the envelope, or agreed on in `initialize`. */
  readonly protocolVersion: string;
  /** As the client introduced itself; nothing to base security on. */
  readonly clientInfo: Implementation | undefined;
  /** As the client lists them, in the envelope or in `initialize`; empty if it lists none. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  /**
   * Tells the client how far the call is. Does nothing if the client did not ask, or the call is answered or
   * cancelled, or `value` is not finite or not above the one before.
   */
  progress(value: number, total?: number, message?: string): void;
  /**
   * Sends the client a log message. It gets those at or above the level that it asked for: a modern client in the request itself (no level, no
   * messages), a legacy one by `logging/setLevel` (all until then). Dropped while the client reads too slowly, and once the call is
   * answered or cancelled.
   *
   * @param data - any JSON value; what has no JSON is replaced by the reason
   * @param logger - name of the part that speaks
   * @throws McpError `OPTION_INVALID` for an unknown level
   */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Asks the client for input; only for handlers of tools, prompts and resources. */
  readonly requestInput: RequestInput;
  /**
   * Tells the client that the user is done with the page of an elicitation, or of an error -32042: `notifications/elicitation/complete`, behind
   * what it was asked before. Also of use after the call is answered, as long as the connection is open.
   *
   * @param elicitationId - of the page, as the handler has chosen it
   * @returns whether it is on its way. False: the client is not one of 2025-11-25 that shows pages, it is gone, or it reads so slowly that
   *   `maxWaitingRequests` frames wait.
   * @throws McpError `OPTION_INVALID` unless the id is a string of at least one character
   */
  elicitationComplete(elicitationId: string): boolean;
}
