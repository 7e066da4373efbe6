import { encodeJson, type FrameBatch, type IdKey } from '@linewire/framing';
import type { CloseReason, Duplex, SendOptions } from '@linewire/transport';
import { McpError, PeerError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { printableLine } from '../printable.ts';
import { frameReport, payloadReport, type SessionReport } from '../session/session-report.ts';
import { errorText, resultText } from '../wire/answers.ts';
import { isObject } from '../wire/envelope.ts';
import { rpcCodes } from '../wire/rpc-codes.ts';
import type { CallOptions, ClientStats, ConnectOptions, Progress } from './client-types.ts';
import { type PendingCall, PendingCalls } from './pending-calls.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** Characters of a dead server's stderr that go into the message of an error; the whole tail is in `stderrTail`. */
const STDERR_IN_MESSAGE = 300;

const REPLY_LANE: SendOptions = { lane: 'reply' };

/** The frames of one client: requests out, answers matched strictly by id, everything else counted and reported. */
export class ClientSession {
  readonly stats: ClientStats = {
    requests: 0,
    answers: 0,
    unmatchedAnswers: 0,
    faults: 0,
    invalid: 0,
    strayProgress: 0,
  };
  private readonly duplex: Duplex;
  private readonly pending: PendingCalls = new PendingCalls((call) => this.expired(call));
  private readonly waiting: WaitingRequests;
  private readonly requestTimeoutMs: number;
  private readonly onReport: ((report: SessionReport) => void) | undefined;
  private nextId = 1;
  private ended: CloseReason | undefined = undefined;
  private closing = false;

  constructor(duplex: Duplex, options: Pick<ConnectOptions, 'requestTimeoutMs' | 'onReport' | 'onStderr'>) {
    this.duplex = duplex;
    this.waiting = new WaitingRequests(duplex, (call, error) =>
      this.pending.take(call.id)?.reject(error as Error),
    );
    this.requestTimeoutMs = limitValue('requestTimeoutMs', options.requestTimeoutMs);
    this.onReport = options.onReport;
    duplex.start({
      onFrames: (batch) => this.frames(batch),
      // No answer can come any more, so there is nothing to wait for; the end of the child brings the reason.
      onEnd: () => void this.duplex.close(),
      onDrain: () => this.waiting.drained(),
      onClose: (reason) => this.connectionClosed(reason),
      ...(options.onStderr === undefined ? {} : { onStderr: options.onStderr }),
    });
  }

  /** Sends one request. The promise is the caller's; a rejection that nobody awaits does not end the process. */
  request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const promise = new Promise<Record<string, unknown>>((resolve, reject) => {
      this.start(method, params, options, resolve, reject);
    });
    return tolerated(promise);
  }

  /** Sends a notification, unless the connection is gone. */
  notify(method: string, params?: Record<string, unknown>): void {
    const more = params === undefined ? '' : `,"params":${encodeJson(params)}`;
    this.write(`{"jsonrpc":"2.0","method":"${method}"${more}}`);
  }

  close(): Promise<CloseReason> {
    this.closing = true;
    this.waiting.clear();
    this.pending.rejectAll(
      (call) => new McpError('PEER_CLOSED', `The client was closed before ${call.method} was answered`),
    );
    return this.duplex.close();
  }

  private start(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions,
    resolve: PendingCall['resolve'],
    reject: PendingCall['reject'],
  ): void {
    const { signal, onProgress } = options;
    if (this.closing || this.ended !== undefined) {
      reject(
        this.ended === undefined
          ? new McpError('PEER_CLOSED', 'The client is closed')
          : peerClosed(this.ended, method),
      );
      return;
    }
    if (signal?.aborted === true) {
      reject(cancelled(method, signal));
      return;
    }
    const id = this.nextId++;
    const timeoutMs = limitValue('requestTimeoutMs', options.timeoutMs ?? this.requestTimeoutMs);
    const all = onProgress === undefined ? params : { ...params, _meta: { progressToken: id } };
    const more = all === undefined ? '' : `,"params":${encodeJson(all)}`;
    const onAbort = signal === undefined ? undefined : () => this.aborted(id, signal);
    signal?.addEventListener('abort', onAbort as () => void, { once: true });
    const call: PendingCall = {
      id,
      method,
      resolve,
      reject,
      onProgress,
      signal,
      onAbort,
      timeoutMs,
      deadline: performance.now() + timeoutMs,
      ticket: 0,
    };
    this.pending.add(call);
    this.stats.requests++;
    try {
      this.waiting.send(call, `{"jsonrpc":"2.0","id":${id},"method":"${method}"${more}}`);
    } catch (error) {
      this.pending.take(id);
      throw error;
    }
  }

  /** Answers and notifications, which an outbox always takes; the end of the connection needs no word about them. */
  private write(frame: string): void {
    if (this.ended === undefined && !this.closing) this.duplex.send(frame, REPLY_LANE);
  }

  private aborted(id: number, signal: AbortSignal): void {
    const call = this.pending.take(id);
    if (call === undefined) return;
    this.tellCancelled(call, 'Cancelled by the caller');
    call.reject(cancelled(call.method, signal));
  }

  private expired(call: PendingCall): void {
    this.tellCancelled(call, 'Request timed out');
    call.reject(
      new McpError(
        'REQUEST_TIMEOUT',
        `No answer to ${call.method} (id ${call.id}) within ${call.timeoutMs} ms`,
      ),
    );
  }

  private tellCancelled(call: PendingCall, reason: string): void {
    // Of a request that was never sent the server need not hear.
    if (this.waiting.withdraw(call)) return;
    // The handshake must not be cancelled; the caller ends the server instead.
    if (call.method !== 'initialize') this.notify('notifications/cancelled', { requestId: call.id, reason });
  }

  private frames(batch: FrameBatch): void {
    for (let index = 0; index < batch.count; index++) {
      switch (batch.kind(index)) {
        case 'result':
        case 'error':
          this.answer(batch, index);
          break;
        case 'notification':
          this.notification(batch, index);
          break;
        case 'request':
          this.peerRequest(batch, index);
          break;
        case 'fault':
          this.fault(batch, index);
          break;
        case 'invalid':
          this.invalid(batch, index);
          break;
        default:
          this.stats.invalid++;
          this.report({
            code: 'BATCH_REFUSED',
            message: 'an array is no message here',
            offset: batch.start(index),
          });
      }
    }
  }

  private answer(batch: FrameBatch, index: number): void {
    const key = batch.idKey(index);
    const waiting = this.pending.get(key);
    if (waiting === undefined) {
      this.unmatched(batch, index);
      return;
    }
    const payload = this.payload(batch, index, waiting.method);
    if (payload === BAD_PAYLOAD) return;
    const call = this.pending.take(key) as PendingCall;
    this.stats.answers++;
    if (batch.kind(index) === 'result') call.resolve(payload as Record<string, unknown>);
    else call.reject(peerError(payload, call));
  }

  private unmatched(batch: FrameBatch, index: number): void {
    this.stats.unmatchedAnswers++;
    const message = `answer for ${batch.idText(index) ?? 'no id'}, waiting for ${this.pending.describe()}`;
    this.report({ code: 'UNMATCHED_ANSWER', message, offset: batch.start(index) });
  }

  private notification(batch: FrameBatch, index: number): void {
    if (batch.method(index) !== 'notifications/progress') return;
    const params = this.payload(batch, index);
    if (!isObject(params)) return;
    const token = params['progressToken'];
    const call = typeof token === 'number' ? this.pending.get(token as IdKey) : undefined;
    if (call?.onProgress === undefined || typeof params['progress'] !== 'number') this.stats.strayProgress++;
    else callBack(call.onProgress, progressOf(params));
  }

  /** A legacy server may ask; this client offers nothing but ping. Never answered: what cannot be read. */
  private peerRequest(batch: FrameBatch, index: number): void {
    if (this.payload(batch, index) === BAD_PAYLOAD) return;
    const idText = batch.idText(index) as string;
    const method = batch.method(index) as string;
    if (method === 'ping') {
      this.write(resultText(idText, '{}'));
      return;
    }
    this.report({
      code: 'UNEXPECTED_REQUEST',
      message: `the server asks for ${method}`,
      offset: batch.start(index),
    });
    this.write(errorText(idText, { code: rpcCodes.methodNotFound, message: `Method not found: ${method}` }));
  }

  private fault(batch: FrameBatch, index: number): void {
    this.stats.faults++;
    this.report(frameReport(batch, index));
    if (batch.code(index) !== 'FRAME_TOO_LARGE' || batch.hasMethod(index)) return;
    const call = this.pending.take(batch.idKey(index));
    if (call === undefined) return;
    const { limit, actual } = batch.fault(index) ?? {};
    const message = `The answer to ${call.method} (id ${call.id}) has ${actual} bytes, the limit is ${limit} (maxFrameBytes)`;
    call.reject(new McpError('FRAME_TOO_LARGE', message, { limit, actual }));
  }

  private invalid(batch: FrameBatch, index: number): void {
    this.stats.invalid++;
    const report = frameReport(batch, index);
    this.report(report);
    if (batch.hasMethod(index)) return;
    const call = this.pending.take(batch.idKey(index));
    call?.reject(invalidResponse(call, report.message));
  }

  private payload(batch: FrameBatch, index: number, answeredMethod?: string): unknown {
    try {
      return batch.payload(index, answeredMethod);
    } catch (error) {
      this.stats.faults++;
      this.report(payloadReport(batch, index, error));
      return BAD_PAYLOAD;
    }
  }

  private report(report: SessionReport): void {
    if (this.onReport !== undefined) callBack(this.onReport, report);
  }

  private connectionClosed(reason: CloseReason): void {
    this.ended = reason;
    this.waiting.clear();
    this.pending.rejectAll((call) => peerClosed(reason, call.method));
  }
}

