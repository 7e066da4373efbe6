import type { JsonEncoder } from '@linewire/framing';
import type { Duplex } from '@linewire/transport';
import type { SessionCounters } from '../../session/session-stats.ts';
import { errorText, resultText } from '../../wire/answers.ts';
import type { RpcRefusal } from '../../wire/rpc-codes.ts';
import { isCold } from './cold-answers.ts';
import { ResultFrame } from './result-frame.ts';
import type { ResultShape } from './result-shape.ts';

/** The one way out of a server session: every answer and notification passes here and is counted. */
export class ReplyWriter {
  private readonly duplex: Duplex;
  private readonly counters: SessionCounters;
  private open = true;
  private readonly frame: ResultFrame = new ResultFrame();

  constructor(duplex: Duplex, counters: SessionCounters) {
    this.duplex = duplex;
    this.counters = counters;
  }

  /**
   * A result whose value becomes bytes as it is written. The encoder's exceptions come out, and nothing is sent then.
   */
  answer(idText: string, shape: ResultShape, value: unknown, encoder: JsonEncoder): void {
    if (!this.open) return;
    this.frame.set(idText, shape, value, encoder);
    const { duplex, frame } = this;
    try {
      if (isCold()) duplex.sendEncoded(frame.text());
      else duplex.sendWith(frame);
    } finally {
      frame.forget();
    }
    this.counters.answers++;
  }

  /** The peer reads more slowly than it is written to: what may be dropped or put together is. */
  get isFull(): boolean {
    return this.duplex.isFull;
  }

  result(idText: string, json: string): void {
    this.counters.answers++;
    this.write(resultText(idText, json));
  }

  refuse(idText: string, refusal: RpcRefusal): void {
    this.counters.answers++;
    this.counters.errors++;
    this.write(errorText(idText, refusal));
  }

  notify(frame: string): void {
    this.write(frame);
  }

  /** Nothing is written any more; a handler that settles later cannot know that. */
  shut(): void {
    this.open = false;
  }

  private write(frame: string): void {
    if (this.open) this.duplex.sendEncoded(frame);
  }
}
