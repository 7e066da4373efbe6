import { createFrameReader, type FrameBatch, type FrameReader, isFramingError } from '@linewire/framing';
import type { ReadingOptions } from '../duplex.ts';
import type { Outbox } from '../writing/outbox.ts';
import type { Intake, Source } from './source.ts';

/** What the reading side tells its duplex. */
export interface InboundOwner {
  frames(batch: FrameBatch): number | undefined | void;
  /** One read was delivered, or what it held. */
  batchDelivered?(): void;
  /** The peer sends no more, and every frame has been delivered. Comes once. */
  inputEnded(): void;
  inputFailed(error: Error): void;
  /** What comes from here on is thrown away, and what waits with it. Comes once. */
  inputDiscarded(): void;
}

const NOTHING = new Uint8Array(0);

/** From a source through the frame reader to the owner; frames that the owner sends meanwhile gather in the outbox until the read is done. */
export class Inbound implements Intake {
  readonly #reader: FrameReader;
  readonly #owner: InboundOwner;
  readonly #outbox: Outbox;
  #source: Source | undefined;
  #feeding = false;
  /** The reader holds frames; the source has stopped, or will at its next chunk. */
  #held = false;
  /** The last batch was not consumed whole. */
  #partly = false;
  #threw = false;
  /** The source has ended; the reader and the owner learn it when nothing is held any more. */
  #endComes = false;
  #readerEnded = false;
  #ended = false;
  #discarding = false;
  #stopped = false;
  /** The reader gave up, and the owner is about to learn it. */
  #broken = false;

  constructor(options: ReadingOptions, owner: InboundOwner, outbox: Outbox) {
    this.#owner = owner;
    this.#outbox = outbox;
    this.#reader = createFrameReader({ ...options, onFrames: this.#onFrames });
  }

  get stats(): ReturnType<FrameReader['stats']> {
    return this.#reader.stats();
  }

  /** Frames wait for `resume()`. */
  get isHeld(): boolean {
    return this.#held;
  }

  start(source: Source): void {
    this.#source = source;
    source.start(this);
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    if (this.#feeding || this.#discarding) {
      this.#reader.resume();
      return;
    }
    const wasHeld = this.#held;
    this.#begin();
    try {
      this.#reader.resume();
    } catch (error) {
      this.#readerFailed(error);
    }
    if (!this.#finish(this.#isDrained()) || this.#discarding) return;
    if (this.#endComes) this.#end();
    else if (wasHeld) this.#source?.resume();
  }

  /** From here on what comes is thrown away, so that a peer that must still write in order to end is never blocked. */
  discard(): void {
    if (this.#discarding) return;
    this.#discarding = true;
    this.#reader.close();
    this.#owner.inputDiscarded();
    const wasHeld = this.#held;
    this.#held = false;
    if (this.#endComes) this.#end();
    else if (wasHeld) this.#source?.resume();
  }

  /** Discards, and stops reading; nothing is told any more. */
  stop(): void {
    this.#stopped = true;
    this.#ended = true;
    this.discard();
    this.#source?.stop();
  }

  /** Takes what has come until now for the whole input. */
  endNow(): void {
    if (this.#endComes) return;
    this.#source?.stop();
    this.ended();
  }

  room(): Uint8Array {
    return this.#discarding ? NOTHING : this.#reader.reserve();
  }

  landed(byteCount: number): boolean {
    if (this.#discarding) return true;
    this.#begin();
    let more = true;
    try {
      more = this.#reader.commit(byteCount);
    } catch (error) {
      this.#readerFailed(error);
    }
    return this.#finish(more);
  }

  chunk(bytes: Uint8Array): boolean {
    if (this.#discarding) return true;
    this.#begin();
    let more = true;
    try {
      more = this.#reader.push(bytes);
    } catch (error) {
      this.#readerFailed(error);
    }
    return this.#finish(more);
  }

  ended(): void {
    this.#endComes = true;
    if (!this.#held || this.#discarding) this.#end();
  }

  failed(error: Error): void {
    if (!this.#ended) this.#owner.inputFailed(error);
  }

  #begin(): void {
    this.#feeding = true;
    this.#outbox.beginBatch();
  }

  #finish(more: boolean): boolean {
    this.#feeding = false;
    this.#outbox.endBatch(!more);
    this.#owner.batchDelivered?.();
    this.#held = !more && !this.#discarding;
    if (this.#threw) {
      this.#threw = false;
      // The reader keeps what came after the frame that failed; its owner, who just failed, cannot be trusted to ask for it.
      process.nextTick(() => this.#reader.paused || this.resume());
    }
    return !this.#held;
  }

  /** Nothing is held back any more. After the end of the reader only the last batch can tell. */
  #isDrained(): boolean {
    if (this.#discarding) return true;
    return this.#readerEnded ? !this.#partly && !this.#reader.paused : this.#reader.push(NOTHING);
  }

  /**
   * No memory for a long frame: the reader has closed itself, since nothing behind it can be trusted. It fails the connection as a descriptor
   * that cannot be read does. Anything else that is thrown is a bug, and surfaces.
   */
  #readerFailed(error: unknown): void {
    if (!isFramingError(error) || error.code !== 'OUT_OF_MEMORY') {
      this.#feeding = false;
      this.#outbox.endBatch(false);
      throw error;
    }
    this.#broken = true;
    this.#discarding = true;
    // On its own tick: a resume() of the owner may be what met it, and is no place to be called back from.
    process.nextTick(() => this.#stopped || this.#owner.inputFailed(error));
  }

  readonly #onFrames = (batch: FrameBatch): number | undefined | void => {
    this.#threw = true;
    const returned = this.#owner.frames(batch);
    this.#threw = false;
    this.#partly = (returned ?? (batch.consumed >= 0 ? batch.consumed : batch.count)) < batch.count;
    return returned;
  };

  #end(): void {
    if (this.#ended) return;
    if (!this.#discarding && !this.#readerEnded) {
      this.#readerEnded = true;
      this.#begin();
      try {
        this.#reader.end();
      } catch (error) {
        this.#readerFailed(error);
      }
      this.#finish(this.#isDrained());
    }
    if (this.#held || this.#ended) return;
    this.#ended = true;
    if (!this.#broken) this.#owner.inputEnded();
  }
}
