import type { Writable } from 'node:stream';

/** Unread bytes on stderr above which noise is dropped rather than queued: nobody reads them, and the process must not grow for it. */
const MAX_STDERR_BACKLOG_BYTES = 1024 * 1024;

/** What the guard kept off stdout. */
export interface GuardNoise {
  readonly writes: number;
  readonly bytes: number;
  /** Bytes that could not go to stderr either: it is the wire too, or it is full or closed. Part of `bytes`. */
  readonly droppedBytes: number;
}

/** Moves what was meant for stdout to stderr, tells once who wrote it, and counts. */
export class NoiseDiverter {
  readonly #stderrIsWire: boolean;
  #hinted = false;
  #stderr: Writable | undefined;
  #writes = 0;
  #bytes = 0;
  #droppedBytes = 0;

  /** @param stderrIsWire stderr leads into the same pipe, socket or file as stdout (`2>&1`), so noise has nowhere to go. */
  constructor(stderrIsWire: boolean) {
    this.#stderrIsWire = stderrIsWire;
  }

  get noise(): GuardNoise {
    return { writes: this.#writes, bytes: this.#bytes, droppedBytes: this.#droppedBytes };
  }

  divert(chunk: string | Uint8Array, encoding: BufferEncoding | undefined): void {
    const byteCount = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
    this.#writes++;
    this.#bytes += byteCount;
    if (this.#stderrIsWire || !this.#write(chunk, encoding)) this.#droppedBytes += byteCount;
  }

  release(): void {
    this.#stderr?.off('error', ignore);
  }

  #write(chunk: string | Uint8Array, encoding: BufferEncoding | undefined): boolean {
    try {
      if (this.#stderr === undefined) {
        this.#stderr = process.stderr;
        // A stderr that nobody reads any more (EPIPE) is no reason to end a server that still answers.
        this.#stderr.on('error', ignore);
      }
      if (this.#stderr.destroyed || this.#stderr.writableLength > MAX_STDERR_BACKLOG_BYTES) return false;
      if (!this.#hinted) {
        this.#hinted = true;
        this.#stderr.write(hint(new Error('first write')));
      }
      if (typeof chunk === 'string' && encoding !== undefined) this.#stderr.write(chunk, encoding);
      else this.#stderr.write(chunk);
      return true;
    } catch {
      // Terminals and files are written synchronously and throw EAGAIN, EIO or ENOSPC here.
      return false;
    }
  }
}

function ignore(): void {}

/** Where the first offender stands, without the frames of Node and of this file. */
function hint(at: Error): string {
  const frames = (at.stack ?? '').split('\n').slice(1);
  const foreign = frames.filter((frame) => !frame.includes('node:') && !frame.includes(import.meta.url));
  const shown = foreign.length > 0 ? foreign : frames;
  return `linewire: stdout carries the protocol, so other output goes to stderr from here on. First written by:\n${shown.join('\n')}\n`;
}
