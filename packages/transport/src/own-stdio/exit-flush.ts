import { writeSync } from 'node:fs';
import { errnoOf } from '../errors.ts';

/** Pause before a full descriptor is tried again. */
const RETRY_MS = 1;

/**
 * Writes chunks synchronously, for the last moment of a process, when no event loop will run again. Waits while the descriptor is full,
 * at most `timeoutMs` in all.
 *
 * @returns how many bytes could not be written.
 */
export function flushSync(fd: number, chunks: readonly Uint8Array[], timeoutMs: number): number {
  let left = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const deadline = performance.now() + timeoutMs;
  for (const chunk of chunks) {
    let offset = 0;
    while (offset < chunk.length) {
      const written = tryWrite(fd, chunk, offset);
      if (written < 0) return left;
      offset += written;
      left -= written;
      if (written > 0) continue;
      if (performance.now() >= deadline) return left;
      sleep(RETRY_MS);
    }
  }
  return left;
}

/** Bytes written; 0 when the descriptor is full, -1 when it is broken. */
function tryWrite(fd: number, chunk: Uint8Array, offset: number): number {
  try {
    return writeSync(fd, chunk, offset);
  } catch (error) {
    return errnoOf(error) === 'EAGAIN' ? 0 : -1;
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
