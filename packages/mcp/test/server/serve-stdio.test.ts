import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The rules of the process, with real processes: needs a build.

const program = fileURLToPath(new URL('../fixtures/process-server.mjs', import.meta.url));
const limitMs = 20_000;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-process-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HELLO =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n';
const call = (id: number, name: string, args: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;
const calls = (count: number, name: string, args: object = {}): string =>
  HELLO + Array.from({ length: count }, (_, id) => call(id, name, args)).join('');

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of bash in the folder with the input in `in.jsonl`; `$S` is the server. */
function shell(line: string, input: string, env: Record<string, string> = {}): Run {
  writeFileSync(join(folder, 'in.jsonl'), input);
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', `S="${process.execPath} ${program}"; ${line}`],
    {
      cwd: folder,
      env: { ...process.env, ...env },
      timeout: limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

/** Every line as a message; throws at a torn one. */
function messages(text: string): { id: unknown; error?: { code: number; message: string } }[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no newline');
  return lines.map((line) => JSON.parse(line));
}

describe('the end of input of a process', () => {
  it('lets what is parked run, and ends with 0', () => {
    const run = shell('$S < in.jsonl', calls(50, 'sleep', { ms: 5 }), { OPTIONS: '{"maxInFlight":1}' });
    expect(messages(run.stdout)).toHaveLength(51);
    expect(messages(run.stdout).every((message) => message.error === undefined)).toBe(true);
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  it('gives a handler that never settles its time after the last answer, answers for it, and ends with 0', () => {
    const input = calls(3, 'sleep', { ms: 100 }) + call(9, 'stuck');
    const run = shell('cat in.jsonl | $S', input, { OPTIONS: '{"drainTimeoutMs":300}' });
    const answers = messages(run.stdout);
    expect(answers).toHaveLength(5);
    expect(answers.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 9,
      error: { code: -32603, message: 'server shutting down' },
    });
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  it('waits for a reader that is slower than any time of ours, and loses no answer', () => {
    const run = shell('$S < in.jsonl | (sleep 2; cat)', calls(1000, 'big'), {
      OPTIONS: '{"drainTimeoutMs":100,"exitFlushMs":100}',
    });
    expect(messages(run.stdout)).toHaveLength(1001);
    expect(run.status).toBe(0);
  });

  it.each(['<&-', '< /dev/null', '< /dev/null >&-', '<&- >&- 2>&-', '<&- >&-'])(
    'that comes at once (%s) ends with 0',
    (redirects) => {
      expect(shell(`$S ${redirects}`, '')).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('with stdout closed everything is answered to nobody, and it ends with 0', () => {
    expect(shell('cat in.jsonl | $S >&-', calls(100, 'big'))).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('a signal to a process', () => {
  it('SIGTERM ends a program that listens to it itself and goes on', async () => {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
    const deadline = setTimeout(() => child.kill('SIGKILL'), limitMs);
    try {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        out += text;
        if (out.includes('listening')) child.kill('SIGTERM');
      });
      child.stdin.write(HELLO + call(1, 'listen'));
      const end = await new Promise((resolve) => child.on('close', (code, by) => resolve([code, by])));
      expect(end).toEqual([143, null]);
    } finally {
      clearTimeout(deadline);
      child.kill('SIGKILL');
    }
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s: a handler that does not listen is answered for at once and given 1 s; then the signal is the exit status',
    async (signal) => {
      const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
      const deadline = setTimeout(() => child.kill('SIGKILL'), limitMs);
      try {
        let out = '';
        let signalledAt = 0;
        child.stdout.setEncoding('utf8').on('data', (text) => {
          out += text;
          if (signalledAt > 0 || !out.includes('\n')) return;
          signalledAt = performance.now();
          child.kill(signal);
        });
        child.stdin.write(HELLO + call(1, 'stuck'));
        const end = await new Promise((resolve) => child.on('close', (code, by) => resolve([code, by])));
        expect(end).toEqual([null, signal]);
        expect(performance.now() - signalledAt).toBeGreaterThan(900);
        expect(messages(out).at(-1)).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32603, message: 'server shutting down' },
        });
      } finally {
        clearTimeout(deadline);
        child.kill('SIGKILL');
      }
    },
  );
});

describe('a reader that goes away', () => {
  it('ends the process in order with 0, though its stdin stays open', () => {
    const run = shell(
      `{ cat in.jsonl; while sleep 0.05; do echo '{"jsonrpc":"2.0","id":"p","method":"ping"}'; done; } 2> /dev/null | { $S; echo "status $?" >&2; } | head -n 1`,
      calls(500, 'big'),
    );
    expect(messages(run.stdout)).toHaveLength(1);
    expect(run.stderr).toBe('status 0\n');
  });
});

describe('a stdout that has no room', () => {
  const canMount =
    spawnSync('sh', ['-c', 'unshare -m mount -t tmpfs -o size=64k tmpfs "$0"', tmpdir()]).status === 0;
  if (!canMount) process.stderr.write('\nSKIPPED: the test of a full file system may not mount one\n\n');

  it.each([
    ['/dev/full', '$S < in.jsonl > /dev/full', 'ENOSPC'],
    ['a file beyond ulimit -f', '(ulimit -f 16; $S < in.jsonl > out)', 'EFBIG'],
  ])('%s is told in one line, and the status is 1', (_, line, errno) => {
    const run = shell(line, calls(100, 'big'));
    expect(run.stderr).toMatch(new RegExp(`^linewire: writing failed: ${errno}[^\n]*\n$`));
    expect(run.status).toBe(1);
  });

  it.skipIf(!canMount)(
    'a full file system is told in one line, the status is 1, and what went in stays',
    () => {
      const run = shell(
        `mkdir -p full; unshare -m bash -c 'mount -t tmpfs -o size=64k tmpfs full && { '"$S"' < in.jsonl > full/out; echo "status $?"; cat full/out; }'`,
        calls(100, 'big'),
      );
      expect(run.stderr).toMatch(/^linewire: writing failed: ENOSPC[^\n]*\n$/);
      const [status, hello, first] = run.stdout.split('\n');
      expect(status).toBe('status 1');
      expect(JSON.parse(hello ?? '')).toMatchObject({ id: 'hello' });
      expect(JSON.parse(first ?? '')).toMatchObject({ id: 0 });
    },
  );
});

describe('an exit behind the back of the server', () => {
  it.each([
    '$S < in.jsonl | cat',
    '$S < in.jsonl > out; R=$?; cat out; (exit $R)',
    '$S < in.jsonl | (sleep 0.5; cat)',
  ])('loses no answer that was given before: %s', (line) => {
    const run = shell(line, calls(1500, 'big') + call(9999, 'exit'));
    expect(messages(run.stdout)).toHaveLength(1501);
    expect(run.status).toBe(3);
  });
});

describe('a launcher that gives no descriptors', () => {
  it('is told so in one line, and the status is 1', () => {
    const run = shell('$S < in.jsonl', '', { LINEWIRE_FDS: '3,4' });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^linewire: LINEWIRE_FDS="3,4": descriptor 3 was not given[^\n]*\n$/);
  });
});

describe('errors that a handler lets escape', () => {
  /** The second call keeps the process going until they have come. */
  const input = HELLO + call(1, 'careless') + call(2, 'sleep', { ms: 300 });

  it('are told on stderr, and the other calls are answered', () => {
    const run = shell('$S < in.jsonl', input);
    expect(run.status).toBe(0);
    expect(messages(run.stdout).map((message) => message.id)).toEqual(['hello', 1, 2]);
    for (const text of ['nobody awaits this', 'thrown in a timer', 'undefined'])
      expect(run.stderr).toMatch(new RegExp(`linewire: uncaught: .*${text}`));
  });

  it('end the process if uncaught is exit', () => {
    const run = shell('$S < in.jsonl', input, { OPTIONS: '{"uncaught":"exit"}' });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain('nobody awaits this');
  });

  it('an unknown value of uncaught is refused', () => {
    const run = shell('$S < in.jsonl', input, { OPTIONS: '{"uncaught":"ignore"}' });
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("uncaught must be 'report' or 'exit', not ignore");
  });
});

it('over real pipes, a ping and a cancel behind slow synchronous calls are heard before those are done', async () => {
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const ids: unknown[] = [];
    let rest = '';
    const done = new Promise<void>((resolve) => {
      server.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) ids.push(JSON.parse(line).id);
        if (ids.length === 41) resolve();
      });
    });
    const behind = '{"jsonrpc":"2.0","id":"ping","method":"ping"}\n';
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":39}}\n';
    // One write: the ping and the cancel are read together with the calls.
    server.stdin.write(calls(40, 'busy', { ms: 15 }) + behind + cancel);
    await done;
    expect(ids).not.toContain(39);
    expect(ids.indexOf('ping')).toBeLessThan(20);
    server.stdin.end();
    await new Promise((resolve) => server.once('exit', resolve));
  } finally {
    server.kill('SIGKILL');
  }
});
