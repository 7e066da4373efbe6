import type { GarbageJob } from './child/garbage-child.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Row, summarize } from './results.ts';
import type { Runtime } from './runtimes.ts';
import { takeTurns } from './turns.ts';

export const garbageCase = '1,000,000 calls';
const frameCount = 1_000_000;

type Side = Pick<GarbageJob, 'engine' | 'feed'>;

/** Side names by engine and feed; thresholds look for them. */
export function garbageSide({ engine, feed }: Side): string {
  return `${engine}, ${feed === 'push' ? 'push' : 'reserve and commit'}`;
}

const sides: readonly Side[] = [
  { engine: 'wasm', feed: 'push' },
  { engine: 'wasm', feed: 'commit' },
  { engine: 'scalar', feed: 'push' },
  { engine: 'scalar', feed: 'commit' },
];

/** Scavenges over a million frames after as many to warm up, one sample per process; the worst of them counts. */
export async function runGarbageCase(
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<Row[]> {
  const entries = runtimes.flatMap((runtime) => sides.map((side) => ({ runtime, side })));
  const outcomes = await takeTurns(entries, quick ? 1 : 3, ({ runtime, side }) =>
    runInFreshProcess(runtime, { kind: 'garbage', ...side, frameCount }),
  );
  return entries.map((entry) => {
    const measured = outcomes.get(entry) ?? [];
    const worst = (key: 'scavenges' | 'others' | 'allocatedBytes'): number =>
      Math.max(...measured.map((outcome) => outcome[key]));
    const row = summarize({
      group: 'garbage',
      case: garbageCase,
      side: garbageSide(entry.side),
      node: entry.runtime.version,
      unit: 'scavenges',
      samples: measured.map(({ scavenges }) => scavenges),
      fit,
    });
    return {
      ...row,
      detail: {
        frames: measured[0]?.frames ?? 0,
        worstScavenges: worst('scavenges'),
        otherCollections: worst('others'),
        allocatedBytes: worst('allocatedBytes'),
      },
    };
  });
}
