import { copyRange } from './copy-range.ts';

/** Small pieces share a block of this size, so that input in tiny reads costs no object each. In bytes. */
const BLOCK_BYTES = 16 * 1024;

/** Copies of bytes that came while frames could not be delivered, in order: not scanned yet. */
export class Backlog {
  /** Bytes that wait. */
  length = 0;
  readonly #blocks: Uint8Array[] = [];
  /** Where the first block begins to be of use, and the last one ends to be. */
  #first = 0;
  #lastEnd = 0;

  /** Takes a copy of the bytes from `start` to `end`. */
  append(source: Uint8Array, start: number, end: number): void {
    this.length += end - start;
    const last = this.#blocks.at(-1);
    if (last !== undefined) {
      const taken = Math.min(last.length - this.#lastEnd, end - start);
      copyRange(source, start, start + taken, last, this.#lastEnd);
      this.#lastEnd += taken;
      start += taken;
    }
    if (start === end) return;
    const block = new Uint8Array(Math.max(BLOCK_BYTES, end - start));
    copyRange(source, start, end, block, 0);
    this.#blocks.push(block);
    this.#lastEnd = end - start;
  }

  /** At most `maxBytes` of the bytes that came first. A view, valid until the next call. */
  peek(maxBytes: number): Uint8Array {
    const end = this.#blocks.length === 1 ? this.#lastEnd : this.#blocks[0].length;
    return this.#blocks[0].subarray(this.#first, Math.min(end, this.#first + maxBytes));
  }

  /** The first `byteCount` bytes are done with; they were part of the last `peek`. */
  drop(byteCount: number): void {
    this.length -= byteCount;
    this.#first += byteCount;
    const end = this.#blocks.length === 1 ? this.#lastEnd : this.#blocks[0].length;
    if (this.#first < end) return;
    this.#blocks.shift();
    this.#first = 0;
  }

  clear(): void {
    this.length = 0;
    this.#blocks.length = 0;
    this.#first = 0;
    this.#lastEnd = 0;
  }
}
