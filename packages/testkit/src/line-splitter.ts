/**
 * Splits a byte stream at 0x0A and hands out each line as a string, without the newline. Written with nothing but
 * `indexOf` so that it shares no line of code, and no mistake, with the framing it is used to judge. A CR stays in.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  /** Pieces of the unfinished line, joined once when its newline comes: linear however small the pieces. */
  #pieces: Buffer[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (this.#pieces.length > 0) {
        this.#pieces.push(bytes.subarray(start, end));
        const line = Buffer.concat(this.#pieces);
        this.#pieces = [];
        this.#onLine(line.toString('utf8'));
      } else {
        this.#onLine(bytes.toString('utf8', start, end));
      }
      start = end + 1;
    }
    // A copy, because the caller may use the chunk again.
    if (start < bytes.length) this.#pieces.push(Buffer.from(bytes.subarray(start)));
  }

  /** The bytes after the last newline; empty for a stream that ended properly. */
  end(): string {
    const rest = Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    return rest;
  }
}
