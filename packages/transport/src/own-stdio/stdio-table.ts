import type { Readable, Writable } from 'node:stream';
import type { GuardedStdio } from '../guard/guard.ts';
import { type ReadingChoice, readWay, writeWay } from '../reading/capabilities.ts';
import type { Source } from '../reading/source.ts';
import { FileSource } from '../reading/source-file.ts';
import { SocketSource } from '../reading/source-socket.ts';
import { StreamSource } from '../reading/source-stream.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';
import { DirectSink } from '../writing/sink-direct.ts';
import { StreamSink } from '../writing/sink-stream.ts';
import { SyncSink } from '../writing/sink-sync.ts';

/** The reader for the wire's input. */
export function openStdinSource(stdio: GuardedStdio, choice?: ReadingChoice): Source {
  const { fd, kind } = stdio.input;
  const way = stdio.stdinWasFlowing ? 'data' : readWay(kind, choice);
  if (way === 'onread') return new SocketSource(fd);
  if (way === 'file') return new FileSource(fd);
  if (stdio.realStdin === undefined) return ownStreamSource(kind === 'tty', fd);
  stdio.readThroughStdin();
  return heldStdinSource(stdio.realStdin);
}

/** The writer for the wire's output. */
export function openStdoutSink(stdio: GuardedStdio, owner: SinkOwner): Sink {
  const { fd, kind } = stdio.output;
  const way = writeWay(kind);
  if (way === 'sync') return new SyncSink(fd, owner);
  const waiting = waitingSink(stdio, owner);
  return way === 'direct' ? new DirectSink(fd, owner, waiting) : waiting();
}

/** Makes the sink over the stream of the output; later, where nothing needs it before: a server whose answers are always taken never does. */
function waitingSink({ wireOutput, realStdout }: GuardedStdio, owner: SinkOwner): () => Sink {
  if (wireOutput?.isNonBlocking === true) return () => ownStreamSink(wireOutput.socket, owner);
  const sink =
    wireOutput === undefined ? realStdoutSink(realStdout, owner) : ownStreamSink(wireOutput.socket, owner);
  return () => sink;
}

/** A stream that nobody else knows. */
function ownStreamSource(isTerminal: boolean, fd: number): Source {
  const stream: Readable = isTerminal
    ? new (process.getBuiltinModule('node:tty').ReadStream)(fd)
    : new (process.getBuiltinModule('node:net').Socket)({ fd, readable: true, writable: false });
  return new StreamSource(stream, {
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    release: () => stream.destroy(),
  });
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

/** The wire's descriptor stays open when the duplex ends: the guard, or the end of the process, closes it. */
const KEEP_OPEN = { end: () => {}, release: () => {} };

function ownStreamSink(stream: Writable, owner: SinkOwner): Sink {
  return new StreamSink(
    stream,
    { write: (chunk, written) => stream.write(chunk, written), ...KEEP_OPEN },
    owner,
  );
}

function realStdoutSink(stdout: Writable, owner: SinkOwner): Sink {
  return new StreamSink(
    stdout,
    { write: (chunk, written) => realWrite(stdout, chunk, written), ...KEEP_OPEN },
    owner,
  );
}

/**
 * Calls back when nothing that others wrote to stdout is on its way any more; at once, when nothing is. Ours starts after it, so that at
 * the exit of the process what is left with the system is ours alone.
 */
export function whenStdoutIdle(stdio: GuardedStdio, idle: () => void): void {
  const { realStdout, output, wireOutput } = stdio;
  if (wireOutput !== undefined || writeWay(output.kind) === 'sync' || realStdout.writableLength === 0) idle();
  else realWrite(realStdout, Buffer.alloc(0), idle);
}

function realWrite(stdout: Writable, chunk: Buffer, written: (error?: Error | null) => void): void {
  const { write } = Object.getPrototypeOf(stdout) as Writable;
  write.call(stdout, chunk, 'utf8', written);
}
