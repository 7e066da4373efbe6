import { writeSync } from 'node:fs';
import { errnoOf } from '../errors.ts';
import type { Sink, SinkOwner } from './sink.ts';

/** Pause before a descriptor that was full is tried again. */
const RETRY_MS = 2;

/**
 * Writes synchronously: files, `/dev/null`, terminals. A file takes bytes at memory speed, and only a synchronous write is known to be
 * done or not done when the process exits. The position is the descriptor's own, so `>>` and a shared offset are kept.
 */
export class SyncSink implements Sink {
  readonly #fd: number;
  readonly #owner: SinkOwner;
  #chunk: Buffer | undefined;
  #offset = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number, owner: SinkOwner) {
    this.#fd = fd;
    this.#owner = owner;
  }

  write(chunk: Buffer): boolean {
    this.#chunk = chunk;
    this.#offset = 0;
    return this.#writeOn();
  }

  unsent(chunk: Buffer): Uint8Array {
    return chunk.subarray(this.#offset);
  }

  end(): void {}

  release(): void {
    clearTimeout(this.#timer);
    this.#chunk = undefined;
  }

  #writeOn(): boolean {
    const chunk = this.#chunk;
    if (chunk === undefined) return true;
    try {
      // A short write is not an error (a full disk announces itself so): the rest is tried, and that attempt tells why.
      while (this.#offset < chunk.length) this.#offset += writeSync(this.#fd, chunk, this.#offset);
    } catch (error) {
      if (errnoOf(error) === 'EAGAIN') this.#timer = setTimeout(this.#retry, RETRY_MS);
      else this.#owner.failed(error as Error);
      return false;
    }
    this.#chunk = undefined;
    return true;
  }

  readonly #retry = (): void => {
    if (this.#writeOn()) this.#owner.written();
  };
}
