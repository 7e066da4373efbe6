import { type FrameBatch, type IdKey, type KeptFrame, keepFrame } from '@linewire/framing';

/** Requests that wait, first in, first out, with removal by id. A Map keeps both in constant time. */
export class ParkedFrames {
  /** Sum of the frames, newlines not counted. At most `maxParkedBytes`. */
  byteCount = 0;
  readonly #maxParkedBytes: number;
  readonly #frames: Map<IdKey, KeptFrame> = new Map();

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

  fits(byteCount: number): boolean {
    return this.byteCount + byteCount <= this.#maxParkedBytes;
  }

  /** Copies a request whose id is not among them. */
  add(key: IdKey, batch: FrameBatch, index: number): void {
    const frame = keepFrame(batch, index);
    this.#frames.set(key, frame);
    this.byteCount += frame.byteLength;
  }

  /** The oldest, which stays. */
  first(): readonly [IdKey, KeptFrame] | undefined {
    for (const entry of this.#frames) return entry;
    return undefined;
  }

  /** False: there is none of that id. */
  drop(key: IdKey): boolean {
    const frame = this.#frames.get(key);
    if (frame === undefined) return false;
    this.#frames.delete(key);
    this.byteCount -= frame.byteLength;
    frame.drop();
    return true;
  }

  /** Drops all but one, and tells the exact text of each id, in order. */
  dropAll(except: IdKey | undefined): string[] {
    const ids: string[] = [];
    for (const [key, frame] of this.#frames) {
      if (key === except) continue;
      ids.push(frame.deliver(idTextOf));
      this.drop(key);
    }
    return ids;
  }

  clear(): void {
    for (const frame of this.#frames.values()) frame.drop();
    this.#frames.clear();
    this.byteCount = 0;
  }
}

function idTextOf(batch: FrameBatch): string {
  return batch.idText(0) as string;
}
