import type { Readable } from 'node:stream';
import type { Intake, Source } from './source.ts';

/** How a stream is held and let go; own stdin is reached past the guard that replaced its methods. */
export interface StreamTap {
  pause(): void;
  resume(): void;
  release(): void;
}

/** Reads a Node stream by its `'data'` events: a child's stdout, a terminal, an own stdin that other code was reading already. */
export class StreamSource implements Source {
  readonly #stream: Readable;
  readonly #tap: StreamTap;
  #intake: Intake | undefined;
  #over = false;

  constructor(stream: Readable, tap: StreamTap) {
    this.#stream = stream;
    this.#tap = tap;
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#stream.on('data', this.#onData);
    this.#stream.on('end', this.#onEnd);
    // A stream can be destroyed without an end; then nothing more will come either.
    this.#stream.on('close', this.#onEnd);
    this.#stream.on('error', this.#onError);
    this.#tap.resume();
  }

  resume(): void {
    if (!this.#over) this.#tap.resume();
  }

  stop(): void {
    this.#over = true;
    this.#stream.off('data', this.#onData);
    this.#stream.off('end', this.#onEnd);
    this.#stream.off('close', this.#onEnd);
    this.#tap.release();
  }

  readonly #onData = (data: Uint8Array | string): void => {
    const bytes =
      typeof data === 'string' ? Buffer.from(data, this.#stream.readableEncoding ?? 'utf8') : data;
    if (this.#intake !== undefined && !this.#intake.chunk(bytes)) this.#tap.pause();
  };

  readonly #onEnd = (): void => {
    if (this.#over) return;
    this.#over = true;
    this.#intake?.ended();
  };

  /** Stays until the stream is gone: an error after `stop()` must not end the process. */
  readonly #onError = (error: Error): void => {
    if (this.#over) return;
    this.#over = true;
    this.#intake?.failed(error);
  };
}
