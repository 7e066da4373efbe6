import type { CheckReport, ExpectedAnswers, ProcessUsage } from '@linewire/testkit';
import { checkPipeline, measurePipelineUsage, type Pipeline, timePipeline } from './pipeline.ts';
import type { ProcessSide } from './process-sides.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

export interface ProcessCase {
  readonly name: string;
  readonly file: string;
  readonly byteCount: number;
  /** Lines in the file that ask for an answer, or are notifications: what messages per second counts. */
  readonly messageCount: number;
  readonly expected: ExpectedAnswers;
  readonly sides: readonly ProcessSide[];
  /** The side that is measured twice for the noise band. */
  readonly reference: ProcessSide;
  readonly turnCount: number;
}

/** A side that has proved its answers. */
interface CheckedPipeline extends Pipeline {
  readonly checkedAnswers: number;
  held: boolean;
  /** The most answers that a run of `cat FILE | X` did not give; the side is measured with its stdin held open then. */
  lostAtEof: number;
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

/** One timed run that gave every line. */
async function timeChecked(wanted: ProcessCase, pipeline: CheckedPipeline): Promise<number> {
  const { wallMs, lineCount } = await timePipeline(pipeline);
  const lost = wanted.expected.count - lineCount;
  if (pipeline.side.check === 'none' || lost === 0) return wallMs;
  if (pipeline.side.check === 'outcome' && lost > 0 && !pipeline.held) {
    // It lost nothing in the checked run: how much a peer loses is a matter of chance.
    pipeline.held = true;
    pipeline.lostAtEof = lost;
    return timeChecked(wanted, pipeline);
  }
  const counts = `${lineCount} of ${wanted.expected.count} lines`;
  throw new Error(`${wanted.name}: ${pipeline.side.name} wrote ${counts} in a timed run`);
}

async function checkSide({ name, file, expected }: ProcessCase, side: ProcessSide): Promise<CheckedPipeline> {
  const pipeline = { side, file, expected, held: false };
  if (side.check === 'none') return { ...pipeline, checkedAnswers: 0, lostAtEof: 0 };
  const report = await checkPipeline(pipeline);
  if (report.ok) return { ...pipeline, checkedAnswers: report.rightCount, lostAtEof: 0 };
  // A peer that loses answers when its input ends is a finding, not a failure of ours; wrong answers always are.
  if (side.check !== 'outcome' || hasWrongAnswer(report)) throw wrongAnswers(name, side, report);
  const held = { ...pipeline, held: true };
  const heldReport = await checkPipeline(held);
  if (!heldReport.ok) throw wrongAnswers(name, side, heldReport);
  return { ...held, checkedAnswers: heldReport.rightCount, lostAtEof: report.missingCount };
}

/** A last line that the end of the process cut in the middle is a lost answer, not a wrong one. */
function hasWrongAnswer({ wrongCount, mismatches }: CheckReport): boolean {
  const isCut = mismatches.some(({ what }) => what === 'no-final-newline');
  return wrongCount > (isCut ? 1 : 0);
}

function wrongAnswers(name: string, side: ProcessSide, report: CheckReport): Error {
  const shown = { ...report, mismatches: report.mismatches.slice(0, 3) };
  return new Error(`${name}: ${side.name} answered wrongly\n${JSON.stringify(shown, null, 1)}`);
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
