import {
  createFrameReader,
  type FrameBatch,
  type FrameReader,
  type IdKey,
  type IdSource,
  type KeptFrame,
  keepFrame,
} from '@linewire/framing';
import { isObject } from '../../json-object.ts';
import { limitValue } from '../../limits.ts';
import { frameReport, type SessionReport } from '../../session/session-report.ts';
import type { SessionCounters } from '../../session/session-stats.ts';
import { errorText } from '../../wire/answers.ts';
import { claimsModern } from '../../wire/envelope.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import type { ReplyWriter } from '../run/reply-writer.ts';
import { type OpenBatch, OpenBatches } from './open-batches.ts';

/** Bytes of messages that may wait for credit before the next array is left unread. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** What a session does with the messages of a batch as with all others. */
export interface BatchHost {
  readonly out: ReplyWriter;
  readonly counters: SessionCounters;
  /** Whether a call may run now. */
  mayRun(): boolean;
  /** Calls must wait from now on, until `run()`. */
  hold(): void;
  /** Whether an id is in flight, in the session or in a batch. */
  isInFlight(key: IdKey): boolean;
  dispatch(batch: FrameBatch, index: number, idSource: IdSource, params: unknown): void;
  /** A call was run. */
  ran(): void;
  notification(batch: FrameBatch, index: number): void;
  answer(batch: FrameBatch, index: number): void;
  report(report: SessionReport): void;
  /** There is room for the next array again. */
  hasRoom(): void;
}

export interface BatchLimits {
  readonly maxBatchMessages?: number | undefined;
  readonly maxBatchAnswerBytes?: number | undefined;
}

interface WaitingMember {
  readonly open: OpenBatch;
  readonly frame: KeptFrame;
  readonly idSource: IdSource;
}

/**
 * Arrays of messages, which one legacy revision has. Each member goes through a frame reader of its own, so that it is judged, and its id kept, as
 * if it had come in a line; each call needs credit like any other, and waits here until it has some.
 */
export class Batches {
  private readonly host: BatchHost;
  private readonly open: OpenBatches;
  private readonly maxMessages: number;
  private readonly reader: FrameReader;
  private readonly waiting: Map<IdKey, WaitingMember> = new Map();
  private waitingBytes = 0;
  /** The batch whose members come. */
  private current: OpenBatch | undefined = undefined;

  constructor(host: BatchHost, { maxBatchMessages, maxBatchAnswerBytes }: BatchLimits) {
    this.host = host;
    this.maxMessages = limitValue('maxBatchMessages', maxBatchMessages);
    this.open = new OpenBatches(host.out, limitValue('maxBatchAnswerBytes', maxBatchAnswerBytes));
    this.reader = createFrameReader({
      validate: 'envelope',
      onFrames: (members) => {
        for (let index = 0; index < members.count; index++) this.member(members, index);
      },
    });
  }

  /** So much waits that no further array should be read. */
  get isFull(): boolean {
    return this.waitingBytes > MAX_WAITING_BYTES;
  }

  /** Calls that wait for credit. */
  get count(): number {
    return this.waiting.size;
  }

  /** Batches that are not answered. */
  get openCount(): number {
    return this.open.size;
  }

  /** A frame of kind `batch`. Throws what decoding throws at what is no JSON. */
  take(batch: FrameBatch, index: number): void {
    const messages = batch.value(index) as unknown[];
    const why = this.whyRefused(messages.length);
    if (why !== undefined) {
      this.host.counters.invalid++;
      this.host.report({ code: 'BATCH_REFUSED', message: why, offset: batch.start(index) });
      this.countError();
      this.host.out.notify(unnamedError(`Invalid request: ${why}`));
      return;
    }
    const lines = Array.from(batch.lazy(index).items(), (item) => `${item.raw()}\n`).join('');
    this.current = this.open.begin(messages.length);
    this.reader.push(new TextEncoder().encode(lines));
    this.current = undefined;
  }

  /** Whether the answer to that id is still to come, or waits for the rest of its array. */
  has(key: IdKey): boolean {
    return this.open.has(key);
  }

  /** The client has cancelled a call that waits. False: none of that id does. */
  drop(key: IdKey): boolean {
    const wasFull = this.isFull;
    const member = this.unwait(key);
    if (member === undefined) return false;
    this.open.done(member.open);
    if (wasFull && !this.isFull) this.host.hasRoom();
    return true;
  }

  /** A call that ran was cancelled. */
  cancelled(key: IdKey): void {
    this.open.forget(key);
  }

  /** Answers all that waits with `refusal`. */
  refuseAll(refusal: RpcRefusal): void {
    for (const key of [...this.waiting.keys()]) {
      const { open, idSource } = this.unwait(key) as WaitingMember;
      this.refuse(open, idSource, refusal);
    }
  }

