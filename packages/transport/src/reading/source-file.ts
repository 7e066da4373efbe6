import { read } from 'node:fs';
import { errnoOf } from '../errors.ts';
import type { Intake, Source } from './source.ts';

const CHUNK_BYTES = 256 * 1024;
/** Pause before a device that had nothing yet is asked again. */
const RETRY_MS = 10;

/**
 * Reads a file or a character device such as `/dev/null` with `fs.read`, which runs on another thread: so the bytes land in a buffer of
 * our own and are copied into the window. The position is the descriptor's own, so what a shell has read before is not read again.
 */
export class FileSource implements Source {
  readonly #fd: number;
  #intake: Intake | undefined;
  #buffer: Uint8Array | undefined;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#buffer = new Uint8Array(CHUNK_BYTES);
    this.#read();
  }

  resume(): void {
    this.#read();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  readonly #read = (): void => {
    if (this.#stopped || this.#buffer === undefined) return;
    read(this.#fd, this.#buffer, 0, CHUNK_BYTES, null, this.#onRead);
  };

  readonly #onRead = (error: NodeJS.ErrnoException | null, byteCount: number): void => {
    if (this.#stopped || this.#intake === undefined || this.#buffer === undefined) return;
    if (error !== null) {
      if (errnoOf(error) === 'EAGAIN') {
        this.#timer = setTimeout(this.#read, RETRY_MS);
        return;
      }
      this.#stopped = true;
      this.#intake.failed(error);
      return;
    }
    if (byteCount === 0) {
      this.#stopped = true;
      this.#intake.ended();
      return;
    }
    if (this.#intake.chunk(this.#buffer.subarray(0, byteCount))) this.#read();
  };
}
