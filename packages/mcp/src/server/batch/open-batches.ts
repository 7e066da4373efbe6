import { type IdKey, type IdSource, idKeyOfSource } from '@linewire/framing';
import { errorText } from '../../wire/answers.ts';
import { rpcCodes } from '../../wire/rpc-codes.ts';
import type { AnswerCollector, ReplyWriter } from '../run/reply-writer.ts';

/** One array of the client, until all of its messages are done with. */
export interface OpenBatch {
  /** Messages that are not done with. */
  remaining: number;
  /** Answers so far, as text. */
  readonly answers: string[];
  /** The ids of its calls. */
  readonly keys: IdKey[];
}

/** Gathers the answers of each batch, and sends them as one array when the last one is there. */
export class OpenBatches implements AnswerCollector {
  /** Characters of answers that may wait for the rest of their arrays. Refusals go beyond, by those of one array. */
  readonly maxAnswerChars: number;
  private readonly out: ReplyWriter;
  /** The calls that run. Their ids are in flight, so each belongs to one batch. */
  private readonly owners: Map<IdKey, OpenBatch> = new Map();
  private readonly open: Set<OpenBatch> = new Set();
  /** Ids of all calls whose array has not gone out. */
  private readonly keys: Set<IdKey> = new Set();
  private answerChars = 0;

  constructor(out: ReplyWriter, maxAnswerChars: number) {
    this.out = out;
    this.maxAnswerChars = maxAnswerChars;
  }

  get size(): number {
    return this.open.size;
  }

  /** Refusals have filled the room for answers. */
  get isFull(): boolean {
    return this.answerChars > this.maxAnswerChars;
  }

  begin(messages: number): OpenBatch {
    const batch: OpenBatch = { remaining: messages, answers: [], keys: [] };
    this.open.add(batch);
    this.out.collector = this;
    return batch;
  }

  has(key: IdKey): boolean {
    return this.keys.has(key);
  }

  /** The batch has a call of that id. */
  name(batch: OpenBatch, key: IdKey): void {
    batch.keys.push(key);
    this.keys.add(key);
  }

  /** The call of that id is about to run: its answer goes into this batch. */
  own(key: IdKey, batch: OpenBatch): void {
    this.owners.set(key, batch);
  }

  owns(idSource: IdSource): boolean {
    return this.owners.has(idKeyOfSource(idSource));
  }

  add(idSource: IdSource, frame: string): void {
    const key = idKeyOfSource(idSource);
    const batch = this.owners.get(key) as OpenBatch;
    this.owners.delete(key);
    this.answered(
      batch,
      this.answerChars + frame.length > this.maxAnswerChars ? this.tooLarge(idSource) : frame,
    );
  }

  /** The call of that id will not be answered. */
  forget(key: IdKey): void {
    const batch = this.owners.get(key);
    if (batch === undefined) return;
    this.owners.delete(key);
    this.done(batch);
  }

  /** One message of the batch is answered. */
  answered(batch: OpenBatch, frame: string): void {
    batch.answers.push(frame);
    this.answerChars += frame.length;
    this.done(batch);
  }

  /** One message of the batch is done with. */
  done(batch: OpenBatch): void {
    if (--batch.remaining > 0) return;
    this.open.delete(batch);
    if (this.open.size === 0) this.out.collector = undefined;
    for (const key of batch.keys) this.keys.delete(key);
    if (batch.answers.length === 0) return;
    for (const answer of batch.answers) this.answerChars -= answer.length;
    this.out.notify(`[${batch.answers.join(',')}]`);
  }

  private tooLarge(idSource: IdSource): string {
    const message = `Answer too large for a batch: with those before it more than ${this.maxAnswerChars} characters (maxBatchAnswerBytes)`;
    return errorText(idSource, { code: rpcCodes.internalError, message });
  }
}
