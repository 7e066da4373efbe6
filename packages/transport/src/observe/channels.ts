import type { Channel } from 'node:diagnostics_channel';
import type { CloseReason, DuplexStats } from '../duplex.ts';

/** What every message names: the duplex, in words (`own stdio`, `child 4711`) and by a number that is its own in this process. */
export interface ObservedDuplex {
  readonly duplex: string;
  readonly id: number;
}

/** `linewire:frame`: one read batch was delivered, or one chunk written. Counts are those since the message before of the same direction. */
export interface FrameMessage extends ObservedDuplex {
  readonly direction: 'in' | 'out';
  /** In: frames that were read, faults included. Out: frames that were accepted, which may wait behind those written. */
  readonly frames: number;
  /** In: bytes read. Out: bytes handed to the system. */
  readonly bytes: number;
}

/** `linewire:stall`: unsent bytes went above high water. `linewire:drain`: they fell to low water after that. */
export interface QueueMessage extends ObservedDuplex {
  readonly queuedBytes: number;
}

/** `linewire:close`: a duplex has ended. */
export interface CloseMessage extends ObservedDuplex {
  readonly reason: CloseReason;
  readonly stats: DuplexStats;
}

/** Kept, since it is asked once per read and per write: reading a field of it is all that costs while nobody listens. */
let frameChannel: Channel | undefined;

/** Somebody listens to `linewire:frame`. */
export function isFrameWatched(): boolean {
  frameChannel ??= channels().channel('linewire:frame');
  return frameChannel.hasSubscribers;
}

/** To be called when `isFrameWatched` has said so. */
export function publishFrames(message: FrameMessage): void {
  frameChannel?.publish(message);
}

/** The rare ones; the message is made only if somebody listens. */
export function publishQueue(name: 'linewire:stall' | 'linewire:drain', message: () => QueueMessage): void {
  if (channels().hasSubscribers(name)) channels().channel(name).publish(message());
}

export function publishClose(message: () => CloseMessage): void {
  if (channels().hasSubscribers('linewire:close')) channels().channel('linewire:close').publish(message());
}

/** Loaded when the first bytes come; by then `net` has loaded it. */
function channels(): typeof import('node:diagnostics_channel') {
  return process.getBuiltinModule('node:diagnostics_channel');
}
