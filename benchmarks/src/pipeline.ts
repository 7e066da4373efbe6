import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  AnswerChecker,
  type CheckReport,
  type ExpectedAnswers,
  exitReportEnv,
  type ProcessUsage,
  readExitReport,
} from '@linewire/testkit';
import type { ProcessSide } from './process-sides.ts';
import { type Shell, shellEnd, startShell } from './shell-group.ts';

/** One side on one file. */
export interface Pipeline {
  readonly side: ProcessSide;
  readonly file: string;
  readonly expected: ExpectedAnswers;
  /**
   * Keep X's stdin open after the file until its last answer has come. For servers that drop what they are still
   * working on when their input ends: without it they would be timed doing a part of the work.
   */
  readonly held: boolean;
}

/**
 * Times `cat FILE | X | wc -l` from before the shell starts until it is gone; a held pipeline until its last answer.
 * Nobody looks at the process while it runs, and `wc` costs the same for all.
 *
 * @returns wall time and the number of lines that came out
 */
export async function timePipeline(pipeline: Pipeline): Promise<{ wallMs: number; lineCount: number }> {
  const startedAt = performance.now();
  if (pipeline.held) return timeHeldPipeline(pipeline, startedAt);
  let counted = '';
  const child = shell(countedLine, pipeline);
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    counted += text;
  });
  await shellEnd(child, pipeline.side.name);
  return { wallMs: performance.now() - startedAt, lineCount: Number(counted) };
}

async function timeHeldPipeline(
  pipeline: Pipeline,
  startedAt: number,
): Promise<{ wallMs: number; lineCount: number }> {
  let wallMs = Number.NaN;
  const lineCount = await runHeld(pipeline, shell(heldLine, pipeline), () => {
    wallMs = performance.now() - startedAt;
  });
  return { wallMs, lineCount };
}

/** Counts the answers of a held pipeline and ends its input behind the last; gives their number. */
async function runHeld(pipeline: Pipeline, child: Shell, onLast: () => void = () => {}): Promise<number> {
  let lineCount = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const wasShort = lineCount < pipeline.expected.count;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lineCount++;
    if (lineCount < pipeline.expected.count || !wasShort) return;
    onLast();
    child.stdin.end();
  });
  await shellEnd(child, pipeline.side.name);
  return lineCount;
}

/**
 * The same pipeline with every answer checked; not timed. `cat` reads X's output, as fast as `wc` does in the timed run: behind a reader
 * that is busy checking, SDK v1 and v2 spend minutes on their own listeners.
 */
export async function checkPipeline(pipeline: Pipeline): Promise<CheckReport> {
  const checker = new AnswerChecker(
    pipeline.expected,
    pipeline.side.check === 'outcome' ? 'outcome' : 'value',
  );
  if (pipeline.held) {
    const child = shell(heldLine, pipeline);
    child.stdout.on('data', (chunk: Buffer) => {
      checker.push(chunk);
      if (checker.allSeen) child.stdin.end();
    });
    await shellEnd(child, pipeline.side.name);
    return checker.end();
  }
  const folder = mkdtempSync(join(tmpdir(), 'linewire-check-'));
  try {
    const answers = join(folder, 'answers.jsonl');
    const child = shell('cat "$0" | "$@" | cat > "$ANSWERS"', pipeline, { ANSWERS: answers });
    await shellEnd(child, pipeline.side.name);
    for await (const chunk of createReadStream(answers)) checker.push(chunk as Buffer);
    return checker.end();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The pipeline that is timed, with X telling its CPU time and peak memory when it exits; Node commands only. `wc` reads here too:
 * a server whose output backs up behind a slower reader may do quite other work: the SDKs spend it on their listeners.
 */
export async function measurePipelineUsage(pipeline: Pipeline): Promise<ProcessUsage | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-usage-'));
  try {
    const reportPath = join(folder, 'usage.json');
    const { NODE_OPTIONS, TESTKIT_EXIT_REPORT } = exitReportEnv(reportPath);
    const env = { USAGE_OPTIONS: NODE_OPTIONS, USAGE_REPORT: TESTKIT_EXIT_REPORT };
    const command = 'NODE_OPTIONS="$USAGE_OPTIONS" TESTKIT_EXIT_REPORT="$USAGE_REPORT" "$@"';
    if (pipeline.held) await runHeld(pipeline, shell(heldLine.replace('"$@"', command), pipeline, env));
    else await shellEnd(shell(countedLine.replace('"$@"', command), pipeline, env), pipeline.side.name);
    return readExitReport(reportPath);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shell(line: string, { file, side }: Pipeline, env: Readonly<Record<string, string>> = {}): Shell {
  return startShell(line, file, side.command, env);
}

const countedLine = 'cat "$0" | "$@" | wc -l';

/** `read` waits for a line from us, or for the end, before the pipe to X is closed. */
const heldLine = '{ cat "$0"; read -r _; } | "$@"';
