import { describe, expect, test } from 'vitest';
import {
  isTransportError,
  type WindowsSpawnPlan,
  windowsKillPlan,
  windowsSpawnPlan,
} from '../../src/index.ts';
import { WINDOWS_DEFAULTS, WINDOWS_FILES, WINDOWS_VECTORS, type WindowsVector } from './windows-vectors.ts';

const files = new Set(WINDOWS_FILES.map((file) => file.toLowerCase()));

function plan({ command, args = [], cwd, env = {} }: WindowsVector): WindowsSpawnPlan {
  return windowsSpawnPlan({
    command,
    args,
    cwd: cwd ?? WINDOWS_DEFAULTS.cwd,
    env: { ...WINDOWS_DEFAULTS.env, ...env },
    fileExists: (path) => files.has(path.toLowerCase()),
  });
}

describe('the plan of a spawn on Windows', () => {
  test('has a row for every kind of thing, and each row is one of a kind', () => {
    expect(WINDOWS_VECTORS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(WINDOWS_VECTORS.map(({ about }) => about)).size).toBe(WINDOWS_VECTORS.length);
  });

  test.each(WINDOWS_VECTORS.filter(({ line }) => line !== undefined))('$about', (vector) => {
    const found = plan(vector);
    expect(found.commandLine).toBe(vector.line);
    // What Node joins with spaces is the same line, and nothing of it is left to be searched.
    expect([found.argv0, ...found.args].join(' ')).toBe(vector.line);
    expect(found.file).toMatch(/^([A-Za-z]:\\|\\\\)/);
    expect(found.through).toBe(/\.(cmd|bat)$/i.test(found.found) ? 'cmd.exe' : 'program');
    if (found.through === 'program') expect(found.file).toBe(found.found);
  });

  test.each(WINDOWS_VECTORS.filter(({ code }) => code !== undefined))('refuses $about', (vector) => {
    let thrown: unknown;
    try {
      plan(vector);
    } catch (error) {
      thrown = error;
    }
    if (!isTransportError(thrown)) throw thrown ?? new Error('it was not refused');
    expect(thrown.code).toBe(vector.code);
    if (vector.says !== undefined) expect(thrown.message).toContain(vector.says);
    // Arguments may be secrets, and so may values of variables.
    for (const secret of ['calc', 'never shown', 'xxxx']) expect(thrown.message).not.toContain(secret);
  });

  test('asks for absolute files only, and for none in the working directory when the command is a name', () => {
    const asked: string[] = [];
    const options = {
      cwd: WINDOWS_DEFAULTS.cwd,
      env: { PATH: '.;;bin;C:work;\\work;C:\\tools;"C:\\Program Files\\nodejs"' },
      fileExists: (path: string): boolean => {
        asked.push(path);
        return false;
      },
    };
    expect(() => windowsSpawnPlan({ ...options, command: 'local' })).toThrow();
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter((path) => !/^C:\\(tools|Program Files\\nodejs)\\[^\\]+$/.test(path))).toEqual([]);
  });
});

test('a process tree is ended by taskkill, by its full path', () => {
  expect(windowsKillPlan(4711, { SystemRoot: 'D:\\Win\\' })).toEqual({
    file: 'D:\\Win\\System32\\taskkill.exe',
    args: ['/PID', '4711', '/T', '/F'],
  });
  expect(windowsKillPlan(1, {}).file).toBe('C:\\Windows\\System32\\taskkill.exe');
  // A folder that could be anything is not believed.
  expect(windowsKillPlan(1, { systemroot: '..\\evil' }).file).toBe('C:\\Windows\\System32\\taskkill.exe');
});
