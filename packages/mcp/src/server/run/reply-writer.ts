import type { IdSource, JsonEncoder } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import type { SessionCounters } from '../../session/session-stats.ts';
import { errorText, resultText } from '../../wire/answers.ts';
import type { RpcRefusal } from '../../wire/rpc-codes.ts';
import { isCold } from './cold-answers.ts';
import { ResultFrame } from './result-frame.ts';
import type { ResultShape } from './result-shape.ts';

/** Takes the answers of calls that must not go out alone: those of a batch. */
export interface AnswerCollector {
  /** Whether this is the id of such a call. */
  owns(idSource: IdSource): boolean;
  /** @param frame - the answer to a call that it owns */
  add(idSource: IdSource, frame: string): void;
}

/** The one way out of a server session: every answer and notification passes here and is counted. */
export class ReplyWriter {
  /** Set while there are calls whose answers belong together. */
  collector: AnswerCollector | undefined = undefined;
  private readonly duplex: Duplex;
  private readonly counters: SessionCounters;
  private open = true;
  private readonly frame: ResultFrame = new ResultFrame();

  constructor(duplex: Duplex, counters: SessionCounters) {
    this.duplex = duplex;
    this.counters = counters;
  }

  /** The peer reads more slowly than it is written to: what may be dropped or put together is. */
  get isFull(): boolean {
    return this.duplex.isFull;
  }

  /**
   * A result whose value becomes bytes as it is written. The encoder's exceptions come out, and nothing is sent then.
   */
  answer(idSource: IdSource, shape: ResultShape, value: unknown, encoder: JsonEncoder): void {
    if (!this.open) return;
    this.frame.set(idSource, shape, value, encoder);
    const { duplex, frame } = this;
    try {
      if (this.collector?.owns(idSource) === true) this.collector.add(idSource, frame.text());
      else if (isCold()) duplex.sendEncoded(frame.text());
      else duplex.sendWith(frame);
    } finally {
      frame.forget();
    }
    this.counters.answers++;
  }

  result(idSource: IdSource, json: string): void {
    this.reply(idSource, resultText(idSource, json));
    this.counters.answers++;
  }

  /** The answer to a call, or to a request that could have become one. Throws, with nothing sent, if `data` has no JSON. */
  refuse(idSource: IdSource, refusal: RpcRefusal): void {
    this.reply(idSource, errorText(idSource, refusal));
    this.counters.answers++;
    this.counters.errors++;
  }

  /** The answer to a frame that never becomes a call: malformed, too large, or with an id that is taken. */
  refuseFrame(idSource: IdSource, refusal: RpcRefusal): void {
    this.notify(errorText(idSource, refusal));
    this.counters.answers++;
    this.counters.errors++;
  }

  /** A frame that is no answer to a call. */
  notify(frame: string): void {
    if (this.open) this.duplex.sendEncoded(frame);
  }

  /** Nothing is written any more; a handler that settles later, or a server that has news, cannot know that. */
  shut(): void {
    this.open = false;
  }

  private reply(idSource: IdSource, frame: string): void {
    if (this.collector?.owns(idSource) === true) this.collector.add(idSource, frame);
    else this.notify(frame);
  }
}
