import { encodeJson, type FrameBatch, type IdKey } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import { isObject } from '../json-object.ts';
import { limits, limitValue } from '../limits.ts';
import { callBack } from './call-back.ts';
import {
  answerTooLarge,
  cancelledByCaller,
  invalidResponse,
  peerError,
  timedOut,
  tooManyWaiting,
} from './outbound-errors.ts';
import {
  newOutboundCounters,
  type OutboundCounters,
  type OutboundOptions,
  type Progress,
} from './outbound-types.ts';
import { type PendingRequest, PendingRequests } from './pending-requests.ts';
import type { SessionReport } from './session-report.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** What one side's requests have in common. */
export interface OutboundSettings {
  /** The id of the first request; each next one is one more. */
  readonly firstId: number;
  /** Where a request does not say otherwise. */
  readonly requestTimeoutMs: number;
  /** Requests, and what is sent behind them, that may wait for a place in a full outbox; one more request rejects `OVERLOADED`. */
  readonly maxWaitingRequests: number;
  readonly report: (report: SessionReport) => void;
}

/**
 * The requests that one side sends, a server or a client: numbered, matched strictly by id, each with its time, its signal and its progress. The
 * owner reads the frames and hands on what belongs to answers.
 */
export class OutboundRequests {
  readonly counters: OutboundCounters = newOutboundCounters();
  private readonly duplex: Duplex;
  private readonly settings: OutboundSettings;
  private readonly pending: PendingRequests = new PendingRequests((request) => this.expired(request));
  private readonly waiting: WaitingRequests;
  private nextId: number;
  /** Set when nothing can be answered any more. */
  private errorAfterEnd: ((method: string) => Error) | undefined = undefined;

  constructor(duplex: Duplex, settings: OutboundSettings) {
    this.duplex = duplex;
    this.settings = settings;
    this.nextId = settings.firstId;
    this.waiting = new WaitingRequests(duplex, ({ id }, error) => this.pending.take(id)?.reject(error));
  }

  /** Requests that wait for their answers, unsent ones among them. */
  get size(): number {
    return this.pending.size;
  }

  /**
   * Sends one request, or lets it wait for a place in the outbox. The promise is the caller's, and a rejection that nobody awaits does not
   * end the process: `PeerError` if the peer answered with an error, McpError `REQUEST_TIMEOUT`, `CANCELLED`, `PEER_CLOSED`,
   * `INVALID_RESPONSE`, `FRAME_TOO_LARGE`, `OVERLOADED`, `OPTION_INVALID`, or what the outbox or the encoder throws at what is no frame.
   *
   * @param params - sent as they are now; with `onProgress` a `progressToken` is added to their `_meta`
   */
  request(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    options: OutboundOptions = {},
  ): Promise<Record<string, unknown>> {
    const promise = new Promise<Record<string, unknown>>((resolve, reject) => {
      this.start(method, params, options, resolve, reject);
    });
    return tolerated(promise);
  }

  /**
   * Sends a notification behind the requests that were made before it. False: it is dropped, since nobody is there, or `maxWaitingRequests` frames wait.
   */
  notify(frame: string): boolean {
    if (this.errorAfterEnd !== undefined || this.waiting.size >= this.settings.maxWaitingRequests)
      return false;
    try {
      this.waiting.send({ ticket: 0 }, frame);
      return true;
    } catch {
      // The duplex is closed, and has not said so yet.
      return false;
    }
  }

  /**
   * A frame of kind `result` or `error`.
   *
   * @throws what decoding its payload throws; nothing has changed then
   */
  answer(batch: FrameBatch, index: number): void {
    const key = batch.idKey(index);
    const method = this.pending.get(key)?.method;
    if (method === undefined) {
      this.unmatched(batch, index);
      return;
    }
    const payload = batch.payload(index, method);
    const request = this.pending.take(key) as PendingRequest;
    this.counters.answers++;
    if (batch.kind(index) === 'error') request.reject(peerError(request, payload));
    else settle(request, payload as Record<string, unknown>);
  }

  /** A frame of kind `invalid` with no method. Were it an answer that somebody waits for, there will be no other. */
  invalidAnswer(key: IdKey | undefined, why: string): void {
    const request = this.pending.take(key);
    request?.reject(invalidResponse(request, why));
  }

  /** A frame over the limit with no method. */
  oversizeAnswer(batch: FrameBatch, index: number): void {
    const request = this.pending.take(batch.idKey(index));
    request?.reject(answerTooLarge(request, batch.fault(index)));
  }

  /** The params of a `notifications/progress`. */
  progress(params: unknown): void {
    const { progressToken: token, progress } = isObject(params) ? params : {};
    const request = typeof token === 'number' ? this.pending.get(token as IdKey) : undefined;
    if (request?.options.onProgress === undefined || typeof progress !== 'number') {
      this.counters.strayProgress++;
      return;
    }
    if (request.options.resetTimeoutOnProgress === true) {
      // The timer fires at the old deadline, finds the new one and is set to that.
      const { startedMs, timeoutMs, maxTotalMs } = request;
      request.deadlineMs = Math.min(performance.now() + timeoutMs, startedMs + maxTotalMs);
    }
    callBack(request.options.onProgress, progressOf(params as Record<string, unknown>));
  }

