import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProcessUsage } from './process-sampler.ts';

const reporterPath = fileURLToPath(new URL('../peers/exit-report.cjs', import.meta.url));

/**
 * Environment that makes a Node process write its own resource usage to a file when it exits: exact CPU time (µs) and
 * the kernel's peak of resident memory. Costs the process well under a millisecond at start. Every Node process that
 * inherits the variables writes the same file, so give it to one process, not to a tree; `npx` and npm are trees.
 */
export function exitReportEnv(reportPath: string): { NODE_OPTIONS: string; TESTKIT_EXIT_REPORT: string } {
  const quoted = `"${reporterPath.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return { NODE_OPTIONS: `--require ${quoted}`, TESTKIT_EXIT_REPORT: reportPath };
}

/**
 * Reads and removes the report of a process that has exited; undefined if it was killed or was not Node.
 * Wall time here is the life of the process as it saw it itself: without its start-up before JavaScript ran.
 */
export function readExitReport(reportPath: string): ProcessUsage | undefined {
  try {
    const [userUs, systemUs, peakKilobytes, wallMs] = JSON.parse(readFileSync(reportPath, 'utf8')) as [
      number,
      number,
      number,
      number,
    ];
    rmSync(reportPath, { force: true });
    return {
      wallMs,
      userMs: userUs / 1000,
      systemMs: systemUs / 1000,
      peakRssBytes: peakKilobytes * 1024,
      method: 'exit',
    };
  } catch {
    return undefined;
  }
}
