import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAPABILITIES, type RuntimeName } from '../../src/reading/capabilities.ts';
import { answeredIds, fixtureFile, idsUpTo, requestLines, shell } from '../support/shell.ts';

/** More than a pipe holds, so that reads are cut anywhere. */
const COUNT = 3000;
const IDS = idsUpTo(COUNT);

const installed = (path: string): string | undefined => {
  const file = fileURLToPath(new URL(`../../../../runtimes/node_modules/${path}`, import.meta.url));
  return existsSync(file) ? file : undefined;
};
const bun = installed('@oven/bun-linux-x64/bin/bun');
const deno = installed('@deno/linux-x64-glibc/deno');
const node26 = installed('node-26/bin/node');

const RUNTIMES: readonly { name: string; row: RuntimeName; command: string | undefined }[] = [
  { name: 'this Node', row: 'node', command: process.execPath },
  { name: 'Node 26', row: 'node', command: node26 },
  { name: 'Deno', row: 'deno', command: deno && `${deno} run -A` },
  { name: 'Bun', row: 'bun', command: bun },
];

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-runtime-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('the table of readers is this', () => {
  const reads = Object.entries(CAPABILITIES).map(([name, row]) => [name, row.pipe.read, row.socket.read]);
  expect(reads).toEqual([
    ['node', 'onread', 'onread'],
    ['deno', 'onread', 'onread'],
    ['bun', 'data', 'data'],
  ]);
  for (const row of Object.values(CAPABILITIES)) {
    expect([row.file.read, row.device.read, row.closed.read, row.tty.read]).toEqual([
      'file',
      'file',
      'file',
      'data',
    ]);
  }
});

for (const { name, row, command } of RUNTIMES) {
  const skipped = command === undefined ? ' (SKIPPED: it is not installed; npm ci --prefix runtimes)' : '';
  describe.skipIf(command === undefined)(`in ${name}${skipped} own stdio answers every request`, () => {
    const server = (reading: string): string => `env READING=${reading} ${command} ${fixtureFile('reading')}`;
    for (const reading of ['auto', 'data']) {
      test.each([
        ['a pipe', 'pipe', `cat in.jsonl | ${server(reading)} | cat > out`],
        ['a file', 'file', `${server(reading)} < in.jsonl > out`],
        ['/dev/null', 'device', `${server(reading)} < /dev/null > out`],
        ['a socket', 'socket', `exec ${server(reading)}`],
      ])(`(reading ${reading}) that comes from %s`, async (_, kind, commandLine) => {
        const { stdout, stderr } = await shell(commandLine, {
          cwd,
          ...(kind === 'socket' && { input: requestLines(COUNT) }),
        });
        const out = kind === 'socket' ? stdout : readFileSync(join(cwd, 'out'), 'utf8');
        expect(answeredIds(out)).toEqual(kind === 'device' ? [] : IDS);
        const expected = CAPABILITIES[row][kind as 'pipe'].read;
        // `onread` lands without an event; every other reader of a pipe or socket hears 'data'.
        const heard = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { dataEvents: boolean };
        expect(heard.dataEvents).toBe(expected === 'data' || (expected === 'onread' && reading === 'data'));
      });
    }
  });
}
