import { createFrameReader, type FrameBatch, type FrameReader } from '@linewire/framing';
import type { ReadingOptions } from '../duplex.ts';
import type { Forwarder } from './forwarder.ts';

/** Sees the frames of one direction, and changes nothing: the bytes have been handed on before. The batch is legal until it returns. */
export type FrameObserver = (batch: FrameBatch) => void;

/** What comes between a source and a forwarder. The direction around it has taken care of ends and of back-pressure. */
export interface Transit {
  /** Where the next bytes may land; length 0 when there is no place. */
  room(): Uint8Array;
  landed(byteCount: number): void;
  chunk(bytes: Uint8Array): void;
  ended(): void;
  /** Counters of the frame reader, if there is one. */
  readonly reader: FrameReader | undefined;
}

/** Hands on bytes as they were read. */
export class ByteTransit implements Transit {
  readonly reader: FrameReader | undefined;
  readonly #to: Forwarder;
  /** The slot in which the next read lands. */
  #slot: Buffer | undefined;
  #observes: boolean;

  constructor(to: Forwarder, observer: FrameObserver | undefined, reading: ReadingOptions) {
    this.#to = to;
    this.#observes = observer !== undefined;
    this.reader =
      observer &&
      createFrameReader({
        ...reading,
        onFrames(batch): number {
          observer(batch);
          // Whatever it did: all of them are done with.
          return batch.count;
        },
      });
  }

  room(): Uint8Array {
    this.#slot ??= this.#to.slot();
    return this.#slot;
  }

  landed(byteCount: number): void {
    const slot = this.#slot;
    if (slot === undefined) return;
    this.#slot = undefined;
    const bytes = byteCount === slot.length ? slot : slot.subarray(0, byteCount);
    // The observer first: the slot may be in use again once it is handed on. It has it all, or throws on a turn of its own.
    this.#observe(bytes);
    this.#to.send(bytes);
  }

  chunk(bytes: Uint8Array): void {
    this.#observe(bytes);
    this.#to.sendBorrowed(bytes);
  }

  ended(): void {
    if (!this.#observes) return;
    this.#observes = false;
    this.reader?.end();
  }

  #observe(bytes: Uint8Array): void {
    if (!this.#observes) return;
    try {
      this.reader?.push(bytes);
    } catch {
      // No memory for a frame that is to be looked at is no reason to stop what is only passing through.
      this.#observes = false;
      this.reader?.close();
    }
  }
}
