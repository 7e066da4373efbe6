import { FrameStore } from './store.ts';

const NO_BYTES = new Uint8Array(0);

/** A CR before the newline is not counted by the limit but may have to be stored. */
const CR_BYTES = 1;

/** A frame that outgrew the call in which it began: its first bytes have left the window, for the store. */
export class LongFrame {
  /** Stream offset of its first byte. */
  offset = 0;
  /** Its whole length, which may be above 2^31. Known once it is complete. */
  byteLength = 0;
  /** The whole frame, or of a dropped one the preview, id and method that were captured. Empty until it is complete. */
  bytes: Uint8Array = NO_BYTES;

  readonly #store: FrameStore;
  #open = false;

  constructor(maxFrameBytes: number, windowBytes: number) {
    this.#store = new FrameStore(maxFrameBytes + CR_BYTES, windowBytes);
  }

  /** It has begun and is not done with. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Memory held by its store, in bytes: kept from one frame to the next. */
  get heldBytes(): number {
    return this.#store.heldBytes;
  }

  /** Bytes of it in the store. */
  get storedBytes(): number {
    return this.#store.length;
  }

  begin(offset: number): void {
    this.#open = true;
    this.offset = offset;
  }

  /** The bytes of `window` from `start` to `end` are its next ones. */
  append(window: Uint8Array, start: number, end: number): void {
    this.#store.append(window, start, end);
  }

  /** All its bytes are stored. */
  complete(byteLength: number): void {
    this.byteLength = byteLength;
    this.bytes = this.#store.view();
  }

  /** It was over the limit. `captured` is copied. */
  completeDropped(byteLength: number, captured: Uint8Array): void {
    this.byteLength = byteLength;
    this.bytes = captured.slice();
  }

  /** Consumed, or nothing but white space. Keeps the memory: big frames follow each other. */
  end(): void {
    this.#open = false;
    this.bytes = NO_BYTES;
    this.#store.clear();
  }

  /** Gives the memory back, unless the frame needs it. */
  rest(): void {
    if (!this.#open && this.#store.heldBytes > 0) this.#store.free();
  }

  /** Gives everything back. */
  close(): void {
    this.end();
    this.#store.free();
  }

  /** Overwrites its bytes (poison mode). */
  poison(byte: number): void {
    this.bytes.fill(byte);
  }
}
