import type { Readable, Writable } from 'node:stream';
import { type Descriptor, describeDescriptor, isSameStream } from '../descriptor.ts';
import { type GuardNoise, NoiseDiverter } from './guard-noise.ts';
import { guardSpawns } from './guard-spawn.ts';
import { createEndedStdin, createStdoutGuard, endNothing, overlay, replaceGetter } from './guard-streams.ts';

/** How well stdout is kept clean: `none`, or `js` = everything that goes through Node's JavaScript. Native code that writes to descriptor 1 is out of reach. */
export type GuardLevel = 'none' | 'js';

/** The guard of this process's stdout. */
export interface StdoutGuard {
  readonly level: GuardLevel;
  readonly noise: GuardNoise;
  /** Stderr leads into the wire (`2>&1`): nothing may be reported there, and noise is counted and dropped. */
  readonly stderrIsWire: boolean;
  /** Puts everything back. Idempotent. */
  release(): void;
}

/** What own stdio needs from the guard: the real streams behind it. */
export interface GuardedStdio extends StdoutGuard {
  readonly input: Descriptor;
  readonly output: Descriptor;
  readonly realStdin: Readable;
  readonly realStdout: Writable;
  /** Other code was reading stdin before the guard came, so the wire must be read through that stream. */
  readonly stdinWasFlowing: boolean;
  /** Other code had closed stdin or read it to its end. */
  readonly stdinWasTaken: boolean;
}

let active: GuardedStdio | undefined;

/** The level of the guard that is in force now. */
export function guardLevel(): GuardLevel {
  return active === undefined ? 'none' : active.level;
}

/**
 * Takes stdout for the wire: `console` and `process.stdout` write to stderr, `process.stdin` has ended, children of this process no
 * longer inherit either. The first noise is explained once on stderr, with the stack of its writer. Idempotent; `openOwnStdio` calls it,
 * a program that logs while it loads calls it earlier.
 */
export function guardStdout(): StdoutGuard {
  return installGuard();
}

/** `guardStdout` with the real streams. */
export function installGuard(): GuardedStdio {
  active ??= install();
  return active;
}

function install(): GuardedStdio {
  const input = describeDescriptor(0);
  const output = describeDescriptor(1);
  const stderrIsWire = isSameStream(output, describeDescriptor(2));
  // Asking for them makes them, and that is wanted: one handle per descriptor, which others may have made and kept before us.
  const realStdin: Readable = process.stdin;
  const realStdout: Writable = process.stdout;
  const stdinWasFlowing = isFlowing(realStdin);
  const stdinWasTaken = realStdin.destroyed || realStdin.readableEnded;
  const diverter = new NoiseDiverter(stderrIsWire);
  let released = false;
  const guard = createStdoutGuard(diverter, () => (released ? realStdout : undefined));
  const ended = createEndedStdin();
  const undo = [
    overlay(realStdout, heldStdout(realStdout, guard)),
    overlay(realStdin, stdinWasFlowing || input.kind === 'tty' ? heldStdin(realStdin) : deadStdin()),
    replaceGetter('stdout', guard),
    replaceGetter('stdin', ended),
    guardSpawns(),
  ];
  return {
    level: 'js',
    input,
    output,
    realStdin,
    realStdout,
    stdinWasFlowing,
    stdinWasTaken,
    stderrIsWire,
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

function isFlowing(stdin: Readable): boolean {
  return (
    stdin.readableFlowing === true ||
    stdin.readableLength > 0 ||
    stdin.listenerCount('data') > 0 ||
    stdin.listenerCount('readable') > 0
  );
}

/** A stdin that nobody reads yet: whoever kept it sees an end, and can neither read descriptor 0 nor close its handle under the wire's. */
function deadStdin(): Record<string, unknown> {
  return {
    _read(this: Readable): void {
      this.push(null);
    },
    _destroy(error: Error | null, done: (error: Error | null) => void): void {
      done(error);
    },
  };
}

/** A stdin that is being read: others may go on listening, but can no longer stop, end or re-encode it. */
function heldStdin(stdin: Readable): Record<string, unknown> {
  const same = (): Readable => stdin;
  return { pause: same, resume: same, destroy: same, setEncoding: same };
}
