import type { CorpusName } from '@linewire/testkit';
import type { CorpusOutcome } from './child/corpus-child.ts';
import { corpusRow, perMessage } from './corpus-rows.ts';
import { type CorpusSide, corpusSides, sidesElsewhere, sidesOnOwn } from './corpus-sides.ts';
import { runInFreshProcess } from './fresh-process.ts';
import type { Noise, Row } from './results.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

/** What frames are made of: by length, by script, by structure. Corpora that are about values belong to the codec's cases. */
const frameCorpora: readonly CorpusName[] = [
  'tiny',
  'calls',
  'calls-thai',
  '1kb',
  '64kb',
  '1mb',
  '1mb-thai',
  '1mb-dense',
  'escapes',
  'thai-emoji',
  'deep',
  'sdk-order',
];

export function microCorpora(quick: boolean): readonly CorpusName[] {
  return quick ? ['calls', 'calls-thai', '1mb'] : frameCorpora;
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
    entries.map((entry) =>
      corpusRow(
        {
          group: 'micro',
          case: corpus,
          side: corpusSides[entry.side],
          node: entry.runtime.version,
          fit,
        },
        measured(entry),
      ),
    ),
  );
  const noise = ofRuntime.map(({ node, entries, twin }): Noise => {
    const first = entries.find(({ side }) => side === reference);
    const band = noiseBand(perMessage(measured(first)), perMessage(measured(twin)));
    return { group: 'micro', case: corpus, side: corpusSides[reference], node, band };
  });
  return { rows, noise };
}
