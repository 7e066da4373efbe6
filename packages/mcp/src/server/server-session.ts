import { decodeJson, type FrameBatch, type FrameCode, type IdKey } from '@linewire/framing';
import type { CloseReason, Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { frameReport, payloadReport, type SessionReport } from '../session/session-report.ts';
import { newSessionStats, type SessionStats } from '../session/session-stats.ts';
import { cancelledKey } from '../wire/cancel-notice.ts';
import { type RpcRefusal, rpcCodes } from '../wire/rpc-codes.ts';
import { Dispatcher } from './dispatcher.ts';
import { ParkedQueue } from './parked-queue.ts';
import { ReplyWriter } from './reply-writer.ts';
import type { ServeOptions, ServerSession } from './serve-options.ts';
import { catalogOf, type McpServer } from './server.ts';
import { ToolAnswers } from './tool-answers.ts';
import { ToolRunner } from './tool-runner.ts';

const SHUTTING_DOWN: RpcRefusal = { code: rpcCodes.internalError, message: 'server shutting down' };
const DUPLICATE_ID: RpcRefusal = { code: rpcCodes.invalidRequest, message: 'Duplicate request id' };

/** Invalid frames with a usable id that are clearly meant as a request; the sender gets to know. */
const ANSWERED_INVALID: ReadonlySet<FrameCode> = new Set<FrameCode>([
  'ENVELOPE_VERSION',
  'ENVELOPE_METHOD',
  'ENVELOPE_PARAMS',
]);

/**
 * Runs a server on a connection that was not started yet. The session starts it and ends it: by itself when the
 * peer's input has ended and everything that was accepted is answered, or by `close()`.
 */
export function serve(server: McpServer, duplex: Duplex, options: ServeOptions = {}): ServerSession {
  return new Session(server, duplex, options);
}

/**
 * The frames of one connection: who is answered, refused, parked or ignored. Work of a request that is answered
 * at once: two lookups in the batch, the decoded payload, one string out.
 */
class Session implements ServerSession {
  readonly stats: SessionStats = newSessionStats();
  private readonly duplex: Duplex;
  private readonly out: ReplyWriter;
  private readonly runner: ToolRunner;
  private readonly dispatcher: Dispatcher;
  private readonly parked: ParkedQueue = new ParkedQueue();
  private readonly onReport: ((report: SessionReport) => void) | undefined;
  private readonly maxInFlight: number;
  private readonly maxParkedBytes: number;
  private readonly drainTimeoutMs: number;
  private inputEnded = false;
  private ending = false;
  private stalled = false;
  private readonly settledWaiters: (() => void)[] = [];
  private drainTimer: NodeJS.Timeout | undefined = undefined;
  /** The request that is being dispatched, for `paramsText`; legal only inside `onFrames`. */
  private currentBatch: FrameBatch | undefined = undefined;
  private currentIndex = 0;
  private currentText: string | undefined = undefined;
  /** One closure for all requests. */
  private readonly paramsText = (): string | undefined => {
    return this.currentBatch === undefined
      ? this.currentText
      : this.currentBatch.payloadText(this.currentIndex);
  };

  constructor(server: McpServer, duplex: Duplex, options: ServeOptions) {
    const catalog = catalogOf(server);
    this.duplex = duplex;
    this.onReport = options.onReport;
    this.maxInFlight = limitValue('maxInFlight', options.maxInFlight);
    this.maxParkedBytes = limitValue('maxParkedBytes', options.maxParkedBytes);
    this.drainTimeoutMs = limitValue('drainTimeoutMs', options.drainTimeoutMs);
    this.out = new ReplyWriter(duplex, this.stats);
    const answers = new ToolAnswers(this.out, catalog.infoText);
    this.runner = new ToolRunner(this.out, answers, this.stats, () => this.afterSettled());
    this.dispatcher = new Dispatcher(catalog, this.out, this.runner, options.legacy === 'reject');
    duplex.start({
      onFrames: (batch) => this.frames(batch),
      onEnd: () => this.endOfInput(),
      onDrain: () => this.drained(),
      onClose: (reason) => this.connectionClosed(reason),
    });
  }

  get closed(): Promise<CloseReason> {
    return this.duplex.closed;
  }

  settled(): Promise<void> {
    if (this.runner.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.settledWaiters.push(resolve));
  }

  close(): Promise<CloseReason> {
    this.giveUp();
    return this.duplex.close();
  }

  private frames(batch: FrameBatch): number {
    const count = batch.count;
    let index = 0;
    while (index < count) {
      switch (batch.kind(index)) {
        case 'request':
          this.request(batch, index);
          break;
        case 'notification':
          this.notification(batch, index);
          break;
        case 'result':
        case 'error':
          this.unmatchedAnswer(batch, index);
          break;
        case 'fault':
          this.fault(batch, index);
          break;
        case 'invalid':
          this.invalid(batch, index);
          break;
        default:
          this.stats.batches++;
          this.report({
            code: 'BATCH_REFUSED',
            message: 'an array is no message here',
            offset: batch.start(index),
          });
      }
      index++;
      if (this.stalled) break;
    }
    this.currentBatch = undefined;
    return index;
  }

  private request(batch: FrameBatch, index: number): void {
    this.stats.requests++;
    if (this.ending) return;
    let params: unknown;
    try {
      params = batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return;
    }
    const idText = batch.idText(index) as string;
    const method = batch.method(index) as string;
    if (
      (this.runner.size !== 0 || this.parked.size !== 0 || this.duplex.isFull) &&
      !this.admit(batch, index, idText, method)
    )
      return;
    // Mostly the same as before, and a store into an old object costs more than a look.
    if (this.currentBatch !== batch) this.currentBatch = batch;
    this.currentIndex = index;
    this.dispatcher.dispatch(
      idText,
      method,
      (params ?? undefined) as Record<string, unknown> | undefined,
      this.paramsText,
    );
  }

  /** False if the request was refused or parked: while others run, not every request may start at once. */
  private admit(batch: FrameBatch, index: number, idText: string, method: string): boolean {
    const key = batch.idKey(index) as IdKey;
    if (this.runner.has(key) || this.parked.has(key)) {
      this.stats.duplicateIds++;
      this.report({
        code: 'DUPLICATE_ID',
        message: `request id ${idText} is in flight already`,
        offset: batch.start(index),
      });
      this.out.refuse(idText, DUPLICATE_ID);
      return false;
    }
    const free = this.runner.size < this.maxInFlight && this.parked.size === 0 && !this.duplex.isFull;
    if (free || method === 'ping') return true;
    this.parked.add({
      key,
      idText,
      method,
      paramsText: batch.payloadText(index),
      byteCount: batch.byteLength(index),
    });
    this.countParked();
    if (this.parked.byteCount > this.maxParkedBytes) {
      this.stalled = true;
      this.stats.readStalls++;
      this.duplex.pause();
    }
    return false;
  }

  private notification(batch: FrameBatch, index: number): void {
    this.stats.notifications++;
    // All others, known or not, ask for nothing and decide nothing.
    if (batch.method(index) !== 'notifications/cancelled') return;
    let params: unknown;
    try {
      params = batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return;
    }
    const key = cancelledKey(params, () => batch.payloadText(index));
    if (key === undefined) return;
    const why = (params as { reason?: unknown }).reason;
    const reason = new McpError(
      'CANCELLED',
      typeof why === 'string' ? `Cancelled by the client: ${why}` : 'Cancelled by the client',
    );
    if (this.parked.remove(key) === undefined && !this.runner.cancel(key, reason)) return;
    this.stats.cancelled++;
    this.countParked();
    this.endIfDrained();
  }

  private fault(batch: FrameBatch, index: number): void {
    this.stats.faults++;
    this.report(frameReport(batch, index));
    const idText = batch.idText(index);
    if (batch.code(index) !== 'FRAME_TOO_LARGE' || idText === undefined || !isMeantAsRequest(batch, index))
      return;
    const { limit, actual } = batch.fault(index) ?? {};
    this.refuse(idText, {
      code: rpcCodes.invalidRequest,
      message: `Request too large: ${actual} bytes, the limit is ${limit}`,
      data: { limit, actual },
    });
  }

  private invalid(batch: FrameBatch, index: number): void {
    const code = batch.code(index);
    const idText = batch.idText(index);
    const answered =
      idText !== undefined &&
      code !== undefined &&
      ANSWERED_INVALID.has(code) &&
      isMeantAsRequest(batch, index);
    if (answered) {
      try {
        batch.value(index);
      } catch (error) {
        this.badPayload(batch, index, error);
        return;
      }
    }
    this.stats.invalid++;
    this.report(frameReport(batch, index));
    if (answered)
      this.refuse(idText, {
        code: rpcCodes.invalidRequest,
        message: `Invalid request: ${INVALID_TEXTS[code] ?? code}`,
      });
  }

  private unmatchedAnswer(batch: FrameBatch, index: number): void {
    this.stats.unmatchedAnswers++;
    const message = `answer for ${batch.idText(index) ?? 'no id'}, waiting for none`;
    this.report({ code: 'UNMATCHED_ANSWER', message, offset: batch.start(index) });
  }

  /** The frame's envelope was fine, its payload is not JSON: a fault like any other, and no answer. */
  private badPayload(batch: FrameBatch, index: number, error: unknown): void {
    this.stats.faults++;
    this.report(payloadReport(batch, index, error));
  }

  private refuse(idText: string, refusal: RpcRefusal): void {
    if (!this.ending) this.out.refuse(idText, refusal);
  }

  private report(report: SessionReport): void {
    this.onReport?.(report);
  }

  private afterSettled(): void {
    if (this.runner.size === 0) for (const resolve of this.settledWaiters.splice(0)) resolve();
    if (this.ending) return;
    this.runParked();
    this.drainTimer?.refresh();
    this.endIfDrained();
  }

  /** The peer has read enough of what was sent: more may be run. */
  private drained(): void {
    this.afterSettled();
  }

  private runParked(): void {
    while (this.runner.size < this.maxInFlight && !this.duplex.isFull) {
      const request = this.parked.shift();
      if (request === undefined) break;
      this.currentText = request.paramsText;
      // Decoded once before it was parked, so this cannot fail.
      const params = request.paramsText === undefined ? undefined : decodeJson(request.paramsText);
      this.dispatcher.dispatch(
        request.idText,
        request.method,
        (params ?? undefined) as Record<string, unknown> | undefined,
        this.paramsText,
      );
    }
    this.currentText = undefined;
    this.countParked();
    this.resumeReading();
  }

  private countParked(): void {
    this.stats.parked = this.parked.size;
    this.stats.parkedBytes = this.parked.byteCount;
  }

  /** Half empty before reading goes on: no stop and go per request. */
  private resumeReading(): void {
    if (!this.stalled || this.parked.byteCount * 2 > this.maxParkedBytes) return;
    this.stalled = false;
    this.duplex.resume();
  }

  private endOfInput(): void {
    this.inputEnded = true;
    this.endIfDrained();
    if (!this.ending) this.drainTimer = setTimeout(() => this.drainTimedOut(), this.drainTimeoutMs);
  }

  /** A peer that reads slowly holds its own answers up; only handlers are given up. */
  private drainTimedOut(): void {
    if (this.duplex.isFull) this.drainTimer?.refresh();
    else void this.close();
  }

  /** All input is read and all that was accepted is answered: flush and end. */
  private endIfDrained(): void {
    if (!this.inputEnded || this.ending || this.runner.owed !== 0 || this.parked.size !== 0) return;
    this.ending = true;
    clearTimeout(this.drainTimer);
    // `close()` of own stdio gives unsent bytes a limited time; a peer that reads slowly, a pager for one, must get every answer all the same.
    void this.duplex.flushed().then(() => this.duplex.close());
  }

  private giveUp(): void {
    if (this.ending) return;
    this.ending = true;
    clearTimeout(this.drainTimer);
    for (let request = this.parked.shift(); request !== undefined; request = this.parked.shift()) {
      this.out.refuse(request.idText, SHUTTING_DOWN);
    }
    this.countParked();
    this.runner.abortAll(new McpError('PEER_CLOSED', 'The server is shutting down'), SHUTTING_DOWN);
  }

  private connectionClosed(reason: CloseReason): void {
    this.ending = true;
    this.out.shut();
    clearTimeout(this.drainTimer);
    this.parked.clear();
    this.countParked();
    this.runner.abortAll(new McpError('PEER_CLOSED', `The connection ended: ${reason.kind}`), undefined);
  }
}

/** The one sentence that the sender of an invalid request gets. */
const INVALID_TEXTS: Readonly<Partial<Record<FrameCode, string>>> = {
  ENVELOPE_VERSION: 'jsonrpc must be "2.0"',
  ENVELOPE_METHOD: 'method must be a string',
  ENVELOPE_PARAMS: 'params must be an object',
};

function isMeantAsRequest(batch: FrameBatch, index: number): boolean {
  return batch.hasMethod(index) && !batch.hasResult(index) && !batch.hasError(index);
}
