import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { createFrameReader } from '@linewire/framing';
import { spawnChild } from '@linewire/transport';
import type { ChildReadSide } from '../child-sides.ts';

export interface ChildReadJob {
  readonly kind: 'child-read';
  readonly side: ChildReadSide;
  /** Written by `cat` this many times. */
  readonly file: string;
  readonly times: number;
  /** In all of it. */
  readonly frameCount: number;
}

export interface ChildReadOutcome {
  /** From before the spawn to after the end of the child. */
  readonly ms: number;
  /** User and system time of this process alone. */
  readonly cpuMs: number;
  readonly maxRssBytes: number;
}

/** @throws Error when not every frame came, or one was bad */
export async function runChildReadJob(job: ChildReadJob): Promise<ChildReadOutcome> {
  const args = Array.from({ length: job.times }, () => job.file);
  if (job.side === "our 'data' way") process.env['LINEWIRE_READING'] = 'data';
  const read = job.side === "bare stream's 'data'" ? readBare : readOurs;
  const before = process.cpuUsage();
  const from = performance.now();
  const frames = await read(args);
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  if (frames !== job.frameCount) throw new Error(`${frames} frames instead of ${job.frameCount}`);
  return { ms, cpuMs: (user + system) / 1000, maxRssBytes: process.resourceUsage().maxRSS * 1024 };
}

async function readOurs(args: readonly string[]): Promise<number> {
  const child = spawnChild({ command: 'cat', args });
  let frames = 0;
  child.start({
    onFrames(batch) {
      frames += batch.count;
    },
  });
  const { kind, exitCode } = await child.closed;
  const { faults, invalidFrames } = child.stats;
  if (kind !== 'exit' || exitCode !== 0 || faults + invalidFrames > 0)
    throw new Error(`the child ended by ${kind}`);
  return frames;
}

/** What one writes by hand: the same frame reader, fed by `'data'` events. */
async function readBare(args: readonly string[]): Promise<number> {
  const child = spawn('cat', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let frames = 0;
  const reader = createFrameReader({
    onFrames(batch) {
      frames += batch.count;
    },
  });
  child.stdout.on('data', (chunk) => reader.push(chunk));
  await once(child, 'close');
  reader.end();
  return frames;
}
