import { encodeJson, type FrameBatch } from '@linewire/framing';
import type { CloseReason, Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { printableLine } from '../printable.ts';
import { callBack } from '../session/call-back.ts';
import { OutboundRequests } from '../session/outbound-requests.ts';
import { frameReport, payloadReport, type SessionReport } from '../session/session-report.ts';
import { errorText, resultText } from '../wire/answers.ts';
import { rpcCodes } from '../wire/rpc-codes.ts';
import type { CallOptions, ClientStats, ConnectOptions } from './client-types.ts';

/** Characters of a dead server's stderr that go into the message of an error; the whole tail is in `stderrTail`. */
const STDERR_IN_MESSAGE = 300;

/** The frames of one client: requests out, answers to them in, everything else counted and reported. */
export class ClientSession {
  private readonly duplex: Duplex;
  private readonly outbound: OutboundRequests;
  private readonly onReport: ((report: SessionReport) => void) | undefined;
  private faults = 0;
  private invalids = 0;
  private isOver = false;

  constructor(duplex: Duplex, options: Pick<ConnectOptions, 'requestTimeoutMs' | 'onReport' | 'onStderr'>) {
    this.duplex = duplex;
    this.onReport = options.onReport;
    this.outbound = new OutboundRequests(duplex, {
      firstId: 1,
      requestTimeoutMs: limitValue('requestTimeoutMs', options.requestTimeoutMs),
      // Bounded by the caller's own calls.
      maxWaitingRequests: Number.POSITIVE_INFINITY,
      report: (report) => this.report(report),
    });
    duplex.start({
      onFrames: (batch) => this.frames(batch),
      // No answer can come any more, so there is nothing to wait for; the end of the child brings the reason.
      onEnd: () => void this.duplex.close(),
      onDrain: () => this.outbound.drained(),
      onClose: (reason) => this.end((method) => peerClosed(reason, method)),
      ...(options.onStderr === undefined ? {} : { onStderr: options.onStderr }),
    });
  }

  /** A snapshot, made when it is read. */
  get stats(): ClientStats {
    const { requests, answers, unmatchedAnswers, lateAnswers, strayProgress } = this.outbound.counters;
    const { faults, invalids: invalid } = this;
    return { requests, answers, unmatchedAnswers, lateAnswers, faults, invalid, strayProgress };
  }

  /** Sends one request: see `OutboundRequests.request`. */
  request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.outbound.request(method, params, options);
  }

  /** Sends a notification, unless the connection is gone. */
  notify(method: string, params?: Record<string, unknown>): void {
    const more = params === undefined ? '' : `,"params":${encodeJson(params)}`;
    this.write(`{"jsonrpc":"2.0","method":"${method}"${more}}`);
  }

  close(): Promise<CloseReason> {
    this.end((method) => new McpError('PEER_CLOSED', `The client was closed before ${method} was answered`));
    return this.duplex.close();
  }

  /** Answers and notifications, which an outbox always takes; the end of the connection needs no word about them. */
  private write(frame: string): void {
    if (!this.isOver) this.duplex.sendEncoded(frame);
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
          this.invalids++;
          this.report({
            code: 'BATCH_REFUSED',
            message: 'an array is no message here',
            offset: batch.start(index),
          });
      }
    }
  }

  private answer(batch: FrameBatch, index: number): void {
    try {
      this.outbound.answer(batch, index);
    } catch (error) {
      this.badPayload(batch, index, error);
    }
  }

  private notification(batch: FrameBatch, index: number): void {
    if (batch.method(index) !== 'notifications/progress') return;
    const params = this.payload(batch, index);
    if (params !== BAD_PAYLOAD) this.outbound.progress(params);
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
    this.faults++;
    this.report(frameReport(batch, index));
    if (batch.code(index) === 'FRAME_TOO_LARGE' && !batch.hasMethod(index))
      this.outbound.oversizeAnswer(batch, index);
  }

  private invalid(batch: FrameBatch, index: number): void {
    this.invalids++;
    const report = frameReport(batch, index);
    this.report(report);
    if (!batch.hasMethod(index)) this.outbound.invalidAnswer(batch.idKey(index), report.message);
  }

  private payload(batch: FrameBatch, index: number): unknown {
    try {
      return batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return BAD_PAYLOAD;
    }
  }

  /** The frame's envelope was fine, its payload is not JSON. A call that it may have answered goes on waiting, as after any other noise. */
  private badPayload(batch: FrameBatch, index: number, error: unknown): void {
    this.faults++;
    this.report(payloadReport(batch, index, error));
  }

  private report(report: SessionReport): void {
    if (this.onReport !== undefined) callBack(this.onReport, report);
  }

  private end(errorFor: (method: string) => Error): void {
    this.isOver = true;
    this.outbound.end(errorFor);
  }
}

const BAD_PAYLOAD: unique symbol = Symbol('payload is not JSON');

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
