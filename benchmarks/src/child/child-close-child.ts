import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { fixturePath } from '@linewire/testkit';
import { spawnChild } from '@linewire/transport';
import type { ChildCloseSide } from '../child-sides.ts';

export interface ChildCloseJob {
  readonly kind: 'child-close';
  readonly side: ChildCloseSide;
}

export interface ChildCloseOutcome {
  /** From the end of the child's stdin to the moment at which it was known to be gone. */
  readonly ms: number;
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Ends a good server that has answered once. */
export async function runChildCloseJob({ side }: ChildCloseJob): Promise<ChildCloseOutcome> {
  return { ms: side === 'close()' ? await closeOurs() : await endBare() };
}

async function closeOurs(): Promise<number> {
  const child = spawnChild({ command: process.execPath, args: [fixturePath('p16')] });
  await new Promise<void>((resolve) => {
    child.start({ onFrames: () => resolve() });
    child.send(ping);
  });
  const from = performance.now();
  const { exitCode } = await child.close();
  if (exitCode !== 0) throw new Error(`the child ended with ${exitCode}`);
  return performance.now() - from;
}

/** How long the child takes to be gone, with nothing of ours around it. */
async function endBare(): Promise<number> {
  const child = spawn(process.execPath, [fixturePath('p16')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${ping}\n`);
  await once(child.stdout, 'data');
  const from = performance.now();
  child.stdin.end();
  await once(child, 'exit');
  return performance.now() - from;
}
