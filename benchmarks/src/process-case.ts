import type { ProcessUsage } from '@linewire/testkit';
import { type CheckedPipeline, checkSide, type PipelineInput, timeChecked } from './checked-pipeline.ts';
import { measurePipelineUsage } from './pipeline.ts';
import type { ProcessSide } from './process-sides.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

export interface ProcessCase extends PipelineInput {
  readonly byteCount: number;
  /** Lines in the file that ask for an answer, or are notifications: what messages per second counts. */
  readonly messageCount: number;
  readonly sides: readonly ProcessSide[];
  /** The side that is measured twice for the noise band. */
  readonly reference: ProcessSide;
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
  const pipelines: CheckedPipeline[] = [];
  for (const side of wanted.sides) pipelines.push(await checkSide(wanted, side));
  const reference = pipelines.find(({ side }) => side === wanted.reference);
  const twin = reference && { ...reference };

  const timed = twin ? [...pipelines, twin] : pipelines;
  const samples = await takeTurns(timed, wanted.turnCount, (pipeline) => timeChecked(wanted, pipeline));

  const rows: Row[] = [];
  for (const pipeline of pipelines) {
    const usage = isOwnNode(pipeline.side) ? await measurePipelineUsage(pipeline) : undefined;
    rows.push(toRow(wanted, pipeline, samples.get(pipeline) ?? [], usage, fit));
  }
  if (!reference || !twin) return { rows, noise: [] };
  const band = noiseBand(samples.get(reference) ?? [], samples.get(twin) ?? []);
  const node = ownRuntime.version;
  return { rows, noise: [{ group: 'process', case: wanted.name, side: wanted.reference.name, node, band }] };
}

function isOwnNode({ command }: ProcessSide): boolean {
  return command[0] === ownRuntime.command;
}

function toRow(
  wanted: ProcessCase,
  { side, checkedAnswers, lostAtEof }: CheckedPipeline,
  samples: readonly number[],
  usage: ProcessUsage | undefined,
  fit: boolean,
): Row {
  const row = summarize({
    group: 'process',
    case: wanted.name,
    side: side.name,
    ...(isOwnNode(side) && { node: ownRuntime.version }),
    unit: 'ms',
    samples,
    fit,
  });
  const seconds = row.median / 1000;
  return {
    ...row,
    // An empty process reads nothing.
    ...(side.name !== 'node -e 0' && {
      messagesPerSecond: Math.round(wanted.messageCount / seconds),
      mbPerSecond: wanted.byteCount / 1e6 / seconds,
    }),
    ...(usage?.peakRssBytes !== undefined && { maxRssBytes: usage.peakRssBytes }),
    ...(usage?.userMs !== undefined && { cpuMs: usage.userMs + (usage.systemMs ?? 0) }),
    ...(side.check !== 'none' && { checkedAnswers }),
    detail: { messageCount: wanted.messageCount, byteCount: wanted.byteCount, lostAtEof },
  };
}
