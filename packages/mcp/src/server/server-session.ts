import type { FrameBatch, FrameCode, IdKey } from '@linewire/framing';
import type { CloseReason, Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { frameReport, payloadReport, type SessionReport } from '../session/session-report.ts';
import {
  newSessionCounters,
  type SessionCounters,
  type SessionStats,
  sessionStats,
} from '../session/session-stats.ts';
import { cancelledKey } from '../wire/cancel-notice.ts';
import { type RpcRefusal, rpcCodes } from '../wire/rpc-codes.ts';
import { Dispatcher } from './era/dispatcher.ts';
import { catalogOf, type McpServer } from './mcp-server.ts';
import { CallRunner } from './run/call-runner.ts';
import { ConnectionState } from './run/connection-state.ts';
import { ReplyWriter } from './run/reply-writer.ts';
import { ToolAnswers } from './run/tool-answers.ts';
import type { ServeOptions, ServerSession } from './serve-options.ts';
import { TurnBudget } from './turn-budget.ts';

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
  private readonly counters: SessionCounters = newSessionCounters();
  private readonly duplex: Duplex;
  private readonly out: ReplyWriter;
  private readonly runner: CallRunner;
  private readonly dispatcher: Dispatcher;
  private readonly turn: TurnBudget = new TurnBudget();
  private readonly onReport: ((report: SessionReport) => void) | undefined;
  private readonly maxInFlight: number;
  private readonly drainTimeoutMs: number;
  private inputEnded = false;
  private ending = false;
  /** Requests are paused: for want of credit, for a peer that reads slowly, or for the rest of a turn. */
  private holding = false;
  /** Set from the moment on when somebody waits for the next turn. */
  private nextTurn: NodeJS.Immediate | undefined = undefined;
  /** The handlers have had their share of this turn: nothing more is run in it. */
  private resting = false;
  /** Reading is paused for the rest of the turn. */
  private readsNextTurn = false;
  /** A turn has begun that frames belong to wherever they come from. */
  private inTurn = false;
  private readonly settledWaiters: (() => void)[] = [];
  private drainTimer: NodeJS.Timeout | undefined = undefined;
  /** The request that is being dispatched, for `paramsText`; legal only inside `onFrames`. */
  private currentBatch: FrameBatch | undefined = undefined;
  private currentIndex = 0;
  /** One closure for all requests. */
  private readonly paramsText = (): string | undefined => this.currentBatch?.payloadText(this.currentIndex);

  constructor(server: McpServer, duplex: Duplex, options: ServeOptions) {
    const catalog = catalogOf(server);
    this.duplex = duplex;
    this.onReport = options.onReport;
    this.maxInFlight = limitValue('maxInFlight', options.maxInFlight);
    this.drainTimeoutMs = limitValue('drainTimeoutMs', options.drainTimeoutMs);
    this.out = new ReplyWriter(duplex, this.counters);
    const answers = new ToolAnswers(this.out, catalog.infoText);
    const connection = new ConnectionState(this.out, this.counters);
    const { notices } = connection;
    this.runner = new CallRunner(connection, answers, () => this.afterSettled());
    this.dispatcher = new Dispatcher(catalog, connection, this.runner, options.legacy === 'reject');
    duplex.start({
      onFrames: (batch) => this.frames(batch),
      isFree: (batch, index) => this.isFree(batch, index),
      onEnd: () => this.endOfInput(),
      // The peer has read enough of what was sent: more may be run.
      onDrain: () => {
        notices.flush();
        this.afterSettled();
      },
      onClose: (reason) => this.connectionClosed(reason),
    });
  }

  get stats(): SessionStats {
    return sessionStats(this.counters, this.duplex.parked);
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
    const { turn } = this;
    if (!this.inTurn && count > 1) turn.begin(this.duplex.queuedBytes);
    let { untilLook } = turn;
    while (index < count) {
      switch (batch.kind(index)) {
        case 'request':
          if (!this.request(batch, index)) return this.stopAt(index);
          // Behind a batch of the reader its turn is over anyway.
          if (--untilLook <= 0 && (index + 1 < count || this.inTurn)) {
            if (turn.isOver(this.duplex.queuedBytes)) this.rest();
            untilLook = turn.untilLook;
          }
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
          this.counters.batches++;
          this.report({
            code: 'BATCH_REFUSED',
            message: 'an array is no message here',
            offset: batch.start(index),
          });
      }
      index++;
      if (this.readsNextTurn) break;
    }
    turn.untilLook = untilLook;
    // Before the next request comes: one that is given back costs a batch of its own.
    if (this.runner.size >= this.maxInFlight) this.hold();
    return this.stopAt(index);
  }

  private stopAt(index: number): number {
    this.currentBatch = undefined;
    return index;
  }

  /** False: it may not run now, and comes again. */
  private request(batch: FrameBatch, index: number): boolean {
    // What comes now gets no answer any more.
    if (this.ending) return true;
    const isCrowded = this.runner.size !== 0 || this.holding || this.duplex.isFull;
    if (isCrowded && !this.mayCome(batch, index)) return false;
    this.counters.requests++;
    let params: unknown;
    try {
      params = batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return true;
    }
    const idText = batch.idText(index) as string;
    if (isCrowded && this.isInFlight(batch, index)) {
      this.duplicate(batch, index, idText);
      return true;
    }
    // Mostly the same as before, and a store into an old object costs more than a look.
    if (this.currentBatch !== batch) this.currentBatch = batch;
    this.currentIndex = index;
    this.dispatcher.dispatch(
      idText,
      batch.method(index) as string,
      (params ?? undefined) as Record<string, unknown> | undefined,
      this.paramsText,
    );
    return true;
  }

  /** Whether a request is looked at now. False: requests are parked from here on. */
  private mayCome(batch: FrameBatch, index: number): boolean {
    if (this.runner.size < this.maxInFlight && !this.holding && !this.duplex.isFull) return true;
    if (this.isFree(batch, index)) return true;
    this.hold();
    return false;
  }

  /** What needs no credit: `ping`, and an id that is in flight, which is refused at once. */
  private isFree(batch: FrameBatch, index: number): boolean {
    return batch.method(index) === 'ping' || this.isInFlight(batch, index);
  }

  private isInFlight(batch: FrameBatch, index: number): boolean {
    const key = batch.idKey(index) as IdKey;
    return this.runner.has(key) || this.duplex.parked.has(key);
  }

  private duplicate(batch: FrameBatch, index: number, idText: string): void {
    this.counters.duplicateIds++;
    this.report({
      code: 'DUPLICATE_ID',
      message: `request id ${idText} is in flight already`,
      offset: batch.start(index),
    });
    this.out.refuse(idText, DUPLICATE_ID);
  }

  private notification(batch: FrameBatch, index: number): void {
    this.counters.notifications++;
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
    if (!this.duplex.parked.drop(key) && !this.runner.cancel(key, reason)) return;
    this.counters.cancelled++;
    this.endIfDrained();
  }

  private fault(batch: FrameBatch, index: number): void {
    this.counters.faults++;
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
    this.counters.invalid++;
    this.report(frameReport(batch, index));
    if (answered)
      this.refuse(idText, {
        code: rpcCodes.invalidRequest,
        message: `Invalid request: ${INVALID_TEXTS[code] ?? code}`,
      });
  }

  private unmatchedAnswer(batch: FrameBatch, index: number): void {
    this.counters.unmatchedAnswers++;
    const message = `answer for ${batch.idText(index) ?? 'no id'}, waiting for none`;
    this.report({ code: 'UNMATCHED_ANSWER', message, offset: batch.start(index) });
  }

  /** The frame's envelope was fine, its payload is not JSON: a fault like any other, and no answer. */
  private badPayload(batch: FrameBatch, index: number, error: unknown): void {
    this.counters.faults++;
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
    this.release();
    this.drainTimer?.refresh();
    this.endIfDrained();
  }

  /** From here on requests are parked. */
  private hold(): void {
    if (this.holding) return;
    this.holding = true;
    this.duplex.pauseRequests();
  }

  /** Runs what is parked, as far as it may run. */
  private release(): void {
    if (!this.holding || this.resting || this.runner.size >= this.maxInFlight || this.duplex.isFull) return;
    this.holding = false;
    if (this.nextTurn === undefined && this.duplex.parked.count > 0) {
      this.turn.begin(this.duplex.queuedBytes);
      this.waitForTurn();
    }
    const wasInTurn = this.inTurn;
    this.inTurn = true;
    this.duplex.resumeRequests();
    this.inTurn = wasInTurn;
  }

  /**
   * The rest of the turn belongs to others: to timers, to settling handlers, to the writing of answers. Slow requests are parked, so that a
   * ping or a cancel behind them gets through; of fast ones nothing more is read, which is cheaper, and they are soon done with.
   */
  private rest(): void {
    if (this.resting) return;
    this.resting = true;
    if (this.turn.isSlow) this.hold();
    else {
      this.readsNextTurn = true;
      this.duplex.pause();
    }
    this.waitForTurn();
  }

  private waitForTurn(): void {
    this.nextTurn ??= setImmediate(this.onTurn);
  }

  private readonly onTurn = (): void => {
    this.nextTurn = undefined;
    this.resting = false;
    this.turn.begin(this.duplex.queuedBytes);
    this.inTurn = true;
    this.release();
    if (this.readsNextTurn) {
      this.readsNextTurn = false;
      this.duplex.resume();
    }
    this.inTurn = false;
    this.endIfDrained();
  };

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
    if (!this.inputEnded || this.ending || this.runner.owed !== 0 || this.duplex.parked.count !== 0) return;
    this.ending = true;
    clearTimeout(this.drainTimer);
    // `close()` of own stdio gives unsent bytes a limited time; a peer that reads slowly, a pager for one, must get every answer all the same.
    void this.duplex.flushed().then(() => this.duplex.close());
  }

  private giveUp(): void {
    if (this.ending) return;
    this.ending = true;
    clearTimeout(this.drainTimer);
    for (const idText of this.duplex.parked.dropAll()) this.out.refuse(idText, SHUTTING_DOWN);
    this.runner.abortAll(new McpError('PEER_CLOSED', 'The server is shutting down'), SHUTTING_DOWN);
  }

  private connectionClosed(reason: CloseReason): void {
    this.ending = true;
    this.out.shut();
    clearTimeout(this.drainTimer);
    clearImmediate(this.nextTurn);
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
