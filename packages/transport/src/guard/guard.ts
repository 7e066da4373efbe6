import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type Descriptor, describeDescriptor, isSameStream } from '../descriptor.ts';
import { TransportError } from '../errors.ts';
import { moveStdout } from './guard-descriptor.ts';
import { type GuardNoise, NoiseDiverter } from './guard-noise.ts';
import { guardSpawns } from './guard-spawn.ts';
import { holdStdin } from './guard-stdin.ts';
import { createStdoutGuard, endNothing, overlay, replaceGetter } from './guard-streams.ts';
import { launchedWire } from './launcher.ts';
import type { WireOutput } from './wire-output.ts';

/**
 * How well stdout is kept clean:
 *
 * - `none`: not at all;
 * - `js`: everything that goes through Node's JavaScript and the children it starts. Native code that writes to descriptor 1 is out of reach;
 * - `descriptor`: descriptor 1 is not the wire, so whoever writes to it, native code included, misses it.
 */
export type GuardLevel = 'none' | 'js' | 'descriptor';

/** The guard of this process's stdout. */
export interface StdoutGuard {
  /** What is in force, which may be less than what was asked for. */
  readonly level: GuardLevel;
  readonly noise: GuardNoise;
  /** Stderr leads into the wire (`2>&1`): nothing may be reported there, and noise is counted and dropped. */
  readonly stderrIsWire: boolean;
  /** Puts everything back. Idempotent. */
  release(): void;
}

/** What own stdio needs from the guard: the descriptors of the wire and the real streams behind them. */
export interface GuardedStdio extends StdoutGuard {
  readonly input: Descriptor;
  readonly output: Descriptor;
  /** The stream over descriptor 0, when that is the wire's input. */
  readonly realStdin: Readable | undefined;
  readonly realStdout: Writable;
  /** The wire's output when it is not descriptor 1. */
  readonly wireOutput: WireOutput | undefined;
  /** Other code was reading stdin before the guard came, so the wire must be read through that stream. */
  readonly stdinWasFlowing: boolean;
  /** Other code had closed stdin or read it to its end. */
  readonly stdinWasTaken: boolean;
  /** The wire is about to be read through `realStdin`. */
  readThroughStdin(): void;
}

/**
 * Above this much that others wrote to a pipe, it may have been full, and its descriptor be registered with the event loop, which must not be
 * closed under it. Pipes hold at least a page.
 */
const SURELY_TAKEN_BYTES = 4096;

let active: GuardedStdio | undefined;

/** The level of the guard that is in force now. */
export function guardLevel(): GuardLevel {
  return active === undefined ? 'none' : active.level;
}

/**
 * Takes stdout for the wire: `console` and `process.stdout` write to stderr, `process.stdin` has ended, children of this process no
 * longer inherit either. The first noise is explained once on stderr, with the stack of its writer. Idempotent: a guard that is in force
 * stays as it is. `openOwnStdio` calls it, a program that logs while it loads calls it earlier.
 *
 * @param level `descriptor` (default) also moves the wire away from descriptor 1 where that can be done in the process: a pipe, on Linux, in
 *   Node. Elsewhere it is `js`, unless the process was started in the launcher form; `level` of the result tells.
 * @throws TransportError `OPTION_INVALID` for another level, `LAUNCHER_INVALID` for a `LINEWIRE_FDS` that makes no sense.
 */
export function guardStdout(level: 'js' | 'descriptor' = 'descriptor'): StdoutGuard {
  return installGuard(level);
}

/** `guardStdout` with the real streams; `none` gives them without a guard, if none is in force. */
export function installGuard(level: GuardLevel): GuardedStdio {
  if (level !== 'none' && level !== 'js' && level !== 'descriptor') {
    throw new TransportError('OPTION_INVALID', "guard must be 'descriptor', 'js' or 'none'");
  }
  if (active !== undefined) return active;
  const stdio = install(level);
  if (level !== 'none') active = stdio;
  return stdio;
}

