import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardLevel } from '../../src/index.ts';
import { answeredIds, idsUpTo, nodeFixture, requestLines, shell } from '../support/shell.ts';

const COUNT = 5;
const IDS = idsUpTo(COUNT);
const noisy = nodeFixture('noisy');
const logging = nodeFixture('logging');

/** Everything that the fixture writes to stdout, by whoever writes it. */
const NOISES = [
  'console',
  'kept console',
  'kept stdout',
  'stdout',
  'end',
  'writeSync by fd',
  'execSync',
  'spawnSync',
  'spawn',
  'handler',
  'after close',
];

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-guard-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('the stdout guard', () => {
  test.each([
    ['a pipe', `${noisy} < in.jsonl | cat`],
    ['a socket', `exec ${noisy} < in.jsonl`],
    ['a file', `${noisy} < in.jsonl > out; cat out`],
    ['a pipe, read from a pipe', `cat in.jsonl | ${noisy} | cat`],
  ])('keeps all noise off a wire that is %s, and shows it on stderr', async (_, commandLine) => {
    const { code, stdout, stderr } = await shell(commandLine, { cwd });
    expect(answeredIds(stdout)).toEqual(IDS);
    for (const noise of NOISES) expect(stderr).toContain(`noise: ${noise}\n`);
    expect(stderr).toContain('stdin of others has ended\n');
    expect(code).toBe(0);
  });

  test('tells once where the first noise came from', async () => {
    const { stderr } = await shell(`${noisy} < in.jsonl`, { cwd });
    expect(stderr.split('linewire: stdout carries the protocol')).toHaveLength(2);
    expect(stderr).toMatch(/First written by:\n {4}at .*noisy\.mjs:\d+:/);
    expect(stderr).not.toContain('node:internal');
  });

  test('is in force from guardStdout() on, before the wire is opened', async () => {
    const { stdout, stderr } = await shell(`${noisy} < in.jsonl | cat`, { cwd, env: { EARLY_GUARD: '1' } });
    expect(answeredIds(stdout)).toEqual(IDS);
    expect(stderr).toContain('noise: kept stdout\n');
  });

  test.each([
    ['a pipe', `{ ${noisy} < in.jsonl 2>&1 | cat; } 3> report`],
    ['a pipe at level js', `{ GUARD=js ${noisy} < in.jsonl 2>&1 | cat; } 3> report`],
    ['a socket', `exec ${noisy} < in.jsonl 3> report 2>&1`],
    ['a file', `${noisy} < in.jsonl 3> report > out 2>&1; cat out`],
  ])(
    'lets nothing but answers onto a wire that stderr leads into too, and counts the noise: %s',
    async (_, commandLine) => {
      const { stdout } = await shell(commandLine, { cwd, env: { REPORT_FILE: '3' } });
      expect(answeredIds(stdout)).toEqual(IDS);
      const noise = JSON.parse(readFileSync(join(cwd, 'report'), 'utf8')) as Record<string, number>;
      // console, kept console, kept stdout, stdout, end, the word on stderr, after close
      expect(noise['writes']).toBe(7 + COUNT);
      expect(noise['droppedBytes']).toBe(noise['bytes']);
    },
  );

  test.each([
    ['closed', `${logging} < in.jsonl 2>&- | cat`],
    ['full', `${logging} < in.jsonl 2>/dev/full | cat`],
    ['a pipe that nobody reads', `{ { sleep 0.2; ${logging} < in.jsonl; } 2>&1 >&3 | true; } 3>&1`],
  ])('answers on when stderr is %s', async (_, commandLine) => {
    const { stdout } = await shell(commandLine, { cwd });
    expect(answeredIds(stdout)).toEqual(IDS);
  });

  test('lets children have pipes of their own, and only keeps them off the wire', async () => {
    const { stdout, stderr } = await shell(`${nodeFixture('forking')} | cat`);
    expect(JSON.parse(stdout)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { piped: 'piped\n', stdout: 'own pipe\n' },
    });
    expect(stderr).toContain('noise: forked\n');
    expect(stderr).toContain('noise: stderr\n');
  });

  test('is not in force in a process that did not ask for it', () => {
    expect(guardLevel()).toBe('none');
  });
});

describe('a stdin that other code reads already', () => {
  test.each(['data', 'readable', 'paused'])('(%s) is adopted without the loss of a byte', async (how) => {
    for (const commandLine of [
      `cat in.jsonl | ${nodeFixture('adopting', how)}`,
      `${nodeFixture('adopting', how)} < in.jsonl`,
    ]) {
      const { stdout, stderr } = await shell(commandLine, { cwd });
      expect(stderr).toBe('');
      expect(answeredIds(stdout)).toEqual(IDS);
    }
  });

  test('to its end is refused with STDIN_TAKEN', async () => {
    const { code, stderr } = await shell(`cat in.jsonl | ${nodeFixture('adopting', 'ended')}`, { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("code: 'STDIN_TAKEN'");
  });
});
