import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launcherForm } from '../../src/index.ts';
import { answeredIds, idsUpTo, nodeFixture, requestLines, shell } from '../support/shell.ts';

const COUNT = 300;
const IDS = idsUpTo(COUNT);
const spawning = nodeFixture('spawning');
/** What a child wrote to where the wire would have been. The other children wrote to pipes of their own, or got nothing at all. */
const SEEN = [
  'spawn inherit',
  'spawn numbers',
  'spawn words',
  'spawn streams',
  'spawn kept stream',
  'spawn socket over 1',
  'spawn stderr is stdout',
  'spawn stderr',
  'spawn detached',
  'fork',
  'spawnSync',
  'execFileSync',
  'execSync',
  'execSync stderr',
];

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-spawn-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('a child of this process, however it is started, can neither write to the wire nor read it', () => {
  test.each([
    ['a pipe', `cat in.jsonl | ${spawning} | cat > out`],
    ['a pipe, with guard js', `cat in.jsonl | GUARD=js ${spawning} | cat > out`],
    ['a file', `${spawning} < in.jsonl > out`],
    ['pipes in the launcher form', `cat in.jsonl | ${launcherForm(spawning)} | cat > out`],
    ['files in the launcher form', `${launcherForm(spawning)} < in.jsonl > out`],
  ])('that is %s; its noise is on stderr', async (_, commandLine) => {
    const { stderr } = await shell(commandLine, { cwd });
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
    for (const name of SEEN) expect(stderr).toContain(`noise: ${name}\n`);
  });

  test('that is a socket from a Node parent; its noise is on stderr', async () => {
    for (const commandLine of [spawning, launcherForm(spawning)]) {
      const { stdout, stderr } = await shell(`exec ${commandLine}`, { input: requestLines(COUNT) });
      expect(answeredIds(stdout)).toEqual(IDS);
      for (const name of SEEN) expect(stderr).toContain(`noise: ${name}\n`);
    }
  });

  test.each([
    ['a pipe', `cat in.jsonl | ${spawning} 2>&1 | cat > out`],
    ['a pipe, with guard js', `cat in.jsonl | GUARD=js ${spawning} 2>&1 | cat > out`],
    ['a file', `${spawning} < in.jsonl > out 2>&1`],
    ['a socket', `exec ${spawning} < in.jsonl 2>&1`],
    ['a file in the launcher form', `${launcherForm(spawning)} < in.jsonl > out 2>&1`],
  ])('that stderr leads into as well, when it is %s; its noise is nowhere', async (kind, commandLine) => {
    const { stdout } = await shell(commandLine, { cwd });
    const out = kind === 'a socket' ? stdout : readFileSync(join(cwd, 'out'), 'utf8');
    expect(answeredIds(out)).toEqual(IDS);
  });
});
