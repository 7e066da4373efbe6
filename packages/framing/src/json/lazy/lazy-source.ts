import { FramingError } from '../../errors.ts';

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new DataView(NO_BYTES.buffer);

/**
 * Passes over a container whose brackets and strings an engine has already found in order: from its opening bracket to the end of a range
 * that holds all of it; gives the position behind its closing bracket, 0 when it cannot tell.
 */
export type Leap = (start: number, end: number) => number;

/** The bytes that lazy values read, and whether they may still do so. One for all values of a batch, or of one text. */
export class LazySource {
  /** Offset in the stream of position 0 of `bytes`; for errors. */
  readonly origin: number;
  /** Four of the bytes at any offset: what `live` gives, as a view that reads words. Only for those who have called `live`. */
  words: DataView;
  /** Undefined where the bytes were not checked before, or do not lie in an engine's memory. */
  leap: Leap | undefined;
  #bytes: Uint8Array;
  #released = false;

  constructor(bytes: Uint8Array, origin: number, leap?: Leap) {
    this.origin = origin;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.leap = leap;
    this.#bytes = bytes;
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
    this.words = NO_WORDS;
    this.leap = undefined;
  }
}
