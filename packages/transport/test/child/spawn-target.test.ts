import childProcess from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@linewire/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { spawnTarget } from '../../src/child/spawn-target.ts';
import { spawnChild } from '../../src/index.ts';
import { until } from '../support/process-state.ts';

const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;

function pretendWindows(): void {
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
}

const startedIn = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spawn-target-'));
});

afterEach(() => {
  process.chdir(startedIn);
  rmSync(folder, { recursive: true });
  Object.defineProperty(process, 'platform', platform);
  vi.restoreAllMocks();
});

test('elsewhere a command and its arguments are handed over as they are', () => {
  const request = { command: 'npx', args: ['a b', '"'], cwd: undefined, env: {} };
  expect(spawnTarget(request)).toEqual({ file: 'npx', args: ['a b', '"'], options: {} });
});

test('on Windows spawnChild starts what the plan says, quoted already', async () => {
  const realSpawn = childProcess.spawn;
  const calls: unknown[][] = [];
  vi.spyOn(childProcess, 'spawn').mockImplementation(((...given: unknown[]) => {
    calls.push(given);
    return realSpawn(process.execPath, [fixturePath('p16')]);
  }) as unknown as typeof childProcess.spawn);
  // An absolute name there is a relative name here.
  const file = '\\\\nas\\share\\tool.exe';
  writeFileSync(join(folder, file), '');
  process.chdir(folder);
  pretendWindows();
  const child = spawnChild({ command: file, args: ['a b'], cwd: 'C:\\work' });
  Object.defineProperty(process, 'platform', platform);
  let answers = 0;
  child.start({
    onFrames: (batch) => {
      answers += batch.count;
    },
  });
  child.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  await until(() => answers === 1);
  await child.close();
  expect(calls).toHaveLength(1);
  const [program, args, options] = calls[0] as [string, string[], childProcess.SpawnOptions];
  expect([program, args]).toEqual([file, ['"a b"']]);
  expect(options).toMatchObject({ argv0: file, windowsVerbatimArguments: true, windowsHide: true });
});

test('on Windows a refusal is how the child ends, not an exception', async () => {
  process.chdir(folder);
  mkdirSync('C:\\work');
  for (const [command, code] of [
    ['nothing', 'SPAWN_NOT_FOUND'],
    ['C:drive-relative', 'SPAWN_REFUSED'],
  ] as const) {
    pretendWindows();
    const child = spawnChild({ command, cwd: 'C:\\work', env: { PATH: 'C:\\tools' } });
    Object.defineProperty(process, 'platform', platform);
    const { kind, error } = await child.closed;
    expect([kind, child.pid]).toEqual(['error', undefined]);
    expect(error).toMatchObject({ code });
  }
});

test('on Windows the ladder ends the whole tree with taskkill, and the child itself where taskkill fails', async () => {
  const realSpawn = childProcess.spawn;
  const file = '\\\\nas\\share\\tool.exe';
  writeFileSync(join(folder, file), '');
  process.chdir(folder);
  for (const taskkill of [(pid: string) => ['kill', '-9', pid], () => ['false'], () => ['no-such-program']]) {
    const killed: unknown[] = [];
    vi.spyOn(childProcess, 'spawn').mockImplementation(((
      program: string,
      args: string[],
      options: object,
    ) => {
      if (program === file) return realSpawn(process.execPath, [fixturePath('p02')]);
      killed.push([program, args, options]);
      const [command = '', ...rest] = taskkill(args[1] ?? '');
      return realSpawn(command, rest, { stdio: 'ignore' });
    }) as unknown as typeof childProcess.spawn);
    pretendWindows();
    const child = spawnChild({ command: file, cwd: 'C:\\work', closeTimeoutMs: 20, termTimeoutMs: 60_000 });
    const reason = await child.close();
    Object.defineProperty(process, 'platform', platform);
    expect(reason).toMatchObject({ kind: 'closed', signal: 'SIGKILL' });
    expect(killed).toEqual([
      [
        'C:\\Windows\\System32\\taskkill.exe',
        ['/PID', String(child.pid), '/T', '/F'],
        { stdio: 'ignore', windowsHide: true },
      ],
    ]);
    vi.restoreAllMocks();
  }
});
