import type { RecordableHistogram } from 'node:perf_hooks';
import type { LatencyStats } from '../../session/session-stats.ts';
import type { Call } from './call.ts';

const NS_PER_MS = 1_000_000;

/** How long handlers take, from their start to their answer in the outbox. For who asks for it: two looks at the clock for each call. */
export class Latency {
  private readonly histogram: RecordableHistogram;
  /** Of the calls whose handler awaits. */
  private readonly startsMs: Map<Call, number> = new Map();

  constructor() {
    // Loaded only then: it is not needed for anything else.
    this.histogram = process.getBuiltinModule('node:perf_hooks').createHistogram();
  }

  /** The handler of this call has started at `startMs` (of `performance.now()`) and awaits. */
  awaits(call: Call, startMs: number): void {
    this.startsMs.set(call, startMs);
  }

  /** The handler of a call that had awaited has settled. @param isAnswered - false for one that was given up */
  settled(call: Call, isAnswered: boolean): void {
    const startMs = this.startsMs.get(call);
    this.startsMs.delete(call);
    if (isAnswered && startMs !== undefined) this.record(startMs);
  }

  /** A call that started at `startMs` is answered. */
  record(startMs: number): void {
    this.histogram.record(Math.max(1, Math.round((performance.now() - startMs) * NS_PER_MS)));
  }

  /** A snapshot. */
  get stats(): LatencyStats {
    const { count } = this.histogram;
    if (count === 0) return { count: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };
    const percentile = (percent: number): number => this.histogram.percentile(percent) / NS_PER_MS;
    return {
      count,
      p50: percentile(50),
      p90: percentile(90),
      p99: percentile(99),
      p999: percentile(99.9),
      max: this.histogram.max / NS_PER_MS,
    };
  }
}