  /** Runs the calls that have waited, in order, as far as they may run. */
  run(): void {
    const wasFull = this.isFull;
    for (const key of this.waiting.keys()) {
      if (!this.host.mayRun()) {
        this.host.hold();
        break;
      }
      const { open, frame } = this.unwait(key) as WaitingMember;
      frame.deliver((members) => {
        this.call(open, members, 0);
      });
    }
    if (wasFull && !this.isFull) this.host.hasRoom();
  }

  /** Why an array of so many messages is not taken. */
  private whyRefused(count: number): string | undefined {
    if (count === 0) return 'an empty batch';
    if (count > this.maxMessages)
      return `${count} messages in a batch, the limit is ${this.maxMessages} (maxBatchMessages)`;
    // Results find that out one by one; refusals, which can be no shorter, must not come to be.
    if (this.open.isFull)
      return `no room for the answers, more than ${this.open.maxAnswerChars} characters wait (maxBatchAnswerBytes)`;
    return undefined;
  }

  private member(members: FrameBatch, index: number): void {
    const open = this.current as OpenBatch;
    switch (members.kind(index)) {
      case 'request':
        this.request(open, members, index);
        break;
      case 'notification':
        this.host.notification(members, index);
        this.open.done(open);
        break;
      case 'result':
      case 'error':
        this.host.answer(members, index);
        this.open.done(open);
        break;
      default:
        this.bad(open, members, index);
    }
  }

  private request(open: OpenBatch, members: FrameBatch, index: number): void {
    const key = members.idKey(index) as IdKey;
    const idSource = members.idSource(index) as IdSource;
    if (this.host.isInFlight(key)) {
      this.host.counters.duplicateIds++;
      const message = `request id ${idSource} is in flight already`;
      this.host.report({ code: 'DUPLICATE_ID', message, offset: members.start(index) });
      this.refuse(open, idSource, invalid('Duplicate request id'));
      return;
    }
    this.open.name(open, key);
    if (members.method(index) === 'initialize') {
      this.refuse(open, idSource, invalid('Invalid request: initialize must not be in a batch'));
    } else if (members.method(index) === 'ping' || (this.waiting.size === 0 && this.host.mayRun())) {
      this.call(open, members, index);
    } else {
      const frame = keepFrame(members, index);
      this.waiting.set(key, { open, frame, idSource });
      this.waitingBytes += frame.heldBytes;
      this.host.hold();
    }
  }

  private call(open: OpenBatch, members: FrameBatch, index: number): void {
    const idSource = members.idSource(index) as IdSource;
    const params = members.payload(index) ?? undefined;
    const meta = isObject(params) ? params['_meta'] : undefined;
    this.host.counters.requests++;
    if (isObject(meta) && claimsModern(meta)) {
      this.refuse(open, idSource, invalid('Invalid request: the revision in _meta has no batches'));
      return;
    }
    this.open.own(members.idKey(index) as IdKey, open);
    this.host.dispatch(members, index, idSource, params);
    this.host.ran();
  }

  /** No message, or a malformed one. An answer is never answered, however malformed; the sender of anything else waits for an array. */
  private bad(open: OpenBatch, members: FrameBatch, index: number): void {
    this.host.counters.invalid++;
    const report: SessionReport =
      members.kind(index) === 'batch'
        ? { code: 'BATCH_REFUSED', message: 'an array inside of an array', offset: members.start(index) }
        : frameReport(members, index);
    this.host.report(report);
    if (members.hasResult(index) || members.hasError(index)) this.open.done(open);
    else {
      const idSource = members.idSource(index);
      const refusal = invalid(`Invalid request: ${report.message}`);
      if (idSource !== undefined) this.refuse(open, idSource, refusal);
      else {
        this.countError();
        this.open.answered(open, unnamedError(refusal.message));
      }
    }
  }

  private refuse(open: OpenBatch, idSource: IdSource, refusal: RpcRefusal): void {
    this.countError();
    this.open.answered(open, errorText(idSource, refusal));
  }

  private countError(): void {
    this.host.counters.answers++;
    this.host.counters.errors++;
  }

  private unwait(key: IdKey): WaitingMember | undefined {
    const member = this.waiting.get(key);
    if (member === undefined) return undefined;
    this.waiting.delete(key);
    this.waitingBytes -= member.frame.heldBytes;
    return member;
  }
}

function invalid(message: string): RpcRefusal {
  return { code: rpcCodes.invalidRequest, message };
}

/** An error for a message whose id is unknown: it is left out, as the protocol says it. */
function unnamedError(message: string): string {
  return `{"jsonrpc":"2.0","error":{"code":${rpcCodes.invalidRequest},"message":${JSON.stringify(message)}}}`;
}
