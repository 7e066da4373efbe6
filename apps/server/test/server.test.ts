import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, launcherForm, type Progress } from '@linewire/mcp';
import { AnswerChecker, answersFromText, type CheckReport, writeMessageFiles } from '@linewire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The real process, by its committed binary: needs a build.

const bin = fileURLToPath(new URL('../bin/linewire-server.js', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-server-'));
  writeMessageFiles(folder);
  writeFileSync(join(folder, 'unended.jsonl'), messages().slice(0, -1));
  writeFileSync(join(folder, 'slow.jsonl'), slowLines(1000, 50));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function messages(): string {
  return readFileSync(join(folder, '1000-messages.jsonl'), 'utf8');
}

const HELLO =
  '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n';
/** `slow` logs, and a legacy client hears everything unless it says so. */
const QUIET = '{"jsonrpc":"2.0","id":"quiet","method":"logging/setLevel","params":{"level":"error"}}\n';

function slowLines(count: number, ms: number): string {
  const call = (id: number): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"slow","arguments":{"ms":${ms}}}}\n`;
  return HELLO + QUIET + Array.from({ length: count }, (_, id) => call(id)).join('');
}

interface Run {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a shell line in the folder of the message files; `$S` is the server. The status is that of the server. */
function shell(line: string, env: Record<string, string> = {}): Run {
  const script = `S="${process.execPath} ${bin}"; ${line}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr: stderr.toString() };
}

function check(answers: Uint8Array, file = '1000-messages'): CheckReport {
  const checker = new AnswerChecker(
    answersFromText(readFileSync(join(folder, `${file}.answers.jsonl`), 'utf8')),
  );
  checker.push(Buffer.from(answers));
  return checker.end();
}

describe('linewire-server answers 1,001 of 1,001 and exits 0', () => {
  it.each([
    ['from cat into a pipe', 'cat 1000-messages.jsonl | $S'],
    ['from a file into a pipe', '$S < 1000-messages.jsonl | cat'],
    ['without a final newline', 'cat unended.jsonl | $S'],
    ['from a file without a final newline', '$S < unended.jsonl'],
    ['with 2>&1 into a pipe', 'cat 1000-messages.jsonl | $S 2>&1 | cat'],
    ['into a file', 'cat 1000-messages.jsonl | $S > out && cat out'],
    ['with 2>&1 into a file', '$S < 1000-messages.jsonl > out2 2>&1 && cat out2'],
    ['with stderr closed', 'cat 1000-messages.jsonl | $S 2>&-'],
    ['in small pieces', 'dd if=1000-messages.jsonl bs=1111 2>/dev/null | $S'],
    ['with CRLF', "sed 's/$/\\r/' 1000-messages.jsonl | $S"],
    [
      'in the launcher form of its help',
      'cat 1000-messages.jsonl | sh -c "$($S --help | sed -n "s/.*-c \'\\(.*\\)\' sh .*/\\1/p")" sh $S',
    ],
    ['into a reader that starts late', 'cat 1000-messages.jsonl | $S | (sleep 3; cat)'],
  ])('%s', (_, line) => {
    const run = shell(line);
    expect(check(run.stdout)).toMatchObject({ ok: true, rightCount: 1001 });
    expect(run).toMatchObject({ status: 0, stderr: '' });
  });

  it('into /dev/null, by its own counter under NODE_DEBUG=linewire', () => {
    const run = shell('cat 1000-messages.jsonl | $S > /dev/null', { NODE_DEBUG: 'linewire' });
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/session ended requests=1001 notifications=1 answers=1001 .*faults=0/);
  });

  it('with noise between the lines: the answers are whole, the noise is on stderr, at most ten lines of it', () => {
    writeFileSync(join(folder, 'noisy.jsonl'), messages().replaceAll('\n', '\nnoise \u001b[31m\n'));
    const run = shell('cat noisy.jsonl | $S');
    expect(check(run.stdout).ok).toBe(true);
    const lines = run.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(/^linewire: JSON_SYNTAX: /);
    expect(lines[10]).toBe('linewire: 992 more reports like these were left out');
    expect(run.stderr).not.toContain('\u001b');
  });

  it('with noise and 2>&1 not one byte but answers comes out', () => {
    const run = shell('(echo noise; cat 1000-messages.jsonl) | $S 2>&1 | cat', { NODE_DEBUG: 'linewire' });
    expect(check(run.stdout).ok).toBe(true);
  });
});

