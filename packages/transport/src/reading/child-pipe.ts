import type { Readable } from 'node:stream';
import { readWay } from './capabilities.ts';
import type { Source } from './source.ts';
import { SocketSource } from './source-socket.ts';
import { StreamSource } from './source-stream.ts';

/** What a pipe handle of Node can do that we need; the name it hangs on is only half public. */
interface PipeHandle {
  readStop(): void;
  reading: boolean;
}

/**
 * A source for the stdout of a child; to be made in the tick of the spawn, before a byte of it has been read.
 *
 * With `onread` the stream loses its handle to the source: it never ends then, and the child's `'close'` event does not come before the
 * stream is destroyed. So the stream is given to nobody, and the end of a child is told by its exit and the end of its pipes.
 */
export function openChildPipe(stream: Readable): Source {
  const handle = readWay('pipe') === 'onread' ? handleOf(stream) : undefined;
  if (handle === undefined) {
    return new StreamSource(stream, {
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      release: () => stream.destroy(),
    });
  }
  // Node has begun to read into the stream; what has come by now is still in the system.
  handle.readStop();
  handle.reading = false;
  Reflect.set(stream, '_handle', null);
  return new SocketSource(handle);
}

function handleOf(stream: Readable): PipeHandle | undefined {
  const handle: unknown = Reflect.get(stream, '_handle');
  return isPipeHandle(handle) ? handle : undefined;
}

function isPipeHandle(value: unknown): value is PipeHandle {
  if (typeof value !== 'object' || value === null || !('reading' in value)) return false;
  return ['readStop', 'readStart', 'useUserBuffer'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}
