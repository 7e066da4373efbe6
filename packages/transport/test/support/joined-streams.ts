import { Duplex, type Readable, type Writable } from 'node:stream';

/** Two one-way streams as one, whose death is the death of both: that of `Duplex.from` forgets the one that is still open. */
export class JoinedStreams extends Duplex {
  readonly #readable: Readable;
  readonly #writable: Writable;

  constructor(readable: Readable, writable: Writable) {
    super();
    this.#readable = readable;
    this.#writable = writable;
    readable.on('data', (bytes) => this.push(bytes) || readable.pause());
    readable.on('end', () => this.push(null));
    for (const stream of [readable, writable]) {
      stream.on('error', (error) => this.destroy(error));
      stream.on('close', () => {
        if (!readable.readableEnded || !writable.writableFinished) setImmediate(() => this.#checkClosed());
      });
    }
  }

  override _read(): void {
    this.#readable.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#writable.write(chunk, encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#writable.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#readable.destroy();
    this.#writable.destroy();
    done(error);
  }

  /** A stream that is closed without its end was destroyed by the other side. */
  #checkClosed(): void {
    const readableLost = this.#readable.closed && !this.#readable.readableEnded;
    const writableLost = this.#writable.closed && !this.#writable.writableFinished;
    if (readableLost || writableLost) this.destroy();
  }
}
