import { type FrameBatch, type FrameCode, type IdKey, type IdSource, idKeyOfSource } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import { McpError } from '../errors.ts';
import { frameReport, payloadReport, type SessionReport } from '../session/session-report.ts';
import type { SessionCounters } from '../session/session-stats.ts';
import { cancelledKey } from '../wire/cancel-notice.ts';
import { type RpcRefusal, rpcCodes } from '../wire/rpc-codes.ts';
import type { Admission } from './admission.ts';
import type { ArrayIntake } from './array-intake.ts';
import type { ClientRequests } from './client-requests.ts';
import type { Dispatcher } from './era/dispatcher.ts';
import type { CallRunner } from './run/call-runner.ts';
import type { ReplyWriter } from './run/reply-writer.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';

const DUPLICATE_ID: RpcRefusal = { code: rpcCodes.invalidRequest, message: 'Duplicate request id' };

/** Invalid frames with a usable id that are clearly meant as a request; the sender gets to know. */
const ANSWERED_INVALID: ReadonlySet<FrameCode> = new Set<FrameCode>([
  'ENVELOPE_VERSION',
  'ENVELOPE_METHOD',
  'ENVELOPE_PARAMS',
]);

/** Answers without credit that a client gets while it does not read; so many are no burden, and mostly one is a ping of a watchdog. */
const MAX_UNREAD_ANSWERS = 256;

/** The one sentence that the sender of an invalid request gets. */
const INVALID_TEXTS: Readonly<Partial<Record<FrameCode, string>>> = {
  ENVELOPE_VERSION: 'jsonrpc must be "2.0"',
  ENVELOPE_METHOD: 'method must be a string',
  ENVELOPE_PARAMS: 'params must be an object',
};

/** What the intake works with, and what it leaves to the session. */
export interface IntakeParts {
  readonly duplex: Duplex;
  readonly counters: SessionCounters;
  readonly out: ReplyWriter;
  readonly runner: CallRunner;
  readonly dispatcher: Dispatcher;
  readonly admission: Admission;
  readonly asked: ClientRequests;
  readonly arrays: ArrayIntake;
  readonly subscriptions: Subscriptions;
  /** Ends what has that id. False: nothing has. */
  cancel(key: IdKey, reason: McpError): boolean;
  report(report: SessionReport): void;
}

/**
 * The frames of one connection: who is answered, refused, parked or ignored. Work of a request that is answered
 * at once: two lookups in the batch, the decoded payload, one string out.
 */
export class FrameIntake {
  private readonly parts: IntakeParts;
  private readonly duplex: Duplex;
  private readonly counters: SessionCounters;
  private readonly runner: CallRunner;
  private readonly dispatcher: Dispatcher;
  private readonly admission: Admission;
  /** The request that is being dispatched, for `paramsText`; legal only inside `onFrames`. */
  private currentBatch: FrameBatch | undefined = undefined;
  private currentIndex = 0;
  /** Reading is paused in front of a frame whose answer has no room: see `leavesUnread`. */
  private isStalled = false;
  /** Answers without credit since the outbox became full. */
  private unreadAnswers = 0;
  /** One closure for all requests. */
  private readonly paramsText = (): string | undefined => this.currentBatch?.payloadText(this.currentIndex);

  constructor(parts: IntakeParts) {
    this.parts = parts;
    this.duplex = parts.duplex;
    this.counters = parts.counters;
    this.runner = parts.runner;
    this.dispatcher = parts.dispatcher;
    this.admission = parts.admission;
  }

  /** Returns how many frames are consumed; the rest comes again. */
  frames(batch: FrameBatch): number {
    const count = batch.count;
    let index = 0;
    const { admission } = this;
    const { turn } = admission;
    if (!admission.inTurn && count > 1) turn.begin(this.duplex.queuedBytes);
    let { untilLook } = turn;
    reading: while (index < count) {
      switch (batch.kind(index)) {
        case 'request':
          if (!this.request(batch, index)) break reading;
          // Behind a batch of the reader its turn is over anyway.
          if (--untilLook <= 0 && (index + 1 < count || admission.inTurn)) {
            if (turn.isOver(this.duplex.queuedBytes)) admission.rest();
            untilLook = turn.untilLook;
          }
          break;
        case 'notification':
          this.notification(batch, index);
          break;
        case 'result':
        case 'error':
          this.answer(batch, index);
          break;
        case 'fault':
          if (isMeantAsRequest(batch, index) && this.leavesUnread(MAX_UNREAD_ANSWERS)) break reading;
          this.fault(batch, index);
          break;
        case 'invalid':
          if (isMeantAsRequest(batch, index) && this.leavesUnread(MAX_UNREAD_ANSWERS)) break reading;
          this.invalid(batch, index);
          break;
        default:
          if (this.leavesUnread(0)) break reading;
          // The one kind of frame that alone may be many requests.
          if (count === 1 && !admission.inTurn) turn.begin(this.duplex.queuedBytes);
          if (!this.array(batch, index)) break reading;
      }
      index++;
      if (admission.readsNextTurn) break;
    }
    // Also of a read that stops at every request: what is left of it comes again in the same turn.
    turn.untilLook = untilLook;
    admission.holdIfSpent();
    this.currentBatch = undefined;
    return index;
  }

  /** The client has read on: so does the server. */
  drained(): void {
    this.unreadAnswers = 0;
    if (!this.isStalled) return;
    this.isStalled = false;
    // Else the next turn does it.
    if (!this.admission.readsNextTurn) this.duplex.resume();
  }

  /** What needs no credit: `ping`, and an id that is in flight, which is refused at once. */
  isFree(batch: FrameBatch, index: number): boolean {
    return batch.method(index) === 'ping' || this.isInFlight(batch.idKey(index) as IdKey);
  }

