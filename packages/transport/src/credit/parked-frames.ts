import {
  type FrameBatch,
  type IdKey,
  type KeptFrame,
  keepFrame,
  keptFrameOverheadBytes,
} from '@linewire/framing';

/** One that waits. */
export interface ParkedFrame {
  readonly key: IdKey;
  readonly frame: KeptFrame;
}

/**
 * Requests that wait, first in, first out, with removal by id. A Map does both in constant time, if one iterator is kept: a new one would
 * have to pass over all that was taken from the front.
 */
export class ParkedFrames {
  /** Memory that they take. At most `maxParkedBytes`. */
  byteCount = 0;
  readonly #maxParkedBytes: number;
  readonly #frames: Map<IdKey, ParkedFrame> = new Map();
  /** Stands behind `#first`. */
  #iterator: MapIterator<ParkedFrame> | undefined;
  #first: ParkedFrame | undefined;

  constructor(maxParkedBytes: number) {
    this.#maxParkedBytes = maxParkedBytes;
  }

  get count(): number {
    return this.#frames.size;
  }

  get isHalfEmpty(): boolean {
    return this.byteCount * 2 <= this.#maxParkedBytes;
  }

  has(key: IdKey): boolean {
    return this.#frames.has(key);
  }

  /** Whether there is room for a frame of that length. */
  fits(frameBytes: number): boolean {
    return this.byteCount + frameBytes + keptFrameOverheadBytes <= this.#maxParkedBytes;
  }

  /** Copies a request whose id is not among them. */
  add(key: IdKey, batch: FrameBatch, index: number): void {
    const frame = keepFrame(batch, index);
    this.#frames.set(key, { key, frame });
    this.byteCount += frame.heldBytes;
  }

  /** The oldest, which stays. */
  first(): ParkedFrame | undefined {
    if (this.#first === undefined && this.#frames.size > 0) {
      this.#iterator ??= this.#frames.values();
      this.#first = this.#iterator.next().value;
    }
    return this.#first;
  }

  /** False: there is none of that id. */
  drop(key: IdKey): boolean {
    const parked = this.#frames.get(key);
    if (parked === undefined) return false;
    this.#frames.delete(key);
    this.byteCount -= parked.frame.heldBytes;
    if (parked === this.#first) this.#first = undefined;
    // One that has come to its end stays there.
    if (this.#frames.size === 0) this.#iterator = undefined;
    parked.frame.drop();
    return true;
  }

  /** Drops all but one, and tells the exact text of each id, in order. */
  dropAll(except: IdKey | undefined): string[] {
    const ids: string[] = [];
    for (const { key, frame } of this.#frames.values()) {
      if (key === except) continue;
      ids.push(frame.deliver(idTextOf));
      this.drop(key);
    }
    return ids;
  }

  clear(): void {
    for (const key of this.#frames.keys()) this.drop(key);
  }
}

function idTextOf(batch: FrameBatch): string {
  return batch.idText(0) as string;
}