const BAD_PAYLOAD: unique symbol = Symbol('payload is not JSON');

/** Marks a promise as handled: whoever awaits it still gets the rejection. */
export function tolerated<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** An error for a call whose answer has the wrong shape. */
export function invalidResponse(call: { readonly method: string }, why: string): McpError {
  return new McpError('INVALID_RESPONSE', `Unusable answer to ${call.method}: ${why}`);
}

function cancelled(method: string, signal: AbortSignal): McpError {
  return new McpError('CANCELLED', `${method} was cancelled by the caller`, { cause: signal.reason });
}

function peerError(payload: unknown, call: PendingCall): Error {
  const { code, message, data } = payload as { code?: unknown; message?: unknown; data?: unknown };
  if (!Number.isInteger(code) || typeof message !== 'string') {
    return invalidResponse(call, 'the error has no integer code or no message');
  }
  return new PeerError(code as number, message, data);
}

function peerClosed(reason: CloseReason, method: string): McpError {
  const how =
    typeof reason.signal === 'string'
      ? `was ended by ${reason.signal}`
      : typeof reason.exitCode === 'number'
        ? `exited with code ${reason.exitCode}`
        : `is gone (${reason.error?.message ?? reason.kind})`;
  const tail = reason.stderrTail?.trim() ?? '';
  const said = tail === '' ? '' : `; its last words: ${printableLine(tail.slice(-STDERR_IN_MESSAGE))}`;
  return new McpError('PEER_CLOSED', `The server ${how} before ${method} was answered${said}`, {
    cause: reason.error,
    exitCode: reason.exitCode,
    signal: reason.signal,
    stderrTail: reason.stderrTail,
  });
}

function progressOf(params: Record<string, unknown>): Progress {
  const { progress, total, message } = params;
  return {
    progress: progress as number,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

/** A callback that throws is the caller's bug: it surfaces as such, but no frame behind it is lost. */
function callBack<T>(callback: (value: T) => void, value: T): void {
  try {
    callback(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
