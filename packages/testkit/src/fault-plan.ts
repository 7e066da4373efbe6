import { Random } from './random.ts';

/**
 * One thing that goes wrong in one direction of a link, before the byte number `at` (counted from 0) is handed on.
 *
 * - `cut`: a chunk ends there: a short write, a frame or a character split over two reads;
 * - `wait`: nothing is taken for so many turns of the event loop: EAGAIN;
 * - `delay`: the same for so many milliseconds;
 * - `garbage`: these bytes come in between (Latin-1);
 * - `stuck`: nothing is taken any more, and nothing is said: a peer that never reads;
 * - `end`: the receiver sees the end there, the sender may go on writing into nothing: half a frame, then EOF;
 * - `break`: the sender's write fails with this code, the receiver sees the end: EPIPE;
 * - `die`: the link is gone in both directions: the sender's write fails with ECONNRESET, and so does the reading of both.
 */
export type Fault =
  | { readonly kind: 'cut' | 'stuck' | 'end' | 'die'; readonly at: number }
  | { readonly kind: 'wait'; readonly at: number; readonly turns: number }
  | { readonly kind: 'delay'; readonly at: number; readonly ms: number }
  | { readonly kind: 'garbage'; readonly at: number; readonly bytes: string }
  | { readonly kind: 'break'; readonly at: number; readonly code: 'EPIPE' | 'ECONNRESET' };

/** What goes wrong on each way of a link. Plain data, so that a property test can shrink it; the order in the lists does not matter. */
export interface FaultPlan {
  readonly toRight?: readonly Fault[];
  readonly toLeft?: readonly Fault[];
}

/** Faults that lose no byte: whatever they do, the receiver must get exactly what was sent. */
export const harmlessFaults: readonly Fault['kind'][] = ['cut', 'wait', 'delay'];

/**
 * Faults for one direction that carries about `byteCount` bytes, from a seed.
 *
 * @param kinds - what may happen; default all of them
 */
export function seededFaults(
  seed: number,
  byteCount: number,
  faultCount: number,
  kinds: readonly Fault['kind'][] = [...harmlessFaults, 'garbage', 'stuck', 'end', 'break', 'die'],
): Fault[] {
  const random = new Random(seed);
  return Array.from({ length: faultCount }, () => {
    const kind = random.pick(kinds);
    const at = random.integer(0, Math.max(0, byteCount));
    switch (kind) {
      case 'wait':
        return { kind, at, turns: random.integer(1, 5) };
      case 'delay':
        return { kind, at, ms: random.integer(1, 5) };
      case 'garbage':
        return { kind, at, bytes: random.pick(['\n', 'noise\n', '\u00ff', '{', '\u0000', 'x'.repeat(300)]) };
      case 'break':
        return { kind, at, code: random.pick(['EPIPE', 'ECONNRESET'] as const) };
      default:
        return { kind, at };
    }
  });
}
