import type { DescriptorKind } from '../descriptor.ts';

/** The JavaScript runtimes that differ in how descriptors can be read and written. */
export type RuntimeName = 'node' | 'deno' | 'bun';

/**
 * - `onread`: `net.Socket` lands its reads in the reader's window, nothing is copied;
 * - `data`: a Node stream's `'data'` events, each chunk is copied into the window. Works for whatever the runtime can make a stream of;
 * - `file`: `fs.read`, on another thread.
 */
export type ReadWay = 'onread' | 'data' | 'file';

/**
 * - `direct`: `fs.writeSync` on a descriptor that does not block; what it does not take goes through the stream behind it;
 * - `stream`: a Node stream, always;
 * - `sync`: `fs.writeSync` until all is written, for what takes bytes at memory speed or must not lose any at exit.
 */
export type WriteWay = 'direct' | 'stream' | 'sync';

/** How one kind of descriptor is read and written. */
export interface Capability {
  readonly read: ReadWay;
  readonly write: WriteWay;
}

const FILE: Capability = { read: 'file', write: 'sync' };
/** A terminal must give up its line editing through Node's own stream, and shows what is written at once. */
const TERMINAL: Capability = { read: 'data', write: 'sync' };

function row(stream: Capability): Readonly<Record<DescriptorKind, Capability>> {
  // A closed descriptor fails with EBADF at once, which is the truth.
  return { pipe: stream, socket: stream, file: FILE, device: FILE, tty: TERMINAL, closed: FILE };
}

/**
 * What each runtime can do with each kind of descriptor; the one place where they are told apart. A test per runtime asserts its row.
 *
 * `net.Socket({ fd })` refuses files and devices, and `fs.read` would block a pool thread on a pipe. Bun takes `onread` and then silently
 * delivers nothing. Whether a pipe blocks in `fs.writeSync` is known for Node alone.
 */
export const CAPABILITIES: Readonly<Record<RuntimeName, Readonly<Record<DescriptorKind, Capability>>>> = {
  node: row({ read: 'onread', write: 'direct' }),
  deno: row({ read: 'onread', write: 'stream' }),
  bun: row({ read: 'data', write: 'stream' }),
};

/** `auto` reads as the table says, `data` through streams wherever the table says `onread`: for tests, and for a runtime that lies. */
export type ReadingChoice = 'auto' | 'data';

/** The runtime this process runs in. Both others call themselves Node too. */
export function runtimeName(): RuntimeName {
  const { versions } = process;
  if (versions['bun'] !== undefined) return 'bun';
  return versions['deno'] === undefined ? 'node' : 'deno';
}

/** `LINEWIRE_READING=data` asks for the other way where nothing else is said. */
function choiceOfEnvironment(): ReadingChoice {
  return process.env['LINEWIRE_READING'] === 'data' ? 'data' : 'auto';
}

/** How a descriptor is read in this runtime. */
export function readWay(kind: DescriptorKind, choice: ReadingChoice = choiceOfEnvironment()): ReadWay {
  const { read } = CAPABILITIES[runtimeName()][kind];
  return read === 'onread' && choice === 'data' ? 'data' : read;
}

/** How a descriptor is written in this runtime. A pipe of Windows would block in `fs.writeSync`. */
export function writeWay(kind: DescriptorKind): WriteWay {
  const { write } = CAPABILITIES[runtimeName()][kind];
  return write === 'direct' && process.platform === 'win32' ? 'stream' : write;
}
