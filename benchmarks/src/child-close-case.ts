import { childCloseSides } from './child-sides.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { transportGroup } from './transport-group.ts';
import { takeTurns } from './turns.ts';

export const childCloseCase = 'close() of a good child';

export async function runChildCloseCase(
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const entries = [...childCloseSides, 'its own exit' as const].map((side) => ({ side }));
  const outcomes = await takeTurns(entries, quick ? 3 : 21, ({ side }) =>
    runInFreshProcess(ownRuntime, { kind: 'child-close', side }),
  );
  const samples = entries.map((entry) => (outcomes.get(entry) ?? []).map(({ ms }) => ms));
  const node = ownRuntime.version;
  const rows = childCloseSides.map((side, index) =>
    summarize({
      group: transportGroup,
      case: childCloseCase,
      side,
      node,
      unit: 'ms',
      samples: samples[index] ?? [],
      fit,
    }),
  );
  const band = noiseBand(samples[1] ?? [], samples[2] ?? []);
  return { rows, noise: [{ group: transportGroup, case: childCloseCase, side: 'its own exit', node, band }] };
}
