import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Descriptor, describeDescriptor } from '../descriptor.ts';
import { TransportError } from '../errors.ts';
import { installGuard } from '../guard/guard.ts';
import { openStdinSource, openStdoutSink } from '../own-stdio/stdio-table.ts';
import type { Source } from '../reading/source.ts';
import { FileSource } from '../reading/source-file.ts';
import { SocketSource } from '../reading/source-socket.ts';
import { StreamSource } from '../reading/source-stream.ts';
import { openNodeSink } from '../stream/node-sink.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';
import { SyncSink } from '../writing/sink-sync.ts';
import type { RelayDescriptors, RelayEnd, RelayStreams } from './relay-end.ts';

/**
 * Stdin and stdout of this process, whatever they are. The stdout guard is in force from this call on and stays so, as with `openOwnStdio`:
 * nothing but what is relayed reaches stdout. Stdout stays open until the process ends.
 */
export function stdioEnd(): RelayEnd {
  const stdio = installGuard('descriptor');
  return {
    name: 'own stdio',
    openSource: () => openStdinSource(stdio),
    openSink: (owner) => openStdoutSink(stdio, owner),
    release() {},
  };
}

/**
 * Descriptors of this process, each read and written as its kind needs. Pipes and sockets belong to the relay from then on and are closed by it;
 * files, devices and terminals stay open. Reading and writing a file begin where the descriptor stands.
 *
 * @throws TransportError `OPTION_INVALID` for a terminal, which only `stdioEnd` can read, and for a descriptor that is closed
 */
export function descriptorEnd({ input, output }: RelayDescriptors): RelayEnd {
  const from = input === undefined ? undefined : openDescriptor(input);
  const to = output === undefined ? undefined : openDescriptor(output);
  return {
    name: `descriptors ${input ?? 'none'} and ${output ?? 'none'}`,
    openSource: () => from && descriptorSource(from),
    openSink: (owner) => to && descriptorSink(to, owner),
    release() {},
  };
}

/**
 * Node streams, which belong to the relay from then on and are destroyed when it ends. A stream that is both, such as a socket, is given as
 * both: its end and the end of the other side are told apart. Streams that are no sockets get copies, since they may keep what they get.
 */
export function streamEnd({ readable, writable }: RelayStreams): RelayEnd {
  if (writable !== undefined && 'allowHalfOpen' in writable) writable.allowHalfOpen = true;
  readable?.on('error', () => {});
  writable?.on('error', () => {});
  return {
    name: 'stream',
    openSource: () => readable && streamSource(readable, Object.is(readable, writable)),
    openSink: (owner) => writable && openNodeSink(writable, owner, () => {}),
    release() {
      readable?.destroy();
      writable?.destroy();
    },
  };
}

/**
 * Stdin and stdout of a child process that the caller has spawned with pipes. Its exit ends its side, at most `exitDrainMs` after it, also when a
 * grandchild holds the pipes. The relay does not signal it: the end of its stdin is what it gets.
 */
export function childEnd(child: ChildProcess): RelayEnd {
  const { stdin, stdout } = child;
  const streams = streamEnd({ ...(stdout && { readable: stdout }), ...(stdin && { writable: stdin }) });
  return {
    ...streams,
    name: `child ${child.pid ?? 'not started'}`,
    onExit(exited) {
      const tell = (): void => exited({ exitCode: child.exitCode, signal: child.signalCode });
      if (child.exitCode !== null || child.signalCode !== null) process.nextTick(tell);
      else child.on('exit', tell);
    },
  };
}

function openDescriptor(fd: number): Descriptor {
  const descriptor = describeDescriptor(fd);
  if (descriptor.kind === 'closed' || descriptor.kind === 'tty') {
    throw new TransportError(
      'OPTION_INVALID',
      `descriptor ${fd} cannot be relayed: it is ${descriptor.kind === 'tty' ? 'a terminal' : 'closed'}`,
    );
  }
  return descriptor;
}

function hasSystemBuffer({ kind }: Descriptor): boolean {
  return kind === 'pipe' || kind === 'socket';
}

function descriptorSource(descriptor: Descriptor): Source {
  return hasSystemBuffer(descriptor) ? new SocketSource(descriptor.fd) : new FileSource(descriptor.fd);
}

function descriptorSink(descriptor: Descriptor, owner: SinkOwner): Sink {
  if (!hasSystemBuffer(descriptor)) return new SyncSink(descriptor.fd, owner);
  const { Socket } = process.getBuiltinModule('node:net');
  const socket = new Socket({ fd: descriptor.fd, readable: false, writable: true });
  return openNodeSink(socket, owner, () => socket.destroySoon());
}

/** @param isShared - the stream is written as well, so the end of reading must not destroy it */
function streamSource(readable: Readable, isShared: boolean): Source {
  return new StreamSource(readable, {
    pause: () => readable.pause(),
    resume: () => readable.resume(),
    release: () => (isShared ? readable.resume() : readable.destroy()),
  });
}
