import { searchableView } from '../engine/window-bytes.ts';
import { FramingError } from '../errors.ts';
import { copyRange } from './copy-range.ts';

interface ResizableArrayBuffer extends ArrayBuffer {
  resize(byteLength: number): void;
}

/**
 * The bytes of one frame that outgrew the window. Grows in place, so nothing is copied twice. Where resizable buffers are missing or
 * refused (address space), it grows by copying.
 */
export class FrameStore {
  readonly #maxBytes: number;
  readonly #firstBytes: number;
  #buffer: ArrayBuffer = new ArrayBuffer(0);
  /** All of the buffer. */
  #bytes: Uint8Array = new Uint8Array(this.#buffer);
  #length = 0;
  #dropped = false;

  /**
   * @param maxBytes - most bytes that are ever kept; a frame that grows beyond is dropped
   * @param firstBytes - what is taken at first; it is doubled from there
   */
  constructor(maxBytes: number, firstBytes: number) {
    this.#maxBytes = maxBytes;
    this.#firstBytes = firstBytes;
  }

  /** Bytes stored. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of memory held now. */
  get heldBytes(): number {
    return this.#buffer.byteLength;
  }

  /** The frame grew over the limit, and its bytes are gone. */
  get dropped(): boolean {
    return this.#dropped;
  }

  /** A view of what is stored, valid until the next `append` or `clear`. */
  view(): Uint8Array {
    return searchableView(this.#buffer, 0, this.#length);
  }

  /** Takes a copy of the bytes from `start` to `end`. @throws FramingError `OUT_OF_MEMORY` */
  append(source: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start;
    if (this.#dropped || length > this.#maxBytes) {
      this.free();
      this.#dropped = true;
      return;
    }
    if (length > this.#buffer.byteLength) this.#growOrRefuse(length);
    copyRange(source, start, end, this.#bytes, this.#length);
    this.#length = length;
  }

  /** Forgets the frame and keeps the memory for the next one. */
  clear(): void {
    this.#length = 0;
    this.#dropped = false;
  }

  /** Gives all memory back. */
  free(): void {
    this.clear();
    if (this.#buffer.byteLength === 0) return;
    if (isResizable(this.#buffer)) this.#buffer.resize(0);
    else this.#buffer = new ArrayBuffer(0);
    this.#bytes = new Uint8Array(this.#buffer);
  }

  #growOrRefuse(length: number): void {
    try {
      this.#grow(length);
    } catch (cause) {
      const message = `there is no memory for a frame of ${length} bytes and more: a lower maxFrameBytes would drop it`;
      throw new FramingError('OUT_OF_MEMORY', message, { actual: length, cause });
    }
  }

  #grow(length: number): void {
    const wanted = Math.max(length, this.#buffer.byteLength * 2, this.#firstBytes);
    const byteLength = Math.min(wanted, this.#maxBytes);
    if (this.#buffer.byteLength === 0 && !isResizable(this.#buffer))
      this.#buffer = emptyBuffer(this.#maxBytes);
    if (isResizable(this.#buffer)) {
      this.#buffer.resize(byteLength);
      this.#bytes = new Uint8Array(this.#buffer, 0, byteLength);
      return;
    }
    const grown = new Uint8Array(byteLength);
    copyRange(this.#bytes, 0, this.#length, grown, 0);
    this.#bytes = grown;
    this.#buffer = grown.buffer;
  }
}

function isResizable(buffer: ArrayBuffer): buffer is ResizableArrayBuffer {
  return (buffer as { resizable?: boolean }).resizable === true;
}

/** Reserves address space for `maxBytes`, holds none of it yet. */
function emptyBuffer(maxBytes: number): ArrayBuffer {
  const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
  try {
    return new Resizable(0, { maxByteLength: maxBytes });
  } catch {
    return new ArrayBuffer(0);
  }
}
