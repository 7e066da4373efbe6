/** Smallest memory of a tail that holds anything, bytes. */
const FIRST_BYTES = 256;

/** Keeps the last bytes of a stream, as a ring that grows up to the limit: what is kept costs no more than twice its bytes, however small its pieces. */
export class ByteTail {
  readonly #maxBytes: number;
  #ring = new Uint8Array(0);
  /** Where the next byte goes. Once the ring is full and at the limit, the oldest byte is there. */
  #at = 0;
  #isFull = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Copies; the chunk stays the caller's. */
  push(chunk: Uint8Array): void {
    let left = chunk.length > this.#maxBytes ? chunk.subarray(chunk.length - this.#maxBytes) : chunk;
    this.#makeRoom(left.length);
    while (left.length > 0) {
      const piece = left.subarray(0, this.#ring.length - this.#at);
      this.#ring.set(piece, this.#at);
      this.#at += piece.length;
      left = left.subarray(piece.length);
      if (this.#at < this.#ring.length) return;
      // Only at the limit is there more to come than room.
      this.#isFull = this.#ring.length === this.#maxBytes;
      if (!this.#isFull) return;
      this.#at = 0;
    }
  }

  /** A copy. */
  copyBytes(): Uint8Array {
    const newest = this.#ring.subarray(0, this.#at);
    return this.#isFull ? Buffer.concat([this.#ring.subarray(this.#at), newest]) : newest.slice();
  }

  /** Decoded; a character that the cut split becomes U+FFFD. */
  text(): string {
    return new TextDecoder().decode(this.copyBytes());
  }

  #makeRoom(byteCount: number): void {
    const wanted = Math.min(this.#at + byteCount, this.#maxBytes);
    if (this.#isFull || wanted <= this.#ring.length) return;
    const grown = new Uint8Array(
      Math.min(Math.max(wanted, 2 * this.#ring.length, FIRST_BYTES), this.#maxBytes),
    );
    grown.set(this.#ring.subarray(0, this.#at));
    this.#ring = grown;
  }
}
