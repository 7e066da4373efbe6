import { closeSync, constants, openSync } from 'node:fs';
import { type Descriptor, openFlags } from '../descriptor.ts';
import { runtimeName } from '../reading/capabilities.ts';
import { WireOutput } from './wire-output.ts';

const NOWHERE = '/dev/null';
const STDERR = '/proc/self/fd/2';
/** Nothing may block for ever: a named pipe without a reader refuses with ENXIO, and noise that stderr has no room for is lost. */
const WRITE_FLAGS: number = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The wire on a descriptor of its own, while descriptor 1 leads to stderr. */
export interface MovedStdout {
  readonly wire: WireOutput;
  /** Descriptor 1 leads into the pipe again, unless nobody reads it any more. */
  restore(): void;
}

/**
 * Moves the wire away from descriptor 1, when that is a pipe: opens the pipe a second time through `/proc`, closes 1 and opens stderr in
 * its place, so that native code that writes to descriptor 1 misses the wire. Nothing is duplicated, since Node cannot: so it works for
 * pipes alone (a file opened twice is overwritten from two positions, a socket cannot be opened at all).
 *
 * Where stderr cannot be opened a second time for the same reasons (a socket, a file without O_APPEND, the pipe of the wire itself),
 * descriptor 1 leads to `/dev/null`.
 *
 * @returns undefined where it cannot be done: no Linux, no `/proc`, a pipe of another user, a named pipe whose reader is gone.
 */
export function moveStdout(stderr: Descriptor, stderrIsWire: boolean): MovedStdout | undefined {
  if (process.platform !== 'linux' || runtimeName() !== 'node') return undefined;
  const wireFd = tryOpen('/proc/self/fd/1');
  if (wireFd === undefined) return undefined;
  const wire = new WireOutput(wireFd, true);
  const target = !stderrIsWire && canReopen(stderr) ? STDERR : NOWHERE;
  replaceStdout([target, NOWHERE]);
  return {
    wire,
    restore(): void {
      if (wire.isOpen) replaceStdout([`/proc/self/fd/${wireFd}`, target, NOWHERE]);
      wire.giveUp();
    },
  };
}

/** A new descriptor gets the lowest free number, so it lands on 1, unless another thread was opening something in between. */
function replaceStdout(paths: readonly string[]): void {
  closeSync(1);
  for (const path of paths) {
    const fd = tryOpen(path);
    if (fd === undefined) continue;
    if (fd !== 1) closeSync(fd);
    return;
  }
}

function canReopen({ kind, fd }: Descriptor): boolean {
  if (kind === 'file') return ((openFlags(fd) ?? 0) & constants.O_APPEND) !== 0;
  return kind === 'pipe' || kind === 'tty' || kind === 'device';
}

function tryOpen(path: string): number | undefined {
  try {
    return openSync(path, path === STDERR ? WRITE_FLAGS | constants.O_APPEND : WRITE_FLAGS);
  } catch {
    return undefined;
  }
}
