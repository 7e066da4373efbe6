import { describe, expect, it } from 'vitest';
import {
  roundTripCases,
  roundTripSides,
  roundTripTable,
  roundTripVerdicts,
  runRoundTripCase,
} from '../src/round-trip-case.ts';
import { ownRuntime } from '../src/runtimes.ts';
import { transportGroup } from '../src/transport-group.ts';
import type { Measurements } from '../src/verdict.ts';

function run(oursNs: readonly number[], bareNs: readonly number[]): Measurements {
  const row = (side: string, samples: readonly number[]) => ({
    group: transportGroup,
    case: roundTripCases.pinned,
    side,
    node: 'v1',
    unit: 'ns/message' as const,
    samples,
    median: samples[0] ?? 0,
    p99: 0,
    fit: true,
  });
  const rows = [row(roundTripSides.onread, bareNs), row(roundTripSides.linewire, oursNs)];
  return { rows, noise: [], runtimes: [{ name: 'Node', version: 'v1' }], missing: [] };
}

describe('the round trips', () => {
  it('are measured for every side, in as many rounds, on one core', async () => {
    const { rows, noise } = await runRoundTripCase('pinned', [ownRuntime], true, true);
    expect(rows.map((row) => row.side)).toEqual(Object.values(roundTripSides));
    for (const row of rows) {
      expect(row.samples).toHaveLength(4);
      expect(row.median).toBeGreaterThan(1000);
    }
    expect(noise).toHaveLength(1);
  });

  it('are judged by the ratio within each round, so that a machine that slows down decides nothing', () => {
    expect(roundTripVerdicts(run([114, 228, 456], [100, 200, 400]))[0]?.outcome).toBe('met');
    expect(roundTripVerdicts(run([116, 232, 464], [100, 200, 400]))[0]?.outcome).toBe('missed');
    expect(roundTripVerdicts({ ...run([], []), rows: [] })).toEqual([]);
  });

  it('are shown beside the bare echo', () => {
    const { rows } = roundTripTable(run([2300], [2000]));
    expect(rows.map((row) => row.at(-1))).toEqual(['1.00', '1.15']);
  });
});
