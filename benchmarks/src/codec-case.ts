import type { CorpusOutcome } from './child/corpus-child.ts';
import type { CodecCase } from './codec-cases.ts';
import { type CodecSide, codecSides } from './codec-sides.ts';
import { corpusRow, perMessage } from './corpus-rows.ts';
import { runInFreshProcess } from './fresh-process.ts';
import type { Noise, Row } from './results.ts';
import type { Runtime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

export const codecGroup = 'codec';

/** One side on one Node. */
interface Entry {
  readonly side: CodecSide;
  readonly runtime: Runtime;
}

/** All sides of a case, on every Node, in the same turns; its reference twice for the noise band. */
export async function runCodecCase(
  { corpus, sides, reference, targetBytes, turns }: CodecCase,
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const ofRuntime = runtimes.map((runtime) => ({
    node: runtime.version,
    entries: sides.map((side): Entry => ({ side, runtime })),
    twin: { side: reference, runtime } as Entry,
  }));
  const all = ofRuntime.flatMap(({ entries, twin }) => [...entries, twin]);
  const timeMs = quick ? 60 : 120;
  const outcomes = await takeTurns(all, quick ? 2 : turns, ({ side, runtime }) =>
    runInFreshProcess(runtime, { kind: 'codec', corpus, side, targetBytes, timeMs }),
  );
  const measured = (entry: Entry | undefined): CorpusOutcome[] => (entry && outcomes.get(entry)) ?? [];
  const rows = ofRuntime.flatMap(({ node, entries }) =>
    entries.map((entry) =>
      corpusRow(
        { group: codecGroup, case: corpus, side: codecSides[entry.side], node, fit },
        measured(entry),
      ),
    ),
  );
  const noise = ofRuntime.map(({ node, entries, twin }): Noise => {
    const first = entries.find(({ side }) => side === reference);
    const band = noiseBand(perMessage(measured(first)), perMessage(measured(twin)));
    return { group: codecGroup, case: corpus, side: codecSides[reference], node, band };
  });
  return { rows, noise };
}
