import type { Readable } from 'node:stream';
import { type Descriptor, describeDescriptor, isSameStream } from '../descriptor.ts';
import { readWay } from '../reading/capabilities.ts';
import { createEndedStdin, overlay, replaceGetter } from './guard-streams.ts';

/** Stdin as the guard found it, and the way back. */
export interface HeldStdin {
  /** The real stream, when descriptor 0 is the wire's input. */
  readonly real: Readable | undefined;
  readonly wasFlowing: boolean;
  readonly wasTaken: boolean;
  /** From here on the wire is read through `real`. */
  readonly readThrough: () => void;
  readonly release: () => void;
}

/** A descriptor 0 that has nothing to do with the wire: a launcher's `/dev/null`. */
const FREE: HeldStdin = {
  real: undefined,
  wasFlowing: false,
  wasTaken: false,
  readThrough: () => {},
  release: () => {},
};

/** Keeps `process.stdin` off the wire, where descriptor 0 leads into it. `isGuarded` false: only looks. */
export function holdStdin(input: Descriptor, isGuarded: boolean): HeldStdin {
  if (input.fd !== 0 && !isSameStream(input, describeDescriptor(0))) return FREE;
  // Asking for it makes it; see stdout.
  const stdin: Readable = process.stdin;
  const real = input.fd === 0 ? stdin : undefined;
  const wasFlowing = real !== undefined && isFlowing(stdin);
  const found = {
    real,
    wasFlowing,
    wasTaken: real !== undefined && (stdin.destroyed || stdin.readableEnded),
  };
  if (!isGuarded) return { ...FREE, ...found };
  const isRead = wasFlowing || (real !== undefined && readWay(input.kind) === 'data');
  let undoHold = overlay(stdin, isRead ? heldStdin(stdin) : deadStdin());
  const undoGetter = replaceGetter('stdin', createEndedStdin());
  return {
    ...found,
    readThrough(): void {
      undoHold();
      undoHold = overlay(stdin, heldStdin(stdin));
    },
    release(): void {
      undoGetter();
      undoHold();
    },
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
