import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Job, Outcome } from './child/jobs.ts';
import { benchMain } from './paths.ts';

const execute = promisify(execFile);

/** Runs a job in a process of its own: no side finds code compiled, or a heap filled, by another. */
export async function runInFreshProcess<J extends Job>(job: J): Promise<Outcome<J>> {
  const env = { ...process.env, NODE_DEBUG: '', LINEWIRE_POISON: '' };
  const { stdout } = await execute(process.execPath, [benchMain, 'job', JSON.stringify(job)], {
    env,
    timeout: 300_000,
  });
  return JSON.parse(stdout) as Outcome<J>;
}
