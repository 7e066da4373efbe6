import { defaultOptions } from '../support/engine-account.ts';
import { spliced } from './mutations.ts';
import type { Trial } from './trial.ts';

const NOTHING = new Uint8Array(0);
const PLAIN = 0x78;

/**
 * A smaller trial that still fails: fewer bytes, fewer cuts, plainer bytes, defaults where an option does not matter. Ranges are removed by
 * halves of halves (delta debugging), so that long inputs shrink in few runs.
 */
export function shrunk(trial: Trial, fails: (trial: Trial) => boolean): Trial {
  let smallest = trial;
  const accept = (candidate: Trial): boolean => {
    if (!fails(candidate)) return false;
    smallest = candidate;
    return true;
  };
  for (;;) {
    const before = size(smallest);
    removeCuts(smallest, accept);
    removeRanges(() => smallest, accept);
    simplify(() => smallest, accept);
    if (size(smallest) >= before) return smallest;
  }
}

function size({ bytes, cuts }: Trial): number {
  return bytes.length + cuts.length;
}

function removeCuts(trial: Trial, accept: (trial: Trial) => boolean): void {
  let { cuts } = trial;
  for (let count = cuts.length; count >= 1; count >>= 1) {
    for (let from = 0; from < cuts.length; ) {
      const fewer = [...cuts.slice(0, from), ...cuts.slice(from + count)];
      if (accept({ ...trial, cuts: fewer })) cuts = fewer;
      else from += count;
    }
  }
}

function removeRanges(current: () => Trial, accept: (trial: Trial) => boolean): void {
  for (let count = current().bytes.length; count >= 1; count >>= 1) {
    for (let from = 0; from < current().bytes.length; ) {
      if (!accept(without(current(), from, from + count))) from += count;
    }
  }
}

/** The trial without a range of its bytes; cuts stay where they were among the others. */
function without(trial: Trial, from: number, end: number): Trial {
  const to = Math.min(end, trial.bytes.length);
  const cuts = trial.cuts.map((cut) => (cut <= from ? cut : Math.max(from, cut - (to - from))));
  return { ...trial, bytes: spliced(trial.bytes, from, to, NOTHING), cuts };
}

function simplify(current: () => Trial, accept: (trial: Trial) => boolean): void {
  accept({ ...current(), company: 'alone' });
  for (const name of Object.keys(defaultOptions) as (keyof Trial['options'])[]) {
    const { options } = current();
    if (options[name] !== defaultOptions[name]) {
      accept({ ...current(), options: { ...options, [name]: defaultOptions[name] } });
    }
  }
  for (let at = 0; at < current().bytes.length; at++) {
    if (current().bytes[at] === PLAIN) continue;
    const bytes = current().bytes.slice();
    bytes[at] = PLAIN;
    accept({ ...current(), bytes });
  }
}
