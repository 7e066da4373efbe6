import { FramingError } from '../../errors.ts';

const NO_BYTES = new Uint8Array(0);

/** The bytes that lazy values read, and whether they may still do so. One for all values of a batch, or of one text. */
export class LazySource {
  /** Offset in the stream of position 0 of `bytes`; for errors. */
  readonly origin: number;
  #bytes: Uint8Array;
  #released = false;

  constructor(bytes: Uint8Array, origin: number) {
    this.#bytes = bytes;
    this.origin = origin;
  }

  /**
   * The bytes. Every access to a lazy value begins here.
   *
   * @throws FramingError `VIEW_RELEASED`
   */
  live(): Uint8Array {
    if (this.#released) {
      throw new FramingError(
        'VIEW_RELEASED',
        'a lazy value is legal only inside its callback: copy what must outlive it',
      );
    }
    return this.#bytes;
  }

  /** From now on every access throws, and kept values pin no memory. */
  release(): void {
    this.#released = true;
    this.#bytes = NO_BYTES;
  }
}
