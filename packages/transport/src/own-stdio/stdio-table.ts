import type { Readable, Writable } from 'node:stream';
import type { DescriptorKind } from '../descriptor.ts';
import type { GuardedStdio } from '../guard/guard.ts';
import type { Source } from '../reading/source.ts';
import { FileSource } from '../reading/source-file.ts';
import { SocketSource } from '../reading/source-socket.ts';
import { StreamSource } from '../reading/source-stream.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';
import { StreamSink } from '../writing/sink-stream.ts';
import { SyncSink } from '../writing/sink-sync.ts';

/**
 * How each kind of descriptor is read and written. `net.Socket({ fd })` refuses files and devices, `fs.read` would block a pool thread on
 * a pipe, a terminal needs Node's own stream, and only pipes and sockets can be written without waiting.
 */
const TABLE: Readonly<
  Record<DescriptorKind, { readonly read: 'onread' | 'file' | 'stream'; readonly write: 'stream' | 'sync' }>
> = {
  pipe: { read: 'onread', write: 'stream' },
  socket: { read: 'onread', write: 'stream' },
  file: { read: 'file', write: 'sync' },
  device: { read: 'file', write: 'sync' },
  tty: { read: 'stream', write: 'sync' },
  // Both fail with EBADF at once, which is the truth.
  closed: { read: 'file', write: 'sync' },
};

/** The reader for own stdin. */
export function openStdinSource(stdio: GuardedStdio): Source {
  const how = stdio.stdinWasFlowing ? 'stream' : TABLE[stdio.input.kind].read;
  if (how === 'onread') return new SocketSource(stdio.input.fd);
  if (how === 'file') return new FileSource(stdio.input.fd);
  return heldStdinSource(stdio.realStdin);
}

/** The writer for own stdout. */
export function openStdoutSink(stdio: GuardedStdio, owner: SinkOwner): Sink {
  if (TABLE[stdio.output.kind].write === 'sync') return new SyncSink(stdio.output.fd, owner);
  return realStdoutSink(stdio.realStdout, owner);
}

/** Methods are taken from the prototype: the guard hides them behind own properties from everybody else. */
function heldStdinSource(stdin: Readable): Source {
  const { pause, resume } = Object.getPrototypeOf(stdin) as Readable;
  // With a listener for it, no 'data' flows; what it would have read comes to us.
  stdin.removeAllListeners('readable');
  return new StreamSource(stdin, {
    pause: () => pause.call(stdin),
    resume: () => resume.call(stdin),
    release: () => pause.call(stdin),
  });
}

function realStdoutSink(stdout: Writable, owner: SinkOwner): Sink {
  return new StreamSink(
    stdout,
    {
      write: (chunk, written) => realWrite(stdout, chunk, written),
      // Descriptor 1 belongs to the process, not to us: it is never closed, the end of the process does that.
      end: () => {},
      release: () => {},
    },
    owner,
  );
}

/**
 * Calls back when nothing that others wrote to stdout is on its way any more; at once, when nothing is. Ours starts after it, so that at
 * the exit of the process what is left with the system is ours alone.
 */
export function whenStdoutIdle(stdio: GuardedStdio, idle: () => void): void {
  const { realStdout } = stdio;
  if (TABLE[stdio.output.kind].write === 'sync' || realStdout.writableLength === 0) idle();
  else realWrite(realStdout, Buffer.alloc(0), idle);
}

function realWrite(stdout: Writable, chunk: Buffer, written: (error?: Error | null) => void): void {
  const { write } = Object.getPrototypeOf(stdout) as Writable;
  write.call(stdout, chunk, 'utf8', written);
}
