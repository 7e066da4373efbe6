import { median, quantile } from '../statistics.ts';

/** What one pass over a corpus took of what is measured, and how many messages it saw. */
export interface PassSample {
  readonly ms: number;
  readonly messageCount: number;
}

export interface PassSamples {
  readonly medianNs: number;
  readonly p99Ns: number;
  readonly passCount: number;
}

/** A sample below this would measure the clock. */
const minSampleMs = 0.05;
const minPasses = 5;
/** Passes that take longer than all the time that is given: a run has more than one process for each side. */
const minLongPasses = 2;

/**
 * Runs passes for `timeMs`, after as much again for the compiler, and keeps what each says it took. For passes of which only a part is
 * measured; those that are measured as a whole are tinybench's.
 *
 * @throws Error when a pass does not see `wanted` messages, or takes less than 50 µs
 */
export function samplePasses(pass: () => PassSample, wanted: number, timeMs: number): PassSamples {
  const run = (): number => {
    const { ms, messageCount } = pass();
    if (messageCount !== wanted) throw new Error(`saw ${messageCount} of ${wanted} messages`);
    if (ms < minSampleMs) throw new Error(`a sample takes only ${ms} ms`);
    return ms;
  };
  let warmMs = 0;
  let lastMs = 0;
  for (; warmMs < timeMs; warmMs += lastMs) lastMs = run();
  const wantedPasses = lastMs > timeMs ? minLongPasses : minPasses;
  const samples: number[] = [];
  for (let spentMs = 0; spentMs < timeMs || samples.length < wantedPasses; ) {
    const ms = run();
    samples.push(ms);
    spentMs += ms;
  }
  return {
    medianNs: median(samples) * 1e6,
    p99Ns: quantile(samples, 0.99) * 1e6,
    passCount: samples.length,
  };
}
