import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChildOptions, type CloseReason, describeSpawn } from '../../src/index.ts';
import { ping, spawn } from '../support/child-harness.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-child-'));
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'plain'), '', { mode: 0o644 });
  writeFileSync(join(folder, 'script'), '#!/no/such/interpreter -x\n', { mode: 0o755 });
  writeFileSync(join(folder, 'windows-script'), '#!/bin/sh\r\necho x\r\n', { mode: 0o755 });
  writeFileSync(join(folder, 'good'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
});

afterAll(() => {
  chmodSync(join(folder, 'inner'), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

async function failureOf(options: ChildOptions): Promise<{ code: string; message: string }> {
  const child = spawn(options);
  const calls: CloseReason[] = [];
  child.start({ onFrames() {}, onClose: (reason) => calls.push(reason) });
  const reason = await child.closed;
  expect(reason.kind).toBe('error');
  expect(calls).toEqual([reason]);
  expect(child.pid).toBeUndefined();
  return reason.error as unknown as { code: string; message: string };
}

/** Options, code, and what the message must hold; the folder of this file's programs is written `FOLDER`. */
const FAILURES: readonly [string, () => ChildOptions, string, readonly string[]][] = [
  [
    'was not found: the PATH that was searched',
    () => ({ command: 'no-such-command', env: { PATH: '/nowhere:/else' } }),
    'SPAWN_NOT_FOUND',
    ['"no-such-command"', 'PATH searched: /nowhere:/else'],
  ],
  [
    'is a whole command line: that there is no shell',
    () => ({ command: 'node server.js' }),
    'SPAWN_NOT_FOUND',
    ['"node server.js"', 'no shell', 'args'],
  ],
  [
    'is a path that does not exist: the file that was looked for',
    () => ({ command: './nothing', cwd: folder }),
    'SPAWN_NOT_FOUND',
    ['"./nothing"', '"FOLDER/nothing"'],
  ],
  [
    'is a path from here, and the child starts elsewhere: both places',
    () => ({ command: 'package.json', args: [], cwd: folder, env: { PATH: '' } }),
    'SPAWN_NOT_FOUND',
    ['"package.json"', 'FOLDER'],
  ],
  [
    'would start in a folder that is missing: the folder',
    () => ({ command: process.execPath, cwd: '/no/such folder' }),
    'SPAWN_CWD',
    ['"/no/such folder" does not exist'],
  ],
  [
    'would start in a file: that it is no folder',
    () => ({ command: process.execPath, cwd: join(folder, 'plain') }),
    'SPAWN_CWD',
    ['"FOLDER/plain" is no folder'],
  ],
  [
    'is a folder: that it is one',
    () => ({ command: join(folder, 'inner') }),
    'SPAWN_FAILED',
    ['EACCES', '"FOLDER/inner" is a folder'],
  ],
  [
    'may not be executed: which file',
    () => ({ command: 'plain', env: { PATH: folder } }),
    'SPAWN_FAILED',
    ['EACCES', '"FOLDER/plain" is not executable'],
  ],
  [
    'is a script for an interpreter that is missing: the interpreter',
    () => ({ command: './script', cwd: folder }),
    'SPAWN_FAILED',
    ['interpreter', '"/no/such/interpreter"'],
  ],
  [
    'is a script with the line ends of Windows: these',
    () => ({ command: join(folder, 'windows-script') }),
    'SPAWN_FAILED',
    ['"/bin/sh\\r"', 'CR LF'],
  ],
  [
    'has an argument with a NUL byte: which one',
    () => ({ command: 'cat', args: ['a', 'b\0c'] }),
    'SPAWN_FAILED',
    ['args[1]', 'NUL'],
  ],
  [
    'holds a NUL byte itself: that it does',
    () => ({ command: 'c\0at' }),
    'SPAWN_FAILED',
    ['the command', 'NUL'],
  ],
];

describe('the error of a command that', () => {
  test.each(FAILURES)('%s', async (_, options, code, parts) => {
    const failure = await failureOf(options());
    expect(failure.code).toBe(code);
    for (const part of parts) expect(failure.message).toContain(part.replace('FOLDER', folder));
  });

  test.each(FAILURES)('%s — and describeSpawn tells it before', (_, options, code, parts) => {
    const { problem } = describeSpawn(options());
    expect(problem?.code).toBe(code);
    for (const part of parts) expect(problem?.message).toContain(part.replace('FOLDER', folder));
  });

  test('has too long arguments: how long, and the longest of them', async () => {
    const failure = await failureOf({ command: 'cat', args: ['-n', 'x'.repeat(3_000_000)] });
    expect(failure.code).toBe('SPAWN_FAILED');
    expect(failure.message).toMatch(/E2BIG.*3000004 bytes of arguments, args\[1\] alone 3000001/);
  });

  test('failed shows the values of no variables', async () => {
    const env = { API_KEY: 'hush-hush', PATH: '/nowhere' };
    expect((await failureOf({ command: 'no-such-command', env })).message).not.toContain('hush');
  });
});

test('a path is taken from the folder of the child, not from ours', async () => {
  const child = spawn({ command: './good', cwd: folder });
  child.start({ onFrames() {} });
  expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
  const failure = await failureOf({ command: './package.json', cwd: folder });
  expect(failure.code).toBe('SPAWN_NOT_FOUND');
  expect(failure.message).toContain(`${JSON.stringify(join(process.cwd(), 'package.json'))} does exist`);
});

test('frames may be sent to a command that cannot be started until that is known, and are dropped', async () => {
  const child = spawn({ command: 'no-such-command' });
  const ticket = child.send(ping(1));
  expect(await child.settled(ticket)).not.toBe('written');
  await child.closed;
  expect(child.stats.droppedBytes).toBe(ping(1).length + 1);
});
