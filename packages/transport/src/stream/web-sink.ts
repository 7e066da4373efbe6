import type { WritableStreamDefaultWriter } from 'node:stream/web';
import type { Sink, SinkOwner } from '../writing/sink.ts';

/** Writes to a Web stream, which may keep or transfer every chunk: each one is a copy with memory of its own. */
export class WebSink implements Sink {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #owner: SinkOwner;
  #closed: Promise<void> | undefined;
  #released = false;

  constructor(writer: WritableStreamDefaultWriter<Uint8Array>, owner: SinkOwner) {
    this.#writer = writer;
    this.#owner = owner;
    // Rejects as soon as the other side has cancelled, also while nothing is being written.
    writer.closed.then(() => {}, this.#onFailure);
    writer.ready.catch(() => {});
  }

  write(chunk: Buffer): boolean {
    this.#writer.write(new Uint8Array(chunk)).then(this.#onWritten, this.#onFailure);
    return false;
  }

  /** At the exit of the process no promise will be kept any more. */
  unsent(chunk: Buffer): Uint8Array {
    return chunk.subarray(chunk.length);
  }

  end(): void {
    this.#closed ??= this.#writer.close();
    this.#closed.catch(this.#onFailure);
  }

  release(): void {
    this.#released = true;
  }

  /** Calls back when the stream has taken the end, at the latest after some time. */
  whenClosed(timeoutMs: number, done: () => void): void {
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(() => {
      // An abort waits for the write that is under way, which may never end: it is not waited for.
      this.abort();
      over();
    }, timeoutMs);
    this.end();
    this.#closed?.then(over, over);
  }

  abort(): void {
    this.#writer.abort().then(
      () => {},
      () => {},
    );
  }

  readonly #onWritten = (): void => {
    if (!this.#released) this.#owner.written();
  };

  readonly #onFailure = (error: unknown): void => {
    if (!this.#released) this.#owner.failed(error instanceof Error ? error : new Error(String(error)));
  };
}
