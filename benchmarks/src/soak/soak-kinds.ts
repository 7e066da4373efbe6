import type { ChildOptions } from '@linewire/transport';

/** A child of the soak: what it is, and what of its output is known. */
export interface SoakKind {
  readonly name: string;
  readonly options: ChildOptions;
  /** Frames that it is sent; it echoes them in order. 0: it writes the same frame for ever. */
  readonly echoes: number;
  /** Whom the kill hits: the child by its pid, or nobody, because the child is closed and ignores that. */
  readonly end: 'kill' | 'close';
}

/** What the endless ones write. */
export const endlessFrame =
  '{"jsonrpc":"2.0","id":"endless","result":{"text":"0123456789abcdef0123456789abcdef"}}';

const shell = (line: string, ...args: string[]): Pick<ChildOptions, 'command' | 'args'> => ({
  command: 'sh',
  args: ['-c', line, 'sh', ...args],
});

/** Cheap programs, so that ten thousand of them take minutes: what is worn is the transport, not Node's start-up. */
export const soakKinds: readonly SoakKind[] = [
  // Killed at a random byte of an endless output.
  { name: 'endless', options: { command: 'yes', args: [endlessFrame] }, echoes: 0, end: 'kill' },
  // Killed while requests are on their way in and answers on their way out.
  { name: 'echo', options: { command: 'cat' }, echoes: 200, end: 'kill' },
  // Writes in pieces that end anywhere, so that most kills cut a frame.
  {
    name: 'uneven',
    options: shell('yes "$1" | dd ibs=64k obs=997 status=none', endlessFrame),
    echoes: 0,
    end: 'kill',
  },
  // The wrapper is killed; what is behind it has to go with it.
  {
    name: 'wrapper',
    options: shell('yes "$1" & cat >/dev/null; wait', endlessFrame),
    echoes: 0,
    end: 'kill',
  },
  // Floods stderr, which has to be drained.
  {
    name: 'stderr flood',
    options: shell('yes noise >&2 & yes "$1"; wait', endlessFrame),
    echoes: 0,
    end: 'kill',
  },
  // The same echo, watched from outside.
  { name: 'guarded echo', options: { command: 'cat', orphanGuard: true }, echoes: 50, end: 'kill' },
  // Ignores the end of its input and SIGTERM, its background process too.
  {
    name: 'stubborn',
    options: {
      ...shell('trap "" TERM; yes "$1" & while :; do wait; done', endlessFrame),
      closeTimeoutMs: 1,
      termTimeoutMs: 1,
    },
    echoes: 0,
    end: 'close',
  },
];