describe('linewire-server', () => {
  it('answers 1,000 modern messages without a handshake', () => {
    const run = shell('cat 1000-modern.jsonl | $S');
    expect(check(run.stdout, '1000-modern')).toMatchObject({ ok: true, rightCount: 1000 });
  });

  it('answers the smoke test, to the letter of tools/list', () => {
    expect(check(shell('cat test.jsonl | $S').stdout, 'test')).toMatchObject({ ok: true, rightCount: 13 });
  });

  it.each(['cat slow.jsonl | $S', '$S < slow.jsonl'])(
    'answers 1,000 calls of 50 ms that come at once: %s',
    (line) => {
      const run = shell(line);
      const answers = run.stdout.toString().trimEnd().split('\n');
      expect(answers.filter((answer) => answer.includes('waited 50 ms'))).toHaveLength(1000);
      expect(new Set(answers.map((answer) => JSON.parse(answer).id)).size).toBe(1002);
      expect(run.status).toBe(0);
    },
  );

  it.each(['< /dev/null', '<&-', '< /dev/null > /dev/null', '< /dev/null 2>&1'])(
    'with nothing to read (%s) says nothing and exits 0',
    (redirects) => {
      const run = shell(`$S ${redirects}`);
      expect({ ...run, stdout: run.stdout.toString() }).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('ends in order when its reader goes away', () => {
    const lines = 'cat 1000-messages.jsonl; sleep 0.3; cat 1000-messages.jsonl';
    const run = shell(`(${lines}) | $S | head -n 1; echo "\${PIPESTATUS[1]}"`);
    expect(run.stdout.toString().split('\n').slice(1)).toEqual(['0', '']);
    expect(run.stderr).toBe('');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s aborts what runs, answers it, and is the exit status',
    async (signal) => {
      const child = spawn(process.execPath, [bin], { stdio: ['pipe', 'pipe', 'inherit'] });
      try {
        let out = '';
        child.stdout.on('data', (bytes: Buffer) => {
          out += bytes.toString();
          // The handshake is answered, so the call behind it runs.
          if (child.killed === false) child.kill(signal);
        });
        const started = performance.now();
        child.stdin.write(slowLines(1, 60_000));
        expect(await exitOf(child)).toEqual({ code: null, signal });
        expect(performance.now() - started).toBeLessThan(5000);
        const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
        expect(last).toEqual({
          jsonrpc: '2.0',
          id: 0,
          error: { code: -32603, message: 'server shutting down' },
        });
      } finally {
        child.kill('SIGKILL');
      }
    },
  );

  it('serves a client: progress, cancel, a tool error, an end in milliseconds', async () => {
    const client = await connect({ command: process.execPath, args: [bin] });
    try {
      const steps: Progress[] = [];
      const result = await client.callTool('slow', { ms: 30 }, { onProgress: (step) => steps.push(step) });
      expect(result.content).toEqual([{ type: 'text', text: 'waited 30 ms' }]);
      expect(steps).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })));
      const controller = new AbortController();
      const cancelled = client.callTool('slow', { ms: 60_000 }, { signal: controller.signal });
      controller.abort();
      await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
      expect(await client.callTool('divide', { a: 1, b: 0 })).toEqual({
        content: [{ type: 'text', text: 'Cannot divide by zero' }],
        isError: true,
      });
      await expect(client.callTool('nope')).rejects.toMatchObject({ code: -32602 });
      expect((await client.listTools()).map((tool) => tool.name)).toEqual([
        'add',
        'multiply',
        'divide',
        'echo',
        'slow',
        'big',
        'ask',
        'fail',
        'count',
      ]);
    } finally {
      const started = performance.now();
      expect((await client.close()).exitCode).toBe(0);
      expect(performance.now() - started).toBeLessThan(1500);
    }
  });

  it('--version tells the version of the package, --help the tools, anything else is a usage error', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(shell('$S --version').stdout.toString()).toBe(`${manifest.version}\n`);
    const help = shell('$S --help').stdout.toString();
    for (const told of ['slow (ms)', 'big (bytes)', 'count', 'linewire://count', 'greet (name)'])
      expect(help).toContain(told);
    expect(help).toContain(`  ${launcherForm('linewire-server')}\n`);
    expect(shell('$S --port 80')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no arguments'),
    });
  });

  it('the source, which is the README example, has at most 80 lines', () => {
    const source = readFileSync(new URL('../src/main.ts', import.meta.url), 'utf8');
    expect(source.split('\n').length - 1).toBeLessThanOrEqual(80);
  });
});

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
}
