import { expect, test, vi } from 'vitest';
import { describeSpawn } from '../../src/index.ts';

test('a description tells the file, the folder, the names with their origins, and starts nothing', () => {
  vi.stubEnv('TERM', 'xterm');
  const described = describeSpawn({
    command: 'sh',
    args: ['-c', 'exit 1'],
    cwd: '/',
    env: { API_KEY: 'hush-hush', PATH: '/nowhere:/bin', TERM: undefined },
    inheritEnv: ['HOME', 'TERM'],
    orphanGuard: true,
  });
  expect(described).toEqual({
    command: 'sh',
    file: '/bin/sh',
    args: ['-c', 'exit 1'],
    cwd: '/',
    pathSearched: '/nowhere:/bin',
    environment: [
      { name: 'API_KEY', from: 'given' },
      ...(process.env['HOME'] === undefined ? [] : [{ name: 'HOME', from: 'inherited' }]),
      { name: 'PATH', from: 'given' },
      { name: 'PYTHONUNBUFFERED', from: 'default' },
      { name: 'PYTHONUTF8', from: 'default' },
    ],
    group: 'own',
    orphanGuard: true,
    problem: undefined,
  });
  expect(JSON.stringify(described)).not.toContain('hush');
});

test('a command that is a path is searched nowhere, and by default starts here', () => {
  expect(describeSpawn({ command: process.execPath, group: 'inherit' })).toMatchObject({
    file: process.execPath,
    cwd: process.cwd(),
    pathSearched: undefined,
    group: 'inherit',
    orphanGuard: false,
    problem: undefined,
  });
});

test('a command without a PATH is searched where the system does', () => {
  expect(describeSpawn({ command: 'sh', inheritEnv: [] })).toMatchObject({
    file: '/bin/sh',
    pathSearched: undefined,
    problem: undefined,
  });
});

test('an option that spawnChild refuses is refused here too', () => {
  expect(() => describeSpawn({ command: '' })).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
});
