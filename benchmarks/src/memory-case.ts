import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { exitReportEnv, readExitReport } from '@linewire/testkit';
import { plainEnvironment } from './environment.ts';
import { runInFreshProcess } from './fresh-process.ts';
import { bigInputPath } from './paths.ts';
import { linewire } from './process-sides.ts';
import { type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';

export const memoryCase = '1 GiB without newline';
const lineBytes = 2 ** 30;
/** `maxFrameBytes` when nobody sets it. */
const limitBytes = 64 << 20;

/**
 * Feeds one line of 1 GiB that never ends to a reader in a process of its own, and to the server through a pipe.
 *
 * @throws Error when the reader's own counters show more than limit + window, or not exactly one fault
 */
export async function runMemoryCase(fit: boolean): Promise<Row[]> {
  return [await readerRow(fit), await serverRow(fit)];
}

async function readerRow(fit: boolean): Promise<Row> {
  const outcome = await runInFreshProcess(ownRuntime, { kind: 'memory', lineBytes });
  const allowedBytes = limitBytes + outcome.windowBytes;
  if (outcome.peakStoredBytes > allowedBytes) {
    throw new Error(`${memoryCase}: ${outcome.peakStoredBytes} bytes stored, ${allowedBytes} allowed`);
  }
  if (outcome.faults !== 1) throw new Error(`${memoryCase}: ${outcome.faults} faults instead of one`);
  const { maxRssBytes, code, ...counters } = outcome;
  const samples = [outcome.peakStoredBytes];
  const row = summarize({
    group: 'memory',
    case: memoryCase,
    side: 'frame reader',
    node: ownRuntime.version,
    unit: 'bytes',
    samples,
    fit,
  });
  return { ...row, maxRssBytes, detail: { ...counters, allowedBytes, code } };
}

/** The server keeps its counters to itself; what it was given from outside is its memory. */
async function serverRow(fit: boolean): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-usage-'));
  try {
    const reportPath = join(folder, 'usage.json');
    const [command, ...args] = linewire.command as [string, ...string[]];
    const flood = spawn(process.execPath, [bigInputPath, 'nonewline', String(lineBytes)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const env = { ...plainEnvironment(), ...exitReportEnv(reportPath) };
    await new Promise<void>((resolve, reject) => {
      const server = execFile(command, args, { env }, (error) => (error ? reject(error) : resolve()));
      const stdin = server.stdin as Writable;
      stdin.on('error', () => flood.kill());
      flood.stdout.pipe(stdin);
    });
    const maxRssBytes = readExitReport(reportPath)?.peakRssBytes;
    if (maxRssBytes === undefined) throw new Error(`${memoryCase}: the server left no usage report`);
    const row = summarize({
      group: 'memory',
      case: memoryCase,
      side: linewire.name,
      node: ownRuntime.version,
      unit: 'bytes',
      samples: [maxRssBytes],
      fit,
    });
    return { ...row, maxRssBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
