import type { CorpusOutcome } from './child/corpus-child.ts';
import { type Row, summarize } from './results.ts';
import { median } from './statistics.ts';

/** Nanoseconds per message of each process. */
export function perMessage(outcomes: readonly CorpusOutcome[]): number[] {
  return outcomes.map(({ medianNs, messageCount }) => medianNs / messageCount);
}

/** One side's row from what its processes measured. */
export function corpusRow(
  names: Pick<Row, 'group' | 'case' | 'side' | 'fit'> & { readonly node: string },
  outcomes: readonly CorpusOutcome[],
): Row {
  const messageCount = outcomes[0]?.messageCount ?? 1;
  const byteCount = outcomes[0]?.byteCount ?? 0;
  const row = summarize({
    ...names,
    unit: 'ns/message',
    samples: perMessage(outcomes),
    p99: median(outcomes.map(({ p99Ns }) => p99Ns / messageCount)),
  });
  return {
    ...row,
    messagesPerSecond: Math.round(1e9 / row.median),
    mbPerSecond: (byteCount / messageCount / row.median) * 1000,
    maxRssBytes: Math.max(...outcomes.map(({ maxRssBytes }) => maxRssBytes)),
    detail: {
      meanBytes: byteCount / messageCount,
      passes: outcomes.reduce((sum, { passCount }) => sum + passCount, 0),
    },
  };
}
