import { type CorpusName, corpora } from '@linewire/testkit';
import type { CorpusOutcome } from './child/corpus-child.ts';
import { type CorpusSide, corpusSides, sidesElsewhere, sidesOnOwn } from './corpus-sides.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';
import { median, noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

export function microCorpora(quick: boolean): CorpusName[] {
  return quick ? ['calls', 'calls-thai', '1mb'] : (Object.keys(corpora) as CorpusName[]);
}

/** One side on one Node. */
interface Entry {
  readonly side: CorpusSide;
  readonly runtime: Runtime;
}

/** Its second measurement in the same turns gives the noise band. */
const reference = 'parse';

/** All sides on one corpus, on every Node, in the same turns; `JSON.parse` twice for the noise band. */
export async function runCorpusCase(
  corpus: CorpusName,
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const ofRuntime = runtimes.map((runtime) => {
    const sides = runtime === ownRuntime ? sidesOnOwn : sidesElsewhere;
    return {
      node: runtime.version,
      entries: sides.map((side): Entry => ({ side, runtime })),
      twin: { side: reference, runtime } as Entry,
    };
  });
  const all = ofRuntime.flatMap(({ entries, twin }) => [...entries, twin]);
  const timeMs = quick ? 100 : 250;
  const outcomes = await takeTurns(all, quick ? 2 : 4, ({ side, runtime }) =>
    runInFreshProcess(runtime, { kind: 'corpus', corpus, side, timeMs }),
  );
  const measured = (entry: Entry | undefined): CorpusOutcome[] => (entry && outcomes.get(entry)) ?? [];

  const rows = ofRuntime.flatMap(({ entries }) =>
    entries.map((entry) => toRow(corpus, entry, measured(entry), fit)),
  );
  const noise = ofRuntime.map(({ node, entries, twin }): Noise => {
    const first = entries.find(({ side }) => side === reference);
    const band = noiseBand(perMessage(measured(first)), perMessage(measured(twin)));
    return { group: 'micro', case: corpus, side: corpusSides[reference], node, band };
  });
  return { rows, noise };
}

function perMessage(outcomes: readonly CorpusOutcome[]): number[] {
  return outcomes.map(({ medianNs, messageCount }) => medianNs / messageCount);
}

function toRow(
  corpus: CorpusName,
  { side, runtime }: Entry,
  outcomes: readonly CorpusOutcome[],
  fit: boolean,
): Row {
  const messageCount = outcomes[0]?.messageCount ?? 1;
  const byteCount = outcomes[0]?.byteCount ?? 0;
  const row = summarize({
    group: 'micro',
    case: corpus,
    side: corpusSides[side],
    node: runtime.version,
    unit: 'ns/message',
    samples: perMessage(outcomes),
    p99: median(outcomes.map(({ p99Ns }) => p99Ns / messageCount)),
    fit,
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
