import { searchableView } from '../engine/window-bytes.ts';

interface ResizableArrayBuffer extends ArrayBuffer {
  resize(byteLength: number): void;
}

/** Smallest step the store grows by, in bytes. */
const FIRST_GROWTH_BYTES = 1024 * 1024;

/**
 * The bytes of the one frame that outgrew the window. Grows in place, so nothing is copied twice. Where resizable buffers are missing or refused (address space), it grows by copying.
 */
export class FrameStore {
  readonly #maxBytes: number;
  #buffer: ArrayBuffer = new ArrayBuffer(0);
  #length = 0;
  #dropped = false;

  /** @param maxBytes - most bytes that are ever kept; a frame that grows beyond is dropped */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
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

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (this.#dropped || length > this.#maxBytes) {
      this.free();
      this.#dropped = true;
      return;
    }
    if (length > this.#buffer.byteLength) this.#grow(length);
    new Uint8Array(this.#buffer, this.#length, bytes.length).set(bytes);
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
  }

  #grow(length: number): void {
    const wanted = Math.max(length, this.#buffer.byteLength * 2, FIRST_GROWTH_BYTES);
    const byteLength = Math.min(wanted, this.#maxBytes);
    if (this.#buffer.byteLength === 0 && !isResizable(this.#buffer))
      this.#buffer = emptyBuffer(this.#maxBytes);
    if (isResizable(this.#buffer)) {
      this.#buffer.resize(byteLength);
      return;
    }
    const grown = new ArrayBuffer(byteLength);
    new Uint8Array(grown).set(new Uint8Array(this.#buffer, 0, this.#length));
    this.#buffer = grown;
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
