import { type CorpusName, createCorpus } from '@linewire/testkit';
import { Bench } from 'tinybench';
import type { CorpusSide } from '../corpus-sides.ts';
import { makeWork } from './sides.ts';

export interface CorpusJob {
  readonly kind: 'corpus';
  readonly corpus: CorpusName;
  readonly side: CorpusSide;
  readonly timeMs: number;
}

export interface CorpusOutcome {
  readonly medianNs: number;
  readonly p99Ns: number;
  readonly passCount: number;
  readonly messageCount: number;
  readonly byteCount: number;
  readonly maxRssBytes: number;
}

/** A sample below this would measure the clock. */
const minSampleNs = 1000;

/**
 * Measures one side on one corpus in this process. One sample is one pass over the whole corpus, which batches
 * thousands of messages.
 *
 * @throws Error when the side does not see every message, or hands frames to another engine; when a sample takes less than
 * 1 µs, or when tinybench warns that the clock is too coarse
 */
export function runCorpusJob(job: CorpusJob): CorpusOutcome {
  const corpus = createCorpus(job.corpus);
  const { pass, fallbackFrames } = makeWork(job.side, corpus);
  const seen = pass();
  if (seen !== corpus.messageCount) {
    throw new Error(`${job.side} saw ${seen} of ${corpus.messageCount} messages of ${job.corpus}`);
  }
  const bench = new Bench({
    time: job.timeMs,
    warmupTime: job.timeMs / 2,
    iterations: 5,
    warmupIterations: 2,
    throws: true,
  });
  let warning: string | undefined;
  bench.addEventListener('warning', (event) => {
    warning = event.reason ?? 'unknown reason';
  });
  bench.add(job.side, pass);
  bench.runSync();
  if (warning !== undefined)
    throw new Error(`${job.side} on ${job.corpus}: the clock is saturated (${warning})`);
  const result = bench.tasks[0]?.result;
  if (result?.state !== 'completed')
    throw new Error(`${job.side} on ${job.corpus} ended as ${result?.state}`);
  if (fallbackFrames() > 0)
    throw new Error(`${job.side} on ${job.corpus}: ${fallbackFrames()} frames went to another engine`);
  const { p50, p99, samplesCount } = result.latency;
  if (p50 * 1e6 < minSampleNs)
    throw new Error(`${job.side} on ${job.corpus}: a sample takes only ${p50 * 1e6} ns`);
  return {
    medianNs: p50 * 1e6,
    p99Ns: p99 * 1e6,
    passCount: samplesCount,
    messageCount: corpus.messageCount,
    byteCount: corpus.bytes.length,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
