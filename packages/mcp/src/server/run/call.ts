import { encodeJson, type IdSource, idOfSource } from '@linewire/framing';
import { tolerated } from '../../session/outbound-requests.ts';
import { logRank } from '../../wire/log-levels.ts';
import { metaKeys } from '../../wire/versions.ts';
import type { RequestContext } from '../api/context.ts';
import type { Answers } from './answers.ts';
import type { CallInputs } from './call-inputs.ts';
import type { ConnectionState } from './connection-state.ts';
import { completeElicitation } from './elicitation-complete.ts';
import { checkedRank, logFrame } from './log-message.ts';

/**
 * One request whose handler runs: the handler's context and, if the handler awaits, the pending entry too. Everything
 * that only some calls need (signal, id value) is made when it is asked for: an AbortController alone costs more
 * than the rest of a call.
 */
export class Call implements RequestContext {
  readonly idSource: IdSource;
  /** Name of the tool or prompt, URI of the resource: what the request is about, for messages. */
  readonly target: string;
  readonly modern: boolean;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** How what the handler gives back becomes the answer. */
  readonly answers: Answers;
  /** Of a modern request that may ask its client: all of its params, as they were decoded. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** What the handler has asked the client, or what a retry has brought. */
  inputs: CallInputs | undefined;
  /** False as soon as the call is answered or cancelled: from then on nothing about it is sent. */
  live: boolean;
  readonly connection: ConnectionState;
  private readonly tokenText: string | undefined;
  /** Not a number from the start: a field that holds a double costs an allocation per call. */
  private lastProgress: number | undefined;
  private controller: AbortController | undefined;
  private abortReason: unknown;

  constructor(
    connection: ConnectionState,
    answers: Answers,
    idSource: IdSource,
    target: string,
    modern: boolean,
    meta: Readonly<Record<string, unknown>> | undefined,
    tokenText: string | undefined,
    params: Readonly<Record<string, unknown>> | undefined,
  ) {
    this.connection = connection;
    this.answers = answers;
    this.idSource = idSource;
    this.target = target;
    this.modern = modern;
    this.meta = meta;
    this.tokenText = tokenText;
    this.params = params;
    // Set here and not where they are declared: V8 runs the declarations' values as a call of their own.
    this.live = true;
    this.inputs = undefined;
    this.lastProgress = undefined;
    this.controller = undefined;
    this.abortReason = undefined;
  }

  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.abortReason !== undefined) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  get requestId(): string | number | bigint {
    return idOfSource(this.idSource);
  }

  get era(): RequestContext['era'] {
    return this.modern ? 'modern' : 'legacy';
  }

  get protocolVersion(): string {
    return this.modern
      ? (this.meta?.[metaKeys.protocolVersion] as string)
      : (this.connection.legacyClient?.protocolVersion ?? '');
  }

  get clientInfo(): RequestContext['clientInfo'] {
    return this.modern
      ? (this.meta?.[metaKeys.clientInfo] as RequestContext['clientInfo'])
      : this.connection.legacyClient?.clientInfo;
  }

  get clientCapabilities(): Readonly<Record<string, unknown>> {
    const given = this.modern
      ? this.meta?.[metaKeys.clientCapabilities]
      : this.connection.legacyClient?.capabilities;
    return (given as Readonly<Record<string, unknown>> | undefined) ?? {};
  }

  /** A getter, so that a handler may take the function out of the context; only one that does pays for it. */
  get progress(): RequestContext['progress'] {
    return (value, total, message) => this.sendProgress(value, total, message);
  }

  /** A getter for the same reason. */
  get log(): RequestContext['log'] {
    return (level, data, logger) => {
      const rank = checkedRank(level);
      if (this.live && this.wantsLog(rank)) this.connection.notices.message(logFrame(level, data, logger));
    };
  }

  /** A getter for the same reason. */
  get requestInput(): RequestContext['requestInput'] {
    return (key, request) => {
      this.inputs ??= this.connection.inputs.open(this);
      return tolerated(this.inputs.ask(key, request));
    };
  }

  /** A getter for the same reason. It outlives the call: users take their time. */
  get elicitationComplete(): RequestContext['elicitationComplete'] {
    return (elicitationId) => completeElicitation(this, elicitationId);
  }

  /** From now on nothing about the call is sent, also no progress that waits for a slow client. */
  end(): void {
    this.live = false;
    if (this.lastProgress !== undefined) this.connection.notices.forgetProgress(this.tokenText as string);
  }

  /** Ends what the call may still send, and tells the handler. `reason` must not be undefined. */
  abort(reason: unknown): void {
    if (this.abortReason !== undefined) return;
    this.end();
    this.abortReason = reason;
    this.controller?.abort(reason);
  }

  private wantsLog(rank: number): boolean {
    if (!this.modern) return rank >= this.connection.logLevel;
    if (!this.connection.offersLogging) return false;
    const wanted = logRank(this.meta?.[metaKeys.logLevel]);
    return wanted >= 0 && rank >= wanted;
  }

  private sendProgress(value: number, total: number | undefined, message: string | undefined): void {
    if (this.tokenText === undefined || !this.live) return;
    if (!Number.isFinite(value) || (this.lastProgress !== undefined && value <= this.lastProgress)) return;
    this.lastProgress = value;
    const more =
      (total === undefined || !Number.isFinite(total) ? '' : `,"total":${total}`) +
      (message === undefined ? '' : `,"message":${encodeJson(String(message))}`);
    this.connection.notices.progress(
      this.tokenText,
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${this.tokenText},"progress":${value}${more}}}`,
    );
  }
}
