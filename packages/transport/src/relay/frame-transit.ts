import { createFrameReader, type FrameBatch, type FrameReader } from '@linewire/framing';
import type { ReadingOptions } from '../duplex.ts';
import type { Transit } from './byte-transit.ts';
import { type Forwarder, SLOT_BYTES } from './forwarder.ts';

/** True: the frame goes on. It is asked for good frames alone; faults and invalid frames never go on. The batch is legal until it returns. */
export type FrameFilter = (batch: FrameBatch, index: number) => boolean;

const LF = 0x0a;

/** Hands on whole frames, each with one newline; neighbours that stay together are copied in one piece. */
export class FrameTransit implements Transit {
  readonly reader: FrameReader;
  readonly #to: Forwarder;
  readonly #filter: FrameFilter | undefined;
  /** What the filter threw: nobody knows what it meant to keep. */
  #error: Error | undefined;
  /** What has gathered of this read. */
  #slot: Buffer | undefined;
  #filled = 0;

  framesOut = 0;
  /** Good frames that the filter did not let go on. */
  filteredFrames = 0;

  constructor(to: Forwarder, filter: FrameFilter | undefined, reading: ReadingOptions) {
    this.#to = to;
    this.#filter = filter;
    this.reader = createFrameReader({ ...reading, onFrames: this.#onFrames });
  }

  room(): Uint8Array {
    return this.reader.reserve();
  }

  landed(byteCount: number): void {
    this.reader.commit(byteCount);
    this.#finish();
  }

  chunk(bytes: Uint8Array): void {
    this.reader.push(bytes);
    this.#finish();
  }

  ended(): void {
    this.reader.end();
    this.#finish();
  }

  readonly #onFrames = (batch: FrameBatch): number => {
    try {
      this.#take(batch);
    } catch (error) {
      this.reader.close();
      this.#error = error instanceof Error ? error : new Error(String(error));
    }
    return batch.count;
  };

  #take(batch: FrameBatch): void {
    const filter = this.#filter;
    /** First frame of the neighbours that go on together. */
    let first = -1;
    for (let index = 0; index < batch.count; index++) {
      const isGood = batch.code(index) === undefined;
      const goesOn = isGood && (filter === undefined || filter(batch, index) === true);
      if (isGood && !goesOn) this.filteredFrames++;
      // One byte lies between neighbours: the newline. A CR or a blank line does not go on.
      const joins = first >= 0 && goesOn && batch.start(index) === batch.end(index - 1) + 1;
      if (first >= 0 && !joins) this.#copy(batch, first, index);
      if (!goesOn) first = -1;
      else if (!joins) first = index;
    }
    if (first >= 0) this.#copy(batch, first, batch.count);
  }

  /** Copies the frames from `first` to before `end`, with the newlines between them and one behind. */
  #copy(batch: FrameBatch, first: number, end: number): void {
    this.framesOut += end - first;
    const view = batch.frameView(first);
    const byteLength = batch.end(end - 1) - batch.start(first);
    // Two frames of one batch that lie together in the stream do so in memory, unless one of them is so long that it is kept apart.
    const last = end - first === 1 ? view : batch.frameView(end - 1);
    const isOnePiece =
      last.buffer === view.buffer && last.byteOffset + last.length === view.byteOffset + byteLength;
    if (isOnePiece) {
      this.#append(new Uint8Array(view.buffer, view.byteOffset, byteLength));
      return;
    }
    for (let index = first; index < end; index++) this.#append(batch.frameView(index));
  }

  #append(bytes: Uint8Array): void {
    const byteLength = bytes.length + 1;
    if (this.#filled + byteLength > SLOT_BYTES) this.#flush();
    if (byteLength > SLOT_BYTES) {
      const own = Buffer.allocUnsafeSlow(byteLength);
      own.set(bytes);
      own[byteLength - 1] = LF;
      this.#to.send(own);
      return;
    }
    this.#slot ??= this.#to.slot();
    this.#slot.set(bytes, this.#filled);
    this.#filled += byteLength;
    this.#slot[this.#filled - 1] = LF;
  }

  /** At the end of a read. @throws what the filter threw, after the frames before it have gone on */
  #finish(): void {
    this.#flush();
    if (this.#error !== undefined) throw this.#error;
  }

  #flush(): void {
    if (this.#slot === undefined || this.#filled === 0) return;
    const chunk = this.#slot.subarray(0, this.#filled);
    this.#slot = undefined;
    this.#filled = 0;
    this.#to.send(chunk);
  }
}