  isInFlight(key: IdKey): boolean {
    if (this.runner.has(key)) return true;
    const { subscriptions, arrays } = this.parts;
    const { parked } = this.duplex;
    return (
      (subscriptions.size !== 0 && subscriptions.has(key)) ||
      (parked.count !== 0 && parked.has(key)) ||
      arrays.has(key)
    );
  }

  /** Runs one request that is admitted. */
  dispatch(batch: FrameBatch, index: number, idSource: IdSource, params: unknown): void {
    // Mostly the same as before, and a store into an old object costs more than a look.
    if (this.currentBatch !== batch) this.currentBatch = batch;
    this.currentIndex = index;
    this.dispatcher.dispatch(
      idSource,
      batch.method(index) as string,
      (params ?? undefined) as Record<string, unknown> | undefined,
      this.paramsText,
    );
  }

  notification(batch: FrameBatch, index: number): void {
    this.counters.notifications++;
    const method = batch.method(index);
    // All others, known or not, ask for nothing and decide nothing.
    if (method !== 'notifications/cancelled' && method !== 'notifications/progress') return;
    let params: unknown;
    try {
      params = batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return;
    }
    if (method === 'notifications/progress') {
      this.parts.asked.progress(params);
      return;
    }
    const key = cancelledKey(params, () => batch.payloadText(index));
    if (key === undefined) return;
    const why = (params as { reason?: unknown }).reason;
    const text = typeof why === 'string' ? `Cancelled by the client: ${why}` : 'Cancelled by the client';
    if (this.parts.cancel(key, new McpError('CANCELLED', text))) this.counters.cancelled++;
  }

  answer(batch: FrameBatch, index: number): void {
    try {
      this.parts.asked.answer(batch, index);
    } catch (error) {
      this.badPayload(batch, index, error);
    }
  }

  /** False: it may not run now, and comes again. */
  private request(batch: FrameBatch, index: number): boolean {
    // What comes now gets no answer any more.
    if (this.admission.isOver) return true;
    const { isCrowded } = this.admission;
    if (isCrowded && !this.mayCome(batch, index)) return false;
    this.counters.requests++;
    let params: unknown;
    try {
      params = batch.payload(index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return true;
    }
    const idSource = batch.idSource(index) as IdSource;
    if (isCrowded && this.isInFlight(idKeyOfSource(idSource))) this.duplicate(batch, index, idSource);
    else this.dispatch(batch, index, idSource, params);
    return true;
  }

  /** Whether a request is looked at now. False: it is parked or left unread, and so is what follows it. */
  private mayCome(batch: FrameBatch, index: number): boolean {
    if (this.admission.mayRun) return true;
    if (this.isFree(batch, index)) return !this.leavesUnread(MAX_UNREAD_ANSWERS);
    this.admission.postpone();
    return false;
  }

  /**
   * Whether the client, which does not read, has so many answers waiting that needed no credit that no more may be added: then reading is paused in
   * front of the frame, since nothing else bounds their number.
   *
   * @param max - 0 for an array, whose answer may be long
   */
  private leavesUnread(max: number): boolean {
    if (!this.duplex.isFull || this.admission.isOver) return false;
    if (this.unreadAnswers < max) {
      this.unreadAnswers++;
      return false;
    }
    this.isStalled = true;
    this.duplex.pause();
    return true;
  }

  private duplicate(batch: FrameBatch, index: number, idSource: IdSource): void {
    this.counters.duplicateIds++;
    this.parts.report({
      code: 'DUPLICATE_ID',
      message: `request id ${idSource} is in flight already`,
      offset: batch.start(index),
    });
    this.parts.out.refuseFrame(idSource, DUPLICATE_ID);
  }

  private array(batch: FrameBatch, index: number): boolean {
    try {
      return this.parts.arrays.take(batch, index);
    } catch (error) {
      this.badPayload(batch, index, error);
      return true;
    }
  }

  private fault(batch: FrameBatch, index: number): void {
    this.counters.faults++;
    this.parts.report(frameReport(batch, index));
    if (batch.code(index) !== 'FRAME_TOO_LARGE') return;
    const idSource = batch.idSource(index);
    if (!batch.hasMethod(index)) this.parts.asked.oversizeAnswer(batch, index);
    else if (idSource !== undefined && isMeantAsRequest(batch, index)) {
      const { limit, actual } = batch.fault(index) ?? {};
      this.refuse(idSource, {
        code: rpcCodes.invalidRequest,
        message: `Request too large: ${actual} bytes, the limit is ${limit}`,
        data: { limit, actual },
      });
    }
  }

  private invalid(batch: FrameBatch, index: number): void {
    const code = batch.code(index);
    const idSource = batch.idSource(index);
    const answered =
      idSource !== undefined &&
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
    const report = frameReport(batch, index);
    this.parts.report(report);
    if (answered)
      this.refuse(idSource, {
        code: rpcCodes.invalidRequest,
        message: `Invalid request: ${INVALID_TEXTS[code] ?? code}`,
      });
    else if (!batch.hasMethod(index)) this.parts.asked.invalidAnswer(batch, index, report.message);
  }

  /** The frame's envelope was fine, its payload is not JSON: a fault like any other, and no answer. */
  private badPayload(batch: FrameBatch, index: number, error: unknown): void {
    this.counters.faults++;
    this.parts.report(payloadReport(batch, index, error));
  }

  private refuse(idSource: IdSource, refusal: RpcRefusal): void {
    if (!this.admission.isOver) this.parts.out.refuseFrame(idSource, refusal);
  }
}

function isMeantAsRequest(batch: FrameBatch, index: number): boolean {
  return batch.hasMethod(index) && !batch.hasResult(index) && !batch.hasError(index);
}
