import { type CorpusName, createCorpus } from '@linewire/testkit';
import type { CodecSide } from '../codec-sides.ts';
import { makeCodecPass } from './codec-passes.ts';
import type { CorpusOutcome } from './corpus-child.ts';
import { samplePasses } from './pass-samples.ts';

export interface CodecJob {
  readonly kind: 'codec';
  readonly corpus: CorpusName;
  readonly side: CodecSide;
  /** Size of the corpus, bytes; one line at least. */
  readonly targetBytes: number;
  readonly timeMs: number;
}

/**
 * Measures one side of the codec on one corpus in this process.
 *
 * @throws Error when the side does not see every message
 */
export function runCodecJob({ corpus: name, side, targetBytes, timeMs }: CodecJob): CorpusOutcome {
  const corpus = createCorpus(name, { targetBytes });
  return {
    ...samplePasses(makeCodecPass(side, corpus), corpus.messageCount, timeMs),
    messageCount: corpus.messageCount,
    byteCount: corpus.bytes.length,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
