import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shellEnd, startShell } from '../src/shell-group.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire shell '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Gone, or dead and only waiting to be collected by whoever inherited it. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // Collected since, or a system without /proc.
    return existsSync('/proc/self/stat');
  }
}

describe('a pipeline', () => {
  it('ends with what it said on stderr', async () => {
    const shell = startShell('"$@" "$0"', 'world', ['sh', '-c', 'echo "hello $0" >&2']);
    expect(await shellEnd(shell, 'a greeter')).toBe('hello world\n');
  });

  it('fails with its name, exit code and stderr', async () => {
    const shell = startShell('"$@"', 'no file', ['sh', '-c', 'echo why >&2; exit 3']);
    await expect(shellEnd(shell, 'a failure')).rejects.toThrow('a failure ended with exit code 3\nwhy');
  });

  it('that takes too long is killed with every command in it', async () => {
    const pidPath = join(folder, 'pid');
    // A command that survives its broken pipes: it neither reads nor writes.
    const stubborn = ['sh', '-c', `echo $$ > '${pidPath}'; exec sleep 100`];
    const shell = startShell('cat "$0" | "$@" | cat', '/dev/null', stubborn);
    await expect(shellEnd(shell, 'a sleeper', 500)).rejects.toThrow('a sleeper took more than 0.5 s');
    const pid = Number(readFileSync(pidPath, 'utf8'));
    expect(pid).toBeGreaterThan(1);
    for (let tries = 0; tries < 100 && !isGone(pid); tries++) await sleep(10);
    expect(isGone(pid)).toBe(true);
  });

  it('starts without the switches that would change what is measured', async () => {
    vi.stubEnv('LINEWIRE_ENGINE', 'scalar');
    vi.stubEnv('LINEWIRE_POISON', '1');
    vi.stubEnv('NODE_DEBUG', 'linewire');
    const shell = startShell(
      'env | grep -E "^(LINEWIRE_ENGINE|LINEWIRE_POISON|NODE_DEBUG|PATH)=" >&2',
      '',
      [],
    );
    const environment = await shellEnd(shell, 'env');
    expect(environment).not.toMatch(/^(?:LINEWIRE_|NODE_DEBUG)/m);
    expect(environment).toMatch(/^PATH=/m);
  });

  it('leaves no listener behind', async () => {
    const count = (): number => process.listenerCount('SIGINT') + process.listenerCount('exit');
    const before = count();
    const shell = startShell('true', '', []);
    expect(count()).toBe(before + 2);
    await shellEnd(shell, 'true');
    expect(count()).toBe(before);
  });
});
