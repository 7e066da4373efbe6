import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { TransportError } from '../errors.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';
import { StreamSink } from '../writing/sink-stream.ts';

/**
 * A sink for any Node stream that takes bytes. Only a pipe or a socket is done with the memory once nothing of it is left in the stream; all
 * other streams may pass it on and keep it, so they get a copy.
 *
 * @param release - lets go of the stream when the outbox does
 */
export function openNodeSink(stream: Writable, owner: SinkOwner, release: () => void): Sink {
  if (stream.writableObjectMode)
    throw new TransportError('OPTION_INVALID', 'the writable stream must take bytes, not objects');
  const own = isPlainSocket(stream) ? (chunk: Buffer): Buffer => chunk : copyOf;
  return new StreamSink(
    stream,
    {
      write: (chunk, written) => stream.write(own(chunk), written),
      end: () => stream.end(),
      release,
    },
    owner,
  );
}

/** A socket or a child's pipe that hands its bytes straight to the system: not one with encryption in between. */
export function isPlainSocket(stream: unknown): stream is Socket {
  const { Socket } = process.getBuiltinModule('node:net');
  return stream instanceof Socket && !('encrypted' in stream);
}

function copyOf(chunk: Buffer): Buffer {
  return Buffer.from(chunk);
}
