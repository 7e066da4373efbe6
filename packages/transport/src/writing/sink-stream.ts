import type { Writable } from 'node:stream';
import type { Sink, SinkOwner } from './sink.ts';

/** How a stream is written to; own stdout is written past the guard that replaced its methods. */
export interface StreamDoor {
  write(chunk: Buffer, written: (error?: Error | null) => void): void;
  end(): void;
  release(): void;
}

/** Writes to a Node stream over a pipe or socket: own stdout, or a child's stdin. */
export class StreamSink implements Sink {
  readonly #stream: Writable;
  readonly #door: StreamDoor;
  readonly #owner: SinkOwner;
  #waiting = false;
  #released = false;

  constructor(stream: Writable, door: StreamDoor, owner: SinkOwner) {
    this.#stream = stream;
    this.#door = door;
    this.#owner = owner;
    // These two stay for the whole life of the stream: an EPIPE can come at any time, and without a listener it ends the process.
    stream.on('error', this.#onError);
    stream.on('close', this.#onClose);
  }

  write(chunk: Buffer): boolean {
    this.#door.write(chunk, this.#onWritten);
    // Zero right after the write proves that the kernel has all of it.
    if (this.#stream.writableLength === 0) return true;
    this.#waiting = true;
    return false;
  }

  unsent(chunk: Buffer): Uint8Array {
    const handle: unknown = Reflect.get(this.#stream, '_handle');
    const left =
      typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : undefined;
    // Without the number nothing is written twice: a torn end is a fault for the peer, a doubled one would be a second call.
    if (typeof left !== 'number' || left > chunk.length) return chunk.subarray(chunk.length);
    return chunk.subarray(chunk.length - left);
  }

  end(): void {
    this.#door.end();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#stream.off('close', this.#onClose);
    this.#door.release();
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (this.#released) return;
    if (error != null) {
      // Own stdout tells it here alone: the guard keeps everybody, the stream itself too, from destroying it.
      this.#owner.failed(error);
      return;
    }
    // Also called, later, for chunks that were taken at once; those leave nothing to wait for.
    if (!this.#waiting || this.#stream.writableLength > 0) return;
    this.#waiting = false;
    this.#owner.written();
  };

  readonly #onError = (error: Error): void => {
    if (!this.#released) this.#owner.failed(error);
  };

  readonly #onClose = (): void => {
    if (!this.#released) this.#owner.failed(new Error('the stream was closed'));
  };
}
