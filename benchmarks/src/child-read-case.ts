import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childReadSides } from './child-sides.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { transportGroup } from './transport-group.ts';
import { takeTurns } from './turns.ts';

export const childReadCase = '1 GB from a child';

const totalBytes = 1e9;
/** A usual answer of a tool. */
const frameBytes = 1000;
const fileFrames = 25_000;

/** A child that is nothing but `cat` of a file in the page cache, so that what is measured is the reading. */
export async function runChildReadCase(
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-child-read-'));
  try {
    const file = join(folder, 'answers.jsonl');
    const head = '{"jsonrpc":"2.0","id":1,"result":{"text":"';
    const line = `${head}${'x'.repeat(frameBytes - head.length - 4)}"}}\n`;
    writeFileSync(file, line.repeat(fileFrames));
    const times = (quick ? totalBytes / 10 : totalBytes) / (fileFrames * frameBytes);
    // The reference once more, for the noise.
    const entries = [...childReadSides, 'onread' as const].map((side) => ({ side }));
    const outcomes = await takeTurns(entries, quick ? 3 : 11, ({ side }) =>
      runInFreshProcess(ownRuntime, {
        kind: 'child-read',
        side,
        file,
        times,
        frameCount: times * fileFrames,
      }),
    );
    const samplesOf = (index: number): number[] =>
      (outcomes.get(entries[index] as (typeof entries)[number]) ?? []).map(({ ms }) => ms);
    const rows = childReadSides.map((side, index) => {
      const row = summarize({
        group: transportGroup,
        case: childReadCase,
        side,
        node: ownRuntime.version,
        unit: 'ms',
        samples: samplesOf(index),
        fit,
      });
      const own = outcomes.get(entries[index] as (typeof entries)[number]) ?? [];
      return {
        ...row,
        mbPerSecond: (times * fileFrames * frameBytes) / 1e3 / row.median,
        cpuMs: Math.min(...own.map(({ cpuMs }) => cpuMs)),
        maxRssBytes: Math.max(...own.map(({ maxRssBytes }) => maxRssBytes)),
      };
    });
    const band = noiseBand(samplesOf(0), samplesOf(childReadSides.length));
    const node = ownRuntime.version;
    return { rows, noise: [{ group: transportGroup, case: childReadCase, side: 'onread', node, band }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
