import type { CloseReason, QueueOptions, ReadingOptions } from '../duplex.ts';
import type { Source } from '../reading/source.ts';
import { readFailure, writeFailure } from '../writing/io-failure.ts';
import { FramedDuplex } from './framed-duplex.ts';

/**
 * A duplex with nothing behind it but two byte streams. Its way out: stop reading, write what is queued within `flushTimeoutMs`, settle.
 */
export abstract class StreamDuplex extends FramedDuplex {
  readonly #flushTimeoutMs: number;
  #sawInputEnd = false;
  /** Set once the way out has begun: what to report when the last byte is out, or its time is up. */
  #leaving: CloseReason | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReadingOptions & QueueOptions, flushTimeoutMs: number) {
    super(options);
    this.#flushTimeoutMs = flushTimeoutMs;
  }

  close(): Promise<CloseReason> {
    this.#leave(this.closeReason());
    return this.closed;
  }

  inputEnded(): void {
    this.#sawInputEnd = true;
    this.handlers?.onEnd?.();
  }

  inputFailed(error: Error): void {
    this.#leave(readFailure(error));
  }

  allWritten(): void {
    if (this.#leaving !== undefined) this.#settleSoon();
  }

  failed(error: Error): void {
    this.settle(this.#leaving ?? writeFailure(error));
  }

  protected started(): void {
    if (this.#leaving === undefined && !this.ending.settled) this.inbound.start(this.openSource());
  }

  /** What a close now would be reported as. */
  protected closeReason(): CloseReason {
    return this.#leaving ?? { kind: this.#sawInputEnd ? 'eof' : 'closed' };
  }

  protected settle(reason: CloseReason): void {
    if (this.ending.settled) return;
    clearTimeout(this.#timer);
    this.inbound.stop();
    this.outbox.release();
    this.released(reason);
  }

  protected abstract openSource(): Source;

  /** Both directions are let go: the rest of the cleaning up, and the end. */
  protected abstract released(reason: CloseReason): void;

  #leave(reason: CloseReason): void {
    if (this.#leaving !== undefined || this.ending.settled) return;
    this.#leaving = reason;
    this.inbound.stop();
    if (this.outbox.ended) {
      this.#settleSoon();
      return;
    }
    this.#timer = setTimeout(() => this.settle(reason), this.#flushTimeoutMs);
    this.outbox.end();
  }

  /** On its own tick: nobody is called back from inside the call that closes. */
  #settleSoon(): void {
    process.nextTick(() => this.settle(this.closeReason()));
  }
}
