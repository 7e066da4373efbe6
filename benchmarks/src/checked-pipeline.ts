import type { CheckReport, ExpectedAnswers } from '@linewire/testkit';
import { checkPipeline, type Pipeline, timePipeline } from './pipeline.ts';
import type { ProcessSide } from './process-sides.ts';

/** What sides are compared on. */
export interface PipelineInput {
  /** Of the case; for error messages. */
  readonly name: string;
  readonly file: string;
  readonly expected: ExpectedAnswers;
}

/** A side that has proved its answers. */
export interface CheckedPipeline extends Pipeline {
  readonly checkedAnswers: number;
  held: boolean;
  /** The most answers that a run of `cat FILE | X` did not give; the side is measured with its stdin held open then. */
  lostAtEof: number;
}

/**
 * One timed run that gave every line.
 *
 * @returns wall time, ms
 * @throws Error when it gave fewer or more
 */
export async function timeChecked(wanted: PipelineInput, pipeline: CheckedPipeline): Promise<number> {
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

/**
 * Runs a side once and compares every answer with the expected one.
 *
 * @throws Error when one is wrong, or missing where only a peer may lose some
 */
export async function checkSide(
  { name, file, expected }: PipelineInput,
  side: ProcessSide,
): Promise<CheckedPipeline> {
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
