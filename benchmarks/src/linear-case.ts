import { runInFreshProcess } from './fresh-process.ts';
import { type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { takeTurns } from './turns.ts';

const mebibyte = 1 << 20;

/** Case names by chunk size; thresholds look for them. */
export const linearCases: readonly { readonly name: string; readonly chunkBytes: number }[] = [
  { name: '1 KiB chunks', chunkBytes: 1024 },
  { name: '64 KiB chunks', chunkBytes: 65_536 },
];

/** ns per byte of one frame of growing size; flat means linear. */
export async function runLinearCase(
  name: string,
  chunkBytes: number,
  quick: boolean,
  fit: boolean,
): Promise<Row[]> {
  const sizes = [1, 4, 16, 64];
  const totalBytes = 64 * mebibyte;
  const outcomes = await takeTurns(sizes, quick ? 1 : 4, (size) =>
    runInFreshProcess(ownRuntime, { kind: 'linear', frameBytes: size * mebibyte, chunkBytes, totalBytes }),
  );
  return sizes.map((size) => {
    const measured = outcomes.get(size) ?? [];
    const row = summarize({
      group: 'linear',
      case: name,
      side: `${size} MiB frame`,
      node: ownRuntime.version,
      unit: 'ns/byte',
      samples: measured.map(({ nsPerByte }) => nsPerByte),
      fit,
    });
    return {
      ...row,
      mbPerSecond: 1000 / row.median,
      maxRssBytes: Math.max(...measured.map(({ maxRssBytes }) => maxRssBytes)),
      detail: {
        engine: measured[0]?.engine ?? 'unknown',
        peakStoredBytes: measured[0]?.peakStoredBytes ?? 0,
      },
    };
  });
}
