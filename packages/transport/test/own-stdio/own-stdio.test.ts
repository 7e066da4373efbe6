import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answeredIds, fixtureFile, idsUpTo, nodeFixture, requestLines, shell } from '../support/shell.ts';

const COUNT = 1500;
const IDS = idsUpTo(COUNT);
const server = nodeFixture('answering');
const report = { REPORT: '1' };

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'linewire-stdio-'));
  writeFileSync(join(cwd, 'in.jsonl'), requestLines(COUNT));
  writeFileSync(join(cwd, 'unterminated.jsonl'), requestLines(COUNT).trimEnd());
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function lastReport(stderr: string): {
  kind: string;
  code?: string;
  level: string;
  stats: Record<string, number>;
} {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
}

describe('own stdin', () => {
  test.each([
    ['a pipe', `cat in.jsonl | ${server}`],
    ['a slow pipe', `(head -c 70000 in.jsonl; sleep 0.1; tail -c +70001 in.jsonl) | ${server}`],
    ['a file', `${server} < in.jsonl`],
    ['a file without final newline', `${server} < unterminated.jsonl`],
    ['a pipe without final newline', `cat unterminated.jsonl | ${server}`],
  ])('that is %s is read to its end and every request is answered', async (_, commandLine) => {
    const { code, stdout, stderr } = await shell(commandLine, { cwd });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(answeredIds(stdout)).toEqual(IDS);
  });

  test('that is a socket from a Node parent is read to its end and every request is answered', async () => {
    const { code, stdout } = await shell(`exec ${server}`, { cwd, input: requestLines(COUNT) });
    expect(code).toBe(0);
    expect(answeredIds(stdout)).toEqual(IDS);
  });

  test.each([
    ['/dev/null', `${server} < /dev/null`],
    ['closed', `${server} 0<&-`],
    ['an empty file', `: > empty; ${server} < empty`],
    ['an empty pipe', `: | ${server}`],
  ])('that is %s ends at once, in order', async (_, commandLine) => {
    const { code, stdout, stderr } = await shell(commandLine, { cwd, env: report });
    expect([code, stdout]).toEqual([0, '']);
    expect(lastReport(stderr)).toMatchObject({
      kind: 'eof',
      level: 'js',
      stats: { framesIn: 0, framesOut: 0 },
    });
  });

  test('that is a file is read from where the shell had come to', async () => {
    const { stdout } = await shell(`{ read first; read second; ${server}; } < in.jsonl`, { cwd });
    expect(answeredIds(stdout)).toEqual(IDS.slice(2));
  });

  test.each([
    ['a pipe', `cat in.jsonl | ${nodeFixture('pausing')}`],
    [
      'a slow pipe',
      `(for i in 1 2 3; do head -c 30000; sleep 0.02; done; cat) < in.jsonl | ${nodeFixture('pausing')}`,
    ],
    ['a file', `${nodeFixture('pausing')} < in.jsonl`],
    ['a pipe that other code was reading', `cat in.jsonl | ${nodeFixture('pausing', 'adopted')}`],
  ])(
    'that is %s gives every frame once, in order, to an owner that pauses and takes frames in pieces',
    async (_, commandLine) => {
      const { code, stdout, stderr } = await shell(commandLine, { cwd });
      expect([code, stderr]).toEqual([0, '']);
      expect(answeredIds(stdout)).toEqual(IDS);
    },
  );

  test('that cannot be read is an error, not an end', async () => {
    const { code, stderr } = await shell(`${server} < .`, { cwd, env: report });
    expect(code).toBe(0);
    expect(lastReport(stderr)).toMatchObject({ kind: 'error', code: 'READ_FAILED' });
  });
});

