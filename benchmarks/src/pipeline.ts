import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  type CheckReport,
  checkAnswers,
  type ExpectedAnswers,
  exitReportEnv,
  type ProcessUsage,
  readExitReport,
} from '@linewire/testkit';
import type { ProcessSide } from './process-sides.ts';

const timeoutMs = 120_000;

/**
 * Times `cat FILE | X | wc -l` from before the shell starts until it is gone. Nobody looks at the process while it runs,
 * and `wc` costs the same for all.
 *
 * @returns wall time and the number of lines that came out
 */
export async function timePipeline(
  side: ProcessSide,
  file: string,
): Promise<{ wallMs: number; lineCount: number }> {
  const startedAt = performance.now();
  let counted = '';
  const child = shell('cat "$0" | "$@" | wc -l', file, side);
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    counted += text;
  });
  await finished(child, side);
  return { wallMs: performance.now() - startedAt, lineCount: Number(counted) };
}

/** `cat FILE | X` with every answer checked; not timed. */
export async function checkPipeline(
  side: ProcessSide,
  file: string,
  expected: ExpectedAnswers,
): Promise<CheckReport> {
  const child = shell('cat "$0" | "$@"', file, side);
  const ended = finished(child, side);
  const report = await checkAnswers(child.stdout, expected, side.check === 'outcome' ? 'outcome' : 'value');
  await ended;
  return report;
}

/** The same pipeline as the timed one, with X telling its CPU time and peak memory when it exits; Node commands only. */
export async function measurePipelineUsage(
  side: ProcessSide,
  file: string,
): Promise<ProcessUsage | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-usage-'));
  try {
    const reportPath = join(folder, 'usage.json');
    const { NODE_OPTIONS, TESTKIT_EXIT_REPORT } = exitReportEnv(reportPath);
    const line = 'cat "$0" | NODE_OPTIONS="$USAGE_OPTIONS" TESTKIT_EXIT_REPORT="$USAGE_REPORT" "$@" | wc -l';
    const child = shell(line, file, side, { USAGE_OPTIONS: NODE_OPTIONS, USAGE_REPORT: TESTKIT_EXIT_REPORT });
    child.stdout.resume();
    await finished(child, side);
    return readExitReport(reportPath);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shell(line: string, file: string, side: ProcessSide, env: Record<string, string> = {}) {
  return spawn('sh', ['-c', line, file, ...side.command], {
    env: { ...process.env, NODE_DEBUG: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function finished(child: ReturnType<typeof shell>, side: ProcessSide): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      reject(new Error(`${side.name} took more than ${timeoutMs / 1000} s`));
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
