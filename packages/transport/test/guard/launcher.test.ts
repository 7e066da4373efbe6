import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launcherForm } from '../../src/index.ts';
import { answeredIds, idsUpTo, nodeFixture, requestLines, shell } from '../support/shell.ts';

const COUNT = 1500;
const IDS = idsUpTo(COUNT);
const NOISES = [
  'noise: native\n',
  '"header": {',
  'noise: worker child\n',
  'noise: given\n',
  'noise: console\n',
];

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-launcher-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Said {
  readonly level: string;
  readonly pid: number;
  readonly variable: string | null;
  readonly stolen: string;
  readonly child: string;
  readonly kind: string;
}

function said(text: string): Said {
  const line = text.split('\n').find((candidate) => candidate.startsWith('{"level"'));
  if (line === undefined) throw new Error(`the fixture said nothing: ${text}`);
  return JSON.parse(line) as Said;
}

/** Writes the requests to a socket whose other end the process has for stdin, as a Node parent does, and collects what comes back. */
async function throughSockets(commandLine: string): Promise<{ pid: number; stdout: string; stderr: string }> {
  const child: ChildProcess = spawn('sh', ['-c', `exec ${commandLine}`], { stdio: 'pipe' });
  try {
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.stdin?.end(requestLines(COUNT));
    await new Promise((resolve) => child.on('close', resolve));
    return { pid: child.pid as number, stdout, stderr };
  } finally {
    child.kill('SIGKILL');
  }
}

describe('a server that is started in the launcher form', () => {
  const native = launcherForm(`env STEAL=1 ${nodeFixture('native')}`);

  test('with sockets keeps native writers and stdin thieves off the wire, and is the process that was started', async () => {
    const { pid, stdout, stderr } = await throughSockets(native);
    expect(answeredIds(stdout)).toEqual(IDS);
    for (const noise of NOISES) expect(stderr).toContain(noise);
    expect(said(stderr)).toMatchObject({ level: 'descriptor', stolen: '', kind: 'eof', pid });
  });

  test.each([
    ['pipes', `cat in.jsonl | ${native} | cat > out`],
    ['files', `${native} < in.jsonl > out`],
    ['pipes, read by data events', `cat in.jsonl | READING=data ${native} | cat > out`],
  ])('with %s keeps native writers and stdin thieves off the wire', async (_, commandLine) => {
    const { stderr } = await shell(commandLine, { cwd });
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
    for (const noise of NOISES) expect(stderr).toContain(noise);
    expect(said(stderr)).toMatchObject({ level: 'descriptor', stolen: '', kind: 'eof' });
  });

  test('gives its children neither the descriptors nor the variable', async () => {
    const { stderr } = await throughSockets(native);
    const { variable, child } = said(stderr);
    expect(variable).toBeNull();
    // Descriptor 3 is not open in the child, and the variable not set.
    expect(child).toBe('\n');
  });

  test('with 2>&1 has the wire on its stderr too: then descriptor 1 is no safer than before, and that is what it says', async () => {
    const { stdout } = await shell(`REPORT=1 ${launcherForm(nodeFixture('logging'))} < in.jsonl 2>&1 | cat`, {
      cwd,
    });
    expect(answeredIds(stdout)).toEqual(IDS);
    const { stdout: report } = await shell(
      `REPORT=1 ${launcherForm(nodeFixture('answering'))} < /dev/null 2>&1 | cat`,
      { cwd },
    );
    expect(report).toContain('"level":"js"');
  });

  test('cannot take the wire a second time once its input was read', async () => {
    const { code, stderr } = await shell(launcherForm(nodeFixture('twice')), { cwd });
    expect(stderr).toBe('STDIN_TAKEN');
    expect(code).toBe(0);
  });
});

describe('the launcher form', () => {
  test('is this', () => {
    expect(launcherForm('node server.js')).toBe(
      `sh -c 'LINEWIRE_FDS=3,4 exec "$@" 3<&0 0</dev/null 4>&1 1>&2' sh node server.js`,
    );
  });

  test('stands so in the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(launcherForm('node server.js'));
  });
});

describe('LINEWIRE_FDS', () => {
  const server = nodeFixture('answering');
  test.each([
    ['3', '', 'it must be two numbers, such as 3,4'],
    ['3,4,5', '', 'it must be two numbers, such as 3,4'],
    ['three,four', '', 'it must be two numbers, such as 3,4'],
    ['', '', 'it must be two numbers, such as 3,4'],
    ['-3,4', '', 'it must be two numbers, such as 3,4'],
    ['0,1', '', 'both numbers must be 3 to 15'],
    ['3,200', '', 'both numbers must be 3 to 15'],
    ['3,3', '3</dev/null', 'the two numbers must differ'],
    ['3,4', '', 'descriptor 3 was not given to this process; start it so: sh -c '],
    ['3,4', '4>/dev/null 3>/dev/null', 'descriptor 3 can only be written'],
    ['4,3', '3<in.jsonl 4<in.jsonl', 'descriptor 3 can only be read'],
  ])('%j with %j is refused with the reason', async (value, redirects, reason) => {
    const { code, stderr, stdout } = await shell(`${server} ${redirects}`, {
      cwd,
      env: { LINEWIRE_FDS: value },
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`TransportError: LINEWIRE_FDS=${JSON.stringify(value)}: ${reason}`);
    expect(stderr).toContain("code: 'LAUNCHER_INVALID'");
  });

  test('that names an end of a pipe whose other end is in this process as well is refused', async () => {
    const { stderr } = await shell(`: | LINEWIRE_FDS=3,4 ${server} 3<&0 4>/proc/self/fd/0`, { cwd });
    expect(stderr).toContain('descriptor 3 was not given to this process');
  });

  test.each(idsUpTo(13).map((fd) => fd + 3))(
    'that was not followed by descriptors is refused, whatever the runtime has at number %i',
    async (fd) => {
      const other = fd === 15 ? 14 : 15;
      const { code, stderr } = await shell(`${server} < /dev/null`, {
        env: { LINEWIRE_FDS: `${fd},${other}` },
      });
      expect(stderr).toContain("code: 'LAUNCHER_INVALID'");
      expect(code).toBe(1);
    },
  );

  test('may name any open descriptors up to 15', async () => {
    const { stdout, stderr } = await shell(
      `LINEWIRE_FDS=9,7 REPORT=1 ${server} 9< in.jsonl 7>&1 1>/dev/null < /dev/null | cat`,
      { cwd },
    );
    expect(answeredIds(stdout)).toEqual(IDS);
    expect(stderr).toContain('"level":"descriptor"');
  });
});
