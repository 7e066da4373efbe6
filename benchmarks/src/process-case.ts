import type { ExpectedAnswers } from '@linewire/testkit';
import { checkPipeline, measurePipelineUsage, timePipeline } from './pipeline.ts';
import type { ProcessSide } from './process-sides.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { noiseBand } from './statistics.ts';
import { again, takeTurns } from './turns.ts';

export interface ProcessCase {
  readonly name: string;
  readonly file: string;
  readonly byteCount: number;
  /** Lines in the file that ask for an answer, or are notifications: what messages per second counts. */
  readonly messageCount: number;
  readonly expected: ExpectedAnswers;
  readonly sides: readonly ProcessSide[];
  /** The side that is measured twice for the noise band. */
  readonly reference: ProcessSide | undefined;
  readonly turnCount: number;
}

/**
 * Checks every answer of every side once, then times all sides in turns, then measures CPU and memory once.
 *
 * @throws Error when a side gives a wrong answer, or fewer or more lines in a timed run than it should: a fast wrong
 * answer is no result
 */
export async function runProcessCase(
  wanted: ProcessCase,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const checked = new Map<ProcessSide, number>();
  for (const side of wanted.sides) {
    if (side.check === 'none') continue;
    const report = await checkPipeline(side, wanted.file, wanted.expected);
    if (!report.ok) {
      const { mismatches, ...counts } = report;
      throw new Error(
        `${wanted.name}: ${side.name} answered wrongly\n${JSON.stringify({ ...counts, mismatches: mismatches.slice(0, 3) }, null, 1)}`,
      );
    }
    checked.set(side, report.rightCount);
  }

  const { reference } = wanted;
  const twin = reference && { ...reference, name: again(reference.name) };
  const sides = twin ? [...wanted.sides, twin] : wanted.sides;
  const samples = await takeTurns(sides, wanted.turnCount, async (side) => {
    const { wallMs, lineCount } = await timePipeline(side, wanted.file);
    if (side.check !== 'none' && lineCount !== wanted.expected.count) {
      throw new Error(
        `${wanted.name}: ${side.name} wrote ${lineCount} of ${wanted.expected.count} lines in a timed run`,
      );
    }
    return wallMs;
  });

  const rows: Row[] = [];
  for (const side of wanted.sides) {
    const usage =
      side.command[0] === process.execPath ? await measurePipelineUsage(side, wanted.file) : undefined;
    rows.push(toRow(wanted, side, samples.get(side) ?? [], checked.get(side), usage, fit));
  }
  const noise: Noise[] = [];
  if (reference && twin) {
    const band = noiseBand(samples.get(reference) ?? [], samples.get(twin) ?? []);
    noise.push({ group: 'process', case: wanted.name, side: reference.name, band });
  }
  return { rows, noise };
}

function toRow(
  wanted: ProcessCase,
  side: ProcessSide,
  samples: readonly number[],
  checkedAnswers: number | undefined,
  usage: Awaited<ReturnType<typeof measurePipelineUsage>>,
  fit: boolean,
): Row {
  const row = summarize({ group: 'process', case: wanted.name, side: side.name, unit: 'ms', samples, fit });
  const seconds = row.median / 1000;
  return {
    ...row,
    ...(side.name !== 'node -e 0' && {
      messagesPerSecond: Math.round(wanted.messageCount / seconds),
      mbPerSecond: wanted.byteCount / 1e6 / seconds,
    }),
    ...(usage?.peakRssBytes !== undefined && { maxRssBytes: usage.peakRssBytes }),
    ...(usage?.userMs !== undefined && { cpuMs: usage.userMs + (usage.systemMs ?? 0) }),
    ...(checkedAnswers !== undefined && { checkedAnswers }),
    detail: { messageCount: wanted.messageCount, byteCount: wanted.byteCount },
  };
}
