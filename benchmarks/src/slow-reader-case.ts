import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainEnvironment } from './environment.ts';
import { externalMemoryPath } from './paths.ts';
import { linewire } from './process-sides.ts';
import { type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { transportGroup } from './transport-group.ts';

export const slowReaderCase = 'slow reader';
const calls = 60_000;
const runs = 5;
/** How long nothing is read: the server has long stopped reading by then. */
const stallMs = 1500;
/** `highWaterBytes` and `maxParkedBytes` when nobody sets them. */
const allowedBytes = (1 << 20) + (4 << 20);

/**
 * 60,000 calls to a server whose answers are not read for a while, and then all read: how much memory outside of the JavaScript heap was alive
 * at most, above what the server had before the first call.
 *
 * @throws Error when an answer is missing
 */
export async function runSlowReaderCase(fit: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-slow-'));
  try {
    const path = join(folder, 'external.json');
    const samples: number[] = [];
    for (let done = 0; done < runs; done++) {
      await run(path);
      const { least, most } = JSON.parse(readFileSync(path, 'utf8')) as { least: number; most: number };
      samples.push(most - least);
    }
    const row = summarize({
      group: transportGroup,
      case: slowReaderCase,
      side: linewire.name,
      node: ownRuntime.version,
      unit: 'bytes',
      samples,
      fit,
    });
    return [{ ...row, detail: { allowedBytes, calls } }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(reportPath: string): Promise<void> {
  const [command, ...args] = linewire.command as [string, ...string[]];
  const env = { ...plainEnvironment(), LINEWIRE_BENCH_EXTERNAL: reportPath };
  const server = spawn(command, ['--require', externalMemoryPath, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const exited = new Promise((resolve) => server.on('exit', resolve));
  server.stdin.write(
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n',
  );
  await new Promise((resolve) => server.stdout.once('readable', resolve));
  // One look before the calls.
  await sleep(200);
  const lines = Array.from(
    { length: calls },
    (_, at) =>
      `{"jsonrpc":"2.0","id":${at + 1},"method":"tools/call","params":{"name":"add","arguments":{"a":${at},"b":1}}}\n`,
  );
  server.stdin.end(lines.join(''));
  await sleep(stallMs);
  let answers = 0;
  for await (const chunk of server.stdout) for (const byte of chunk as Buffer) if (byte === 0x0a) answers++;
  await exited;
  if (answers !== calls + 1)
    throw new Error(`${slowReaderCase}: ${answers} answers to ${calls + 1} requests`);
}
