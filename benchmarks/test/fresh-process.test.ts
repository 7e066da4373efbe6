import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '../src/child/jobs.ts';
import { runInFreshProcess } from '../src/fresh-process.ts';
import { benchMain } from '../src/paths.ts';
import type { Runtime } from '../src/runtimes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire fresh '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A Node that does not run JavaScript but a line of shell. */
function shellRuntime(line: string): Runtime {
  const command = join(folder, 'node');
  writeFileSync(command, `#!/bin/sh\n${line}\n`);
  chmodSync(command, 0o755);
  return { name: 'Node 99', version: '99.0.0', command };
}

const job: Job = { kind: 'first-use', engine: 'scalar' };

describe('a job in a fresh process', () => {
  it('runs on the Node that it is given, and comes back with its outcome', async () => {
    const seen = join(folder, 'seen');
    const runtime = shellRuntime(`printf '%s|' "$@" > '${seen}'; echo '{"ms":1.5}'`);
    expect(await runInFreshProcess(runtime, job)).toEqual({ ms: 1.5 });
    expect(readFileSync(seen, 'utf8')).toBe(`${benchMain}|job|{"kind":"first-use","engine":"scalar"}|`);
  });

  it('finds no switch in its environment: the job alone chooses the engine', async () => {
    vi.stubEnv('LINEWIRE_ENGINE', 'wasm');
    vi.stubEnv('LINEWIRE_POISON', '1');
    const runtime = shellRuntime(`env | grep -cE '^LINEWIRE_(ENGINE|POISON)=' | sed 's/.*/{"ms":&}/'`);
    expect(await runInFreshProcess(runtime, job)).toEqual({ ms: 0 });
  });

  it('fails with what it said on stderr', async () => {
    const runtime = shellRuntime('echo the reason >&2; exit 1');
    await expect(runInFreshProcess(runtime, job)).rejects.toThrow('the reason');
  });
});