  /** The outbox takes requests again. */
  drained(): void {
    this.waiting.drained();
  }

  /** No answer can come any more: rejects what is pending, and what is asked later. */
  end(errorFor: (method: string) => Error): void {
    this.errorAfterEnd ??= errorFor;
    this.waiting.clear();
    for (const request of this.pending.takeAll()) request.reject(errorFor(request.method));
  }

  /** An answer for an id that nobody waits for. */
  unmatched(batch: FrameBatch, index: number): void {
    this.counters.unmatchedAnswers++;
    const key = batch.idKey(index);
    if (typeof key === 'number' && key >= this.settings.firstId && key < this.nextId)
      this.counters.lateAnswers++;
    const message = `answer for ${batch.idText(index) ?? 'no id'}, waiting for ${this.pending.describe()}`;
    this.settings.report({ code: 'UNMATCHED_ANSWER', message, offset: batch.start(index) });
  }

  private start(
    method: string,
    params: Readonly<Record<string, unknown>> | undefined,
    options: OutboundOptions,
    resolve: PendingRequest['resolve'],
    reject: PendingRequest['reject'],
  ): void {
    const { signal, onProgress } = options;
    const { maxWaitingRequests, requestTimeoutMs } = this.settings;
    if (this.errorAfterEnd !== undefined) throw this.errorAfterEnd(method);
    if (signal?.aborted === true) throw cancelledByCaller(method, signal);
    if (this.waiting.size >= maxWaitingRequests) throw tooManyWaiting(method, maxWaitingRequests);
    const timeoutMs = limitValue('requestTimeoutMs', options.timeoutMs ?? requestTimeoutMs);
    const maxTotalMs = limitValue(
      'maxTotalMs',
      options.maxTotalMs ?? Math.max(timeoutMs, limits.maxTotalMs.default),
    );
    const id = this.nextId++;
    const all = onProgress === undefined ? params : withToken(params, id);
    const more = all === undefined ? '' : `,"params":${encodeJson(all)}`;
    const onAbort = signal === undefined ? undefined : () => this.aborted(id, signal);
    const startedMs = performance.now();
    const request: PendingRequest = {
      id,
      method,
      resolve,
      reject,
      options,
      onAbort,
      timeoutMs,
      maxTotalMs,
      startedMs,
      deadlineMs: startedMs + Math.min(timeoutMs, maxTotalMs),
      ticket: 0,
    };
    signal?.addEventListener('abort', onAbort as () => void, { once: true });
    this.pending.add(request);
    this.counters.requests++;
    try {
      this.waiting.send(request, `{"jsonrpc":"2.0","id":${id},"method":"${method}"${more}}`);
    } catch (error) {
      this.pending.take(id);
      throw error;
    }
  }

  private aborted(id: number, signal: AbortSignal): void {
    const request = this.pending.take(id);
    if (request === undefined) return;
    this.counters.cancelled++;
    this.tellCancelled(request, 'Cancelled by the caller');
    request.reject(cancelledByCaller(request.method, signal));
  }

  private expired(request: PendingRequest): void {
    this.counters.timeouts++;
    this.tellCancelled(request, 'Request timed out');
    const isTotal = request.deadlineMs >= request.startedMs + request.maxTotalMs;
    request.reject(timedOut(request, isTotal && request.maxTotalMs !== request.timeoutMs));
  }

  private tellCancelled(request: PendingRequest, reason: string): void {
    // Of a request that was never sent the peer need not hear, and the handshake must not be cancelled: its caller ends the server instead.
    if (this.waiting.withdraw(request) || request.method === 'initialize') return;
    this.duplex.sendEncoded(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${request.id},"reason":"${reason}"}}`,
    );
  }
}

/** Marks a promise as handled: whoever awaits it still gets the rejection. */
export function tolerated<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function settle(request: PendingRequest, result: Record<string, unknown>): void {
  let problem: string | undefined;
  try {
    problem = request.options.problemOf?.(result);
  } catch (error) {
    request.reject(error);
    return;
  }
  if (problem === undefined) request.resolve(result);
  else request.reject(invalidResponse(request, problem));
}

function withToken(
  params: Readonly<Record<string, unknown>> | undefined,
  progressToken: number,
): Readonly<Record<string, unknown>> {
  const meta = params?.['_meta'];
  return { ...params, _meta: isObject(meta) ? { ...meta, progressToken } : { progressToken } };
}

function progressOf(params: Record<string, unknown>): Progress {
  const { progress, total, message } = params;
  return {
    progress: progress as number,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
