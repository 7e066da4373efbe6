import type { Readable, Writable } from 'node:stream';
import type { Source } from '../reading/source.ts';
import type { Sink, SinkOwner } from '../writing/sink.ts';

/** How the owner of an end went: a child process that exited. */
export interface RelayEndExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * One side of a relay: where bytes come from and where they go. Made by `stdioEnd`, `descriptorEnd`, `streamEnd` and `childEnd`, for one
 * relay each.
 */
export interface RelayEnd {
  /** For messages and debug lines. */
  readonly name: string;
  /** Undefined: nothing comes from here. @internal */
  openSource(): Source | undefined;
  /** Undefined: nothing can be sent here. @internal */
  openSink(owner: SinkOwner): Sink | undefined;
  /** Undefined: its streams alone tell when it is gone. @internal */
  onExit?(exited: (exit: RelayEndExit) => void): void;
  /** Lets go of the streams. Called once, when both directions are over. @internal */
  release(): void;
}

/** A Node stream to read, one to write, or both. A socket is given twice. */
export interface RelayStreams {
  readonly readable?: Readable;
  readonly writable?: Writable;
}

/** Descriptors of this process: pipes, sockets, files, devices. */
export interface RelayDescriptors {
  readonly input?: number;
  readonly output?: number;
}
