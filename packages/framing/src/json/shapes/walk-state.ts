export const NO_BYTES: Uint8Array = new Uint8Array(0);

/**
 * Where a walk is. Fields of an object, not variables of a module: the engine knows them as small integers and need not ask (a tenth of
 * a decode).
 */
export class WalkState {
  bytes: Uint8Array = NO_BYTES;
  /** Covers `bytes`. */
  view: DataView = new DataView(NO_BYTES.buffer);
  /** End of the text. */
  limit = 0;
  /** No byte of the text is above 0x7F. */
  isAscii = false;
  /** Position after the value that was read last; negative: the walk is over without one. */
  next = 0;
  /** Where it ended without a value. */
  reached = 0;

  /** Ends the walk at `at`: the shape is new, or the text is not JSON. */
  miss(at: number): undefined {
    this.next = -1;
    this.reached = at;
    return undefined;
  }
}
