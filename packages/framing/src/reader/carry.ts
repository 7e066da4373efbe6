import { copyRange } from './copy-range.ts';

const FIRST_BYTES = 256;

/**
 * The beginning of a frame that waits, outside of any window, for the rest of its line: no newline in it, nothing of it scanned.
 * Small by nature, since a scanner does not let a long one wait. Its memory stays: what waited once will wait again.
 */
export class Carry {
  /** Bytes that wait. */
  length = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  /** Takes the bytes from `start` to `end` behind those that wait already. */
  append(source: Uint8Array, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.#bytes.length) this.#grow(length);
    copyRange(source, start, end, this.#bytes, this.length);
    this.length = length;
  }

  /** Moves all of it into `window`, so that it ends at `end`. Returns where it begins. */
  moveBefore(window: Uint8Array, end: number): number {
    const start = end - this.length;
    if (start < end) copyRange(this.#bytes, 0, this.length, window, start);
    this.length = 0;
    return start;
  }

  clear(): void {
    this.length = 0;
    this.#bytes = new Uint8Array(0);
  }

  #grow(length: number): void {
    const grown = new Uint8Array(Math.max(FIRST_BYTES, length, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
