import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Job, Outcome } from './child/jobs.ts';
import { plainEnvironment } from './environment.ts';
import { benchMain } from './paths.ts';
import type { Runtime } from './runtimes.ts';

const execute = promisify(execFile);

/**
 * Runs a job in a process of its own: no side finds code compiled, or a heap filled, by another. The engine is part of the
 * job; the environment chooses none.
 */
export async function runInFreshProcess<J extends Job>({ command }: Runtime, job: J): Promise<Outcome<J>> {
  const { stdout } = await execute(command, [benchMain, 'job', JSON.stringify(job)], {
    env: plainEnvironment(),
    timeout: 300_000,
  });
  return JSON.parse(stdout) as Outcome<J>;
}
