import { runInFreshProcess } from './fresh-process.ts';
import { type Row, summarize } from './results.ts';

export const memoryCase = '1 GiB without newline';
/** `maxFrameBytes` when nobody sets it. */
const limitBytes = 64 << 20;

/**
 * Feeds a reader one line of 1 GiB.
 *
 * @throws Error when the reader's own counters show more than limit + window, or not exactly one fault
 */
export async function runMemoryCase(fit: boolean): Promise<Row[]> {
  const outcome = await runInFreshProcess({ kind: 'memory', lineBytes: 2 ** 30 });
  const allowedBytes = limitBytes + outcome.windowBytes;
  if (outcome.peakStoredBytes > allowedBytes) {
    throw new Error(`${memoryCase}: ${outcome.peakStoredBytes} bytes stored, ${allowedBytes} allowed`);
  }
  if (outcome.faults !== 1) throw new Error(`${memoryCase}: ${outcome.faults} faults instead of one`);
  const { maxRssBytes, code, ...counters } = outcome;
  const row = summarize({
    group: 'memory',
    case: memoryCase,
    side: 'frame reader',
    unit: 'bytes',
    samples: [outcome.peakStoredBytes],
    fit,
  });
  return [{ ...row, maxRssBytes, detail: { ...counters, allowedBytes, code } }];
}
