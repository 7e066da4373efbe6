import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answeredIds, idsUpTo, nodeFixture, requestLines, shell } from '../support/shell.ts';

const COUNT = 5;
const IDS = idsUpTo(COUNT);
const native = nodeFixture('native');
/** What gets past everything that JavaScript can replace. */
const NATIVE_NOISE = ['noise: native\n', '"header": {', 'noise: worker child\n'];

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-descriptor-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Said {
  readonly level: string;
  readonly stdout: string;
  readonly noise: { readonly writes: number; readonly bytes: number; readonly droppedBytes: number };
}

function said(text: string): Said {
  const line = text.split('\n').find((candidate) => candidate.startsWith('{"level"'));
  if (line === undefined) throw new Error(`the fixture said nothing: ${text}`);
  return JSON.parse(line) as Said;
}

describe.runIf(process.platform === 'linux')('a wire that is a pipe on Linux', () => {
  test('is out of the reach of native code, whose noise goes to a stderr that is a pipe', async () => {
    const { stdout } = await shell(`{ ${native} < in.jsonl | cat > out; } 2>&1 | cat`, { cwd });
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
    for (const noise of [...NATIVE_NOISE, 'noise: console\n']) expect(stdout).toContain(noise);
    expect(said(stdout).level).toBe('descriptor');
  });

  test.each([
    ['a socket cannot be opened again', `${native} < in.jsonl | cat > out`],
    ['a file without O_APPEND would be overwritten', `${native} < in.jsonl 2> err | cat > out; cat err >&2`],
  ])('is out of the reach of native code, whose noise is lost where it must: %s', async (_, commandLine) => {
    const { stderr } = await shell(commandLine, { cwd });
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
    expect(said(stderr)).toMatchObject({ level: 'descriptor', stdout: '/dev/null' });
    expect(stderr.split('noise: console\n')).toHaveLength(COUNT + 1);
    expect(stderr).not.toContain('noise: native\n');
  });

  test('is out of the reach of native code, whose noise is appended to a file', async () => {
    const { stderr } = await shell(
      `echo before > err; ${native} < in.jsonl 2>> err | cat > out; cat err >&2`,
      {
        cwd,
      },
    );
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
    for (const noise of ['before\n', ...NATIVE_NOISE, 'noise: console\n']) expect(stderr).toContain(noise);
  });

  test('is out of the reach of native code when stderr is the wire too', async () => {
    await shell(`GUARD=descriptor ${nodeFixture('logging')} < in.jsonl 2>&1 | cat > out`, { cwd });
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
  });

  test('is on descriptor 1 again once the guard is released', async () => {
    const { stdout, stderr } = await shell(`${nodeFixture('native', 'release')} < in.jsonl | cat`, { cwd });
    expect(said(stderr).level).toBe('descriptor');
    const [native, js, ...more] = stdout.split('\n').slice(COUNT);
    expect([native, js, more]).toEqual(['native again', 'none again', ['']]);
    expect(answeredIds(stdout.split('\n').slice(0, COUNT).join('\n').concat('\n'))).toEqual(IDS);
  });

  test('can be taken and released again and again, and no descriptor is left', async () => {
    const { stdout, stderr } = await shell(`${nodeFixture('reopening')} < /dev/null | cat`);
    expect(answeredIds(stdout)).toEqual(idsUpTo(20));
    const { levels, first, last } = JSON.parse(stderr) as { levels: string[]; first: number; last: number };
    expect(levels).toEqual(['descriptor']);
    expect(last).toBe(first);
  });

  test('whose reader was gone before the start ends in order', async () => {
    const { code, stderr } = await shell(
      `{ { sleep 0.2; REPORT=1 ${nodeFixture('answering')} < in.jsonl; echo "code $?" >&2; } | true; }`,
      { cwd },
    );
    expect(code).toBe(0);
    expect(stderr).toContain('"kind":"peer-closed"');
    expect(stderr).toContain('code 0\n');
  });
});

describe('guardLevel() tells what is in force', () => {
  test.each([
    ['a pipe and guard js', 'js', `GUARD=js ${native} < in.jsonl | cat`],
    ['a socket', 'js', `exec ${native} < in.jsonl`],
    ['a file', 'js', `${native} < in.jsonl > out; cat out`],
  ])('and on %s it is %s, since native noise gets through', async (_, level, commandLine) => {
    const { stdout, stderr } = await shell(commandLine, { cwd });
    expect(said(stderr).level).toBe(level);
    expect(stdout).toContain('noise: native\n');
    expect(stdout).not.toContain('noise: console\n');
  });

  test('and without a guard it is none, and everything is as it was', async () => {
    const { stdout, stderr } = await shell(`GUARD=none ${native} < in.jsonl | cat`, { cwd });
    expect(said(stderr)).toMatchObject({ level: 'none', noise: { writes: 0 } });
    expect(stdout.split('noise: console\n')).toHaveLength(COUNT + 1);
    expect(stdout).toContain('{"jsonrpc":"2.0","id":4,"result":{}}\n');
  });
});
