import { writeSync } from 'node:fs';
import { errnoOf } from '../errors.ts';
import type { Sink, SinkOwner } from './sink.ts';

/**
 * Writes to a pipe or socket that does not block, straight to the descriptor: no request object, no callback and no tick per write. What
 * the system does not take at once goes through a sink over the stream of the same descriptor, which knows how to wait.
 *
 * Benchmark: `transport/round trips on one core`.
 */
export class DirectSink implements Sink {
  readonly #fd: number;
  readonly #owner: SinkOwner;
  readonly #openWaiting: () => Sink;
  #waiting: Sink | undefined;
  /** The end of the kept chunk, which `#waiting` has. */
  #rest: Buffer | undefined;

  /** @param openWaiting makes the sink that waits; called once, when it is first needed. */
  constructor(fd: number, owner: SinkOwner, openWaiting: () => Sink) {
    this.#fd = fd;
    this.#owner = owner;
    this.#openWaiting = openWaiting;
  }

  /** The outbox gives no chunk while one is kept, so nothing can overtake what the stream still has. */
  write(chunk: Buffer): boolean {
    let written = 0;
    try {
      written = writeSync(this.#fd, chunk);
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') {
        this.#owner.failed(error as Error);
        return false;
      }
    }
    if (written === chunk.length) return true;
    this.#waiting ??= this.#openWaiting();
    this.#rest = chunk.subarray(written);
    return this.#waiting.write(this.#rest);
  }

  unsent(chunk: Buffer): Uint8Array {
    if (this.#waiting === undefined || this.#rest === undefined) return chunk.subarray(chunk.length);
    return this.#waiting.unsent(this.#rest);
  }

  end(): void {
    this.#waiting?.end();
  }

  release(): void {
    this.#waiting?.release();
  }
}