function install(asked: GuardLevel): GuardedStdio {
  const launched = launchedWire();
  const input = launched?.input ?? describeDescriptor(0);
  const given = launched?.output ?? describeDescriptor(1);
  const stderr = describeDescriptor(2);
  const stderrIsWire = isSameStream(given, stderr);
  const diverter = new NoiseDiverter(stderrIsWire);
  // Asking for it makes it, and that is wanted: one handle per descriptor, which others may have made and kept before us.
  const realStdout: Writable = process.stdout;
  const stdin = holdStdin(input, asked !== 'none');
  const moved =
    asked === 'descriptor' && launched === undefined && isQuietPipe(given, realStdout)
      ? moveStdout(stderr, stderrIsWire)
      : undefined;
  const wireOutput = moved?.wire ?? launched?.wireOutput;
  const output = moved === undefined ? given : { ...given, fd: moved.wire.fd };
  let released = asked === 'none';
  const undo: (() => void)[] = [stdin.release];
  if (asked !== 'none') {
    const instead = stderrIsWire ? nowhere(undo) : (): number => 2;
    const noiseFd = (): number => (released ? 1 : instead());
    const guard = createStdoutGuard(diverter, noiseFd, () => (released ? realStdout : undefined));
    undo.push(
      overlay(realStdout, heldStdout(realStdout, guard)),
      replaceGetter('stdout', guard),
      guardSpawns({ inputs: [0, input.fd], outputs: [1, output.fd], stderrIsWire }),
    );
    if (stderrIsWire) undo.push(overlay(process.stderr, { write: guard.write.bind(guard) }));
    if (moved !== undefined) undo.push(moved.restore);
  }
  return {
    level: levelOf(asked, moved !== undefined, output),
    input,
    output,
    realStdin: stdin.real,
    realStdout,
    wireOutput,
    stdinWasFlowing: stdin.wasFlowing,
    stderrIsWire,
    readThroughStdin: stdin.readThrough,
    get stdinWasTaken() {
      return stdin.wasTaken || launched?.inputIsSpent === true;
    },
    get noise() {
      return diverter.noise;
    },
    release(): void {
      if (released) return;
      released = true;
      for (const step of undo.reverse()) step();
      diverter.release();
      active = undefined;
    },
  };
}

/** Gives a descriptor of `/dev/null`, opened when it is first asked for and closed by the undoing. */
function nowhere(undo: (() => void)[]): () => number {
  let fd: number | undefined;
  undo.push(() => {
    if (fd !== undefined) closeSync(fd);
  });
  return () => {
    fd ??= openSync('/dev/null', 'w');
    return fd;
  };
}

/** A launcher may have given the wire descriptors of its own and yet have left it on descriptor 1 too. */
function levelOf(asked: GuardLevel, isMoved: boolean, output: Descriptor): GuardLevel {
  if (asked === 'none') return 'none';
  if (isMoved) return 'descriptor';
  return output.fd !== 1 && !isSameStream(output, describeDescriptor(1)) ? 'descriptor' : 'js';
}

/** A pipe into which nobody's noise is on its way. */
function isQuietPipe({ kind }: Descriptor, stdout: Writable): boolean {
  if (kind !== 'pipe' || stdout.writableLength > 0) return false;
  const written: unknown = Reflect.get(stdout, 'bytesWritten');
  return typeof written === 'number' && written <= SURELY_TAKEN_BYTES;
}

/** Stdout for those who kept it: what they write goes to the guard, and they can neither end, delay nor break what we write. */
function heldStdout(stdout: Writable, guard: Writable): Record<string, unknown> {
  const same = (): Writable => stdout;
  const nothing = (): void => {};
  return {
    write: guard.write.bind(guard),
    end: endNothing,
    destroy: same,
    destroySoon: same,
    setDefaultEncoding: same,
    cork: nothing,
    uncork: nothing,
  };
}
