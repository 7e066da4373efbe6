import { type CorpusName, corpora } from '@linewire/testkit';
import { type CorpusSide, corpusSides } from './corpus-sides.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { median, noiseBand } from './statistics.ts';
import { again, takeTurns } from './turns.ts';

const sides = Object.keys(corpusSides) as CorpusSide[];

export function microCorpora(quick: boolean): CorpusName[] {
  return quick ? ['calls', 'thai-emoji', '64kb'] : (Object.keys(corpora) as CorpusName[]);
}

/** All sides on one corpus, `JSON.parse` twice for the noise band. */
export async function runCorpusCase(
  corpus: CorpusName,
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const reference = 'parse';
  const named = [
    ...sides.map((side) => ({ side, name: corpusSides[side] as string })),
    { side: reference, name: again(corpusSides[reference]) },
  ] as const;
  const timeMs = quick ? 150 : 400;
  const outcomes = await takeTurns(named, quick ? 2 : 6, ({ side }) =>
    runInFreshProcess({ kind: 'corpus', corpus, side: side as CorpusSide, timeMs }),
  );

  const rows: Row[] = [];
  let first: number[] = [];
  let second: number[] = [];
  for (const entry of named) {
    const measured = outcomes.get(entry) ?? [];
    const samples = measured.map(({ medianNs, messageCount }) => medianNs / messageCount);
    if (entry.side === reference) {
      if (entry.name === corpusSides[reference]) first = samples;
      else {
        second = samples;
        continue;
      }
    }
    const messageCount = measured[0]?.messageCount ?? 1;
    const byteCount = measured[0]?.byteCount ?? 0;
    const row = summarize({
      group: 'micro',
      case: corpus,
      side: entry.name,
      unit: 'ns/message',
      samples,
      p99: median(measured.map(({ p99Ns }) => p99Ns / messageCount)),
      fit,
    });
    rows.push({
      ...row,
      messagesPerSecond: Math.round(1e9 / row.median),
      mbPerSecond: (byteCount / messageCount / row.median) * 1000,
      maxRssBytes: Math.max(...measured.map(({ maxRssBytes }) => maxRssBytes)),
      detail: {
        meanBytes: byteCount / messageCount,
        passes: measured.reduce((sum, { passCount }) => sum + passCount, 0),
      },
    });
  }
  const band = noiseBand(first, second);
  return { rows, noise: [{ group: 'micro', case: corpus, side: corpusSides[reference], band }] };
}
