import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerChecker, type CallStream, callStreamAnswers, callStreamChunks } from '@linewire/testkit';
import { plainEnvironment } from './environment.ts';
import { externalMemoryPath, linewireAddPath } from './paths.ts';
import { linewire, type ProcessSide } from './process-sides.ts';
import { type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { transportGroup } from './transport-group.ts';

export const slowReaderCase = 'slow reader';
const stream: CallStream = { era: 'legacy', mix: 'adds', callCount: 60_000 };
const runs = 5;
/** How long nothing is read: the server has long stopped reading by then. */
const stallMs = 1500;
/** `highWaterBytes` and `maxParkedBytes` when nobody sets them. */
const allowedBytes = (1 << 20) + (4 << 20);

const server = (name: string, how: 'sync' | 'async'): ProcessSide => ({
  name,
  command: [process.execPath, linewireAddPath, how],
  check: 'value',
});

/** The server of the other cases, and the library with a handler of each kind. */
export const slowReaderSides: readonly ProcessSide[] = [
  linewire,
  server('handler returns', 'sync'),
  server('async handler', 'async'),
];

const PIECE_BYTES = 16 * 1024;

/** What one run has shown. */
interface Stall {
  /** Memory outside of the JavaScript heap that was alive at most, above what there was before the first call. */
  readonly externalBytes: number;
  /** The same of the JavaScript heap, garbage not counted. */
  readonly heapBytes: number;
  /** Request bytes that neither the server nor the pipe had taken when the stall ended. */
  readonly unreadBytes: number;
}

/**
 * 60,000 calls to a server whose answers are not read for a while, and then all read: how much memory was alive at most, above what the
 * server had before the first call, and how much of the calls it had left unread.
 *
 * @throws Error when an answer is missing or wrong
 */
export async function runSlowReaderCase(fit: boolean): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-slow-'));
  try {
    const rows: Row[] = [];
    for (const side of slowReaderSides) {
      const stalls: Stall[] = [];
      for (let done = 0; done < runs; done++) stalls.push(await stall(side, join(folder, 'memory.json')));
      rows.push(toRow(side, stalls, fit));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toRow(side: ProcessSide, stalls: readonly Stall[], fit: boolean): Row {
  const row = summarize({
    group: transportGroup,
    case: slowReaderCase,
    side: side.name,
    node: ownRuntime.version,
    unit: 'bytes',
    samples: stalls.map(({ externalBytes }) => externalBytes),
    fit,
  });
  const worstHeapBytes = Math.max(...stalls.map(({ heapBytes }) => heapBytes));
  const leastUnreadBytes = Math.min(...stalls.map(({ unreadBytes }) => unreadBytes));
  return { ...row, detail: { allowedBytes, calls: stream.callCount, worstHeapBytes, leastUnreadBytes } };
}

async function stall({ name, command: [file, ...args] }: ProcessSide, reportPath: string): Promise<Stall> {
  const child = spawn(file as string, ['--require', externalMemoryPath, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...plainEnvironment(), LINEWIRE_BENCH_EXTERNAL: reportPath },
  });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  const lines = Buffer.concat([...callStreamChunks(stream)]);
  const handshakeEnd = lines.indexOf(10) + 1;
  child.stdin.write(lines.subarray(0, handshakeEnd));
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  // One look before the calls.
  await sleep(200);
  const feed = feedPieces(child.stdin, lines.subarray(handshakeEnd));
  await sleep(stallMs);
  const unreadBytes = feed.leftBytes;
  const checker = new AnswerChecker(callStreamAnswers(stream));
  for await (const chunk of child.stdout) checker.push(chunk as Buffer);
  await exited;
  const { ok, rightCount, mismatches } = checker.end();
  if (!ok) {
    const wrong = JSON.stringify(mismatches.slice(0, 3));
    throw new Error(
      `${slowReaderCase}: ${name} gave ${rightCount} right answers of ${stream.callCount + 1}: ${wrong}`,
    );
  }
  const { external, heap } = JSON.parse(readFileSync(reportPath, 'utf8')) as Record<
    'external' | 'heap',
    Range
  >;
  return { externalBytes: external.most - external.least, heapBytes: heap.most - heap.least, unreadBytes };
}

/** Writes piece by piece, the next when the pipe has taken the last, and ends the stream: so it is known how much was taken. */
function feedPieces(into: Writable, bytes: Uint8Array): { leftBytes: number } {
  const feed = { leftBytes: bytes.length };
  const next = (): void => {
    const at = bytes.length - feed.leftBytes;
    const piece = bytes.subarray(at, at + PIECE_BYTES);
    if (piece.length === 0) into.end();
    else
      into.write(piece, (error) => {
        if (error) return;
        feed.leftBytes -= piece.length;
        next();
      });
  };
  next();
  return feed;
}

/** What `peers/external-memory.cjs` has seen, in bytes. */
interface Range {
  readonly least: number;
  readonly most: number;
}
