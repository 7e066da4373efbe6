/** Keeps the last bytes of a stream. Never holds more than the limit plus one chunk. */
export class ByteTail {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #byteCount = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#byteCount += chunk.length;
    while (
      this.#chunks.length > 1 &&
      this.#byteCount - (this.#chunks[0] as Uint8Array).length >= this.#maxBytes
    ) {
      this.#byteCount -= (this.#chunks.shift() as Uint8Array).length;
    }
  }

  /** A copy. */
  copyBytes(): Uint8Array {
    const whole = Buffer.concat(this.#chunks);
    return whole.subarray(Math.max(0, whole.length - this.#maxBytes));
  }

  /** Decoded; a character that the cut split becomes U+FFFD. */
  text(): string {
    return new TextDecoder().decode(this.copyBytes());
  }
}
