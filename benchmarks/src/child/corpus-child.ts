import { type CorpusName, createCorpus } from '@linewire/testkit';
import type { CorpusSide } from '../corpus-sides.ts';
import { benchPasses } from './bench-passes.ts';
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
  const benched = benchPasses(`${job.side} on ${job.corpus}`, pass, job.timeMs);
  if (fallbackFrames() > 0)
    throw new Error(`${job.side} on ${job.corpus}: ${fallbackFrames()} frames went to another engine`);
  return {
    ...benched,
    messageCount: corpus.messageCount,
    byteCount: corpus.bytes.length,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
