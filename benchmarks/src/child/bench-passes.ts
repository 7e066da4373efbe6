import { Bench } from 'tinybench';

export interface BenchedPasses {
  readonly medianNs: number;
  readonly p99Ns: number;
  readonly passCount: number;
}

/** A sample below this would measure the clock. */
const minSampleNs = 1000;

/**
 * Times whole passes with tinybench, after half as long to warm up.
 *
 * @throws Error when a pass takes less than 1 µs, or when tinybench warns that the clock is too coarse
 */
export function benchPasses(name: string, pass: () => unknown, timeMs: number): BenchedPasses {
  const bench = new Bench({
    time: timeMs,
    warmupTime: timeMs / 2,
    iterations: 5,
    warmupIterations: 2,
    throws: true,
  });
  let warning: string | undefined;
  bench.addEventListener('warning', (event) => {
    warning = event.reason ?? 'unknown reason';
  });
  bench.add(name, pass);
  bench.runSync();
  if (warning !== undefined) throw new Error(`${name}: the clock is saturated (${warning})`);
  const result = bench.tasks[0]?.result;
  if (result?.state !== 'completed') throw new Error(`${name} ended as ${result?.state}`);
  const { p50, p99, samplesCount } = result.latency;
  if (p50 * 1e6 < minSampleNs) throw new Error(`${name}: a sample takes only ${p50 * 1e6} ns`);
  return { medianNs: p50 * 1e6, p99Ns: p99 * 1e6, passCount: samplesCount };
}