describe('own stdout', () => {
  test.each([
    ['a pipe', `${server} < in.jsonl | cat > out`],
    ['a file', `${server} < in.jsonl > out`],
    ['a file with stderr in it', `${server} < in.jsonl > out 2>&1`],
    ['a pipe with stderr in it', `${server} < in.jsonl 2>&1 | cat > out`],
    ['a slow pipe', `${server} < in.jsonl | (sleep 0.2; cat) > out`],
  ])('that is %s gets every answer whole', async (_, commandLine) => {
    const { code, stderr } = await shell(commandLine, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(answeredIds(readFileSync(join(cwd, 'out'), 'utf8'))).toEqual(IDS);
  });

  test('that is a file keeps what stands before and after it', async () => {
    await shell(`echo 100 > out; { ${server}; echo 200; } < in.jsonl >> out`, { cwd });
    const lines = readFileSync(join(cwd, 'out'), 'utf8').trimEnd().split('\n');
    expect([lines.length, lines.at(0), lines.at(-1)]).toEqual([COUNT + 2, '100', '200']);
  });

  test('that is a file shared with other writers is written at the common position', async () => {
    await shell(`{ echo 100; ${server} < in.jsonl; echo 200; } > out`, { cwd });
    const lines = readFileSync(join(cwd, 'out'), 'utf8').trimEnd().split('\n');
    expect([lines.length, lines.at(0), lines.at(-1)]).toEqual([COUNT + 2, '100', '200']);
  });

  test('that is /dev/null or closed takes every answer', async () => {
    for (const target of ['>/dev/null', '1>&-']) {
      const { code, stderr } = await shell(`${server} < in.jsonl ${target}`, { cwd, env: report });
      expect(code).toBe(0);
      expect(lastReport(stderr)).toMatchObject({ kind: 'eof', stats: { framesOut: COUNT, droppedBytes: 0 } });
    }
  });

  test('that nobody reads any more ends the duplex in order, once, without a crash', async () => {
    const many = `for i in 1 2 3 4 5 6 7 8; do cat in.jsonl; sleep 0.02; done`;
    const { stdout, stderr } = await shell(`(${many}) | ${server} | head -c 10`, { cwd, env: report });
    expect(stdout).toHaveLength(10);
    expect(lastReport(stderr)).toMatchObject({ kind: 'peer-closed', code: 'PEER_CLOSED' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('that is read late makes send() take no more, is never waited for, and gets everything', async () => {
    const { stdout, stderr } = await shell(`${nodeFixture('stalling')} < /dev/null | (sleep 0.5; cat)`);
    expect(answeredIds(stdout)).toEqual(idsUpTo(3000));
    const { peakBytes, lateMs, stalls } = JSON.parse(stderr) as Record<
      'peakBytes' | 'lateMs' | 'stalls',
      number
    >;
    expect(peakBytes).toBeGreaterThan(300_000);
    expect(peakBytes).toBeLessThan(300_000 + 1100);
    expect(stalls).toBeGreaterThan(0);
    expect(lateMs).toBeLessThan(400);
  });

  test('that is still full of earlier noise gets the frames behind it', async () => {
    const { stdout } = await shell(`${nodeFixture('early-noise')} < /dev/null | (sleep 0.3; cat)`);
    const noise = stdout.indexOf('\n');
    expect(noise).toBe(1_000_000);
    expect(answeredIds(stdout.slice(noise + 1))).toEqual(idsUpTo(3000));
  });

  test('that is still full of earlier noise when the process exits gets every frame whole, on a line of its own', async () => {
    const { stdout } = await shell(`${nodeFixture('early-noise', 'exit')} < /dev/null | (sleep 0.3; cat)`);
    const noise = stdout.indexOf('\n');
    expect(stdout.slice(0, noise)).toMatch(/^n+$/);
    expect(answeredIds(stdout.slice(noise + 1))).toEqual(idsUpTo(3000));
  });

  test('that is full is a write failure, not a peer that left', async () => {
    const { code, stderr } = await shell(`${server} < in.jsonl > /dev/full`, { cwd, env: report });
    expect(code).toBe(0);
    expect(lastReport(stderr)).toMatchObject({ kind: 'error', code: 'WRITE_FAILED' });
  });
});

describe('own stdin and stdout that are one socket', () => {
  test.each([
    ['TCP', { port: 0, host: '127.0.0.1' }],
    ['Unix', { path: 'socket' }],
  ])('(%s) are read and written as two', async (_, address) => {
    const listening = createServer({ pauseOnConnect: true, allowHalfOpen: true });
    let child: ChildProcess | undefined;
    try {
      const at = 'path' in address ? { path: join(cwd, address.path) } : address;
      await new Promise<void>((resolve) => listening.listen(at, resolve));
      const served = new Promise<number | null>((resolve) => {
        listening.on('connection', (socket) => {
          child = spawn(process.execPath, [fixtureFile('answering')], { stdio: [socket, socket, 'inherit'] });
          child.on('exit', resolve);
          socket.destroy();
        });
      });
      const bound = listening.address();
      const to: NetConnectOpts = typeof bound === 'string' ? { path: bound } : { port: bound?.port ?? 0 };
      const client = connect({ ...to, allowHalfOpen: true });
      let output = '';
      client.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
      client.end(requestLines(COUNT));
      expect(await served).toBe(0);
      await new Promise((resolve) => (client.readableEnded ? resolve(undefined) : client.on('end', resolve)));
      expect(answeredIds(output)).toEqual(IDS);
    } finally {
      child?.kill('SIGKILL');
      listening.close();
    }
  });
});

describe('wrong use of own stdio', () => {
  test('is refused with a code that says what was wrong, and leaves no guard behind', async () => {
    const { stdout, stderr } = await shell(nodeFixture('misusing'));
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      range: 'OPTION_RANGE',
      reader: 'OPTION_RANGE',
      levelAfterRefusal: 'none',
      'second open': 'STDIO_IN_USE',
      'second start': 'ALREADY_STARTED',
      'two frames': 'SEND_NOT_ONE_FRAME',
      sameClose: true,
      'after close': 'SEND_AFTER_CLOSE',
      reason: 'closed',
      levelAfterRelease: 'none',
    });
    expect(stderr).toContain('still guarded');
    expect(stdout).toBe('free again\n');
  });
});

describe('NODE_DEBUG=linewire', () => {
  test('tells one line with the counters when own stdio closes', async () => {
    const { stderr } = await shell(`${server} < in.jsonl > /dev/null`, {
      cwd,
      env: { NODE_DEBUG: 'linewire' },
    });
    const [line, ...more] = stderr.trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(line).toMatch(
      new RegExp(
        `LINEWIRE \\d+: own stdio closed kind=eof framesIn=${COUNT} framesOut=${COUNT} bytesIn=\\d+ bytesOut=\\d+ faults=0`,
      ),
    );
  });

  test('says nothing where stderr is the wire', async () => {
    const { stdout } = await shell(`${server} < in.jsonl 2>&1 | cat`, {
      cwd,
      env: { NODE_DEBUG: 'linewire' },
    });
    expect(answeredIds(stdout)).toEqual(IDS);
  });
});
