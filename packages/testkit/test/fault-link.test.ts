import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Fault, type FaultChildPlan, faultChildArgs, faultLink, seededFaults } from '../src/index.ts';

/** Writes ten bytes from left to right over a link with faults, ends, and tells what came out of it. */
async function send(toRight: readonly Fault[]) {
  const { left, right } = faultLink({ toRight });
  const chunks: string[] = [];
  const errors: string[] = [];
  right.on('data', (bytes: Buffer) => chunks.push(bytes.toString('latin1')));
  left.resume();
  const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? '';
  const ended = new Promise<string>((resolve) => {
    right.on('end', () => resolve('end'));
    right.on('error', (error) => resolve(`error ${codeOf(error)}`));
  });
  left.on('error', (error) => errors.push(codeOf(error)));
  left.end('0123456789');
  const timer = setTimeout(() => right.destroy(Object.assign(new Error(), { code: 'STILL OPEN' })), 200);
  const how = await ended;
  clearTimeout(timer);
  await new Promise((resolve) => setImmediate(resolve));
  left.destroy();
  right.destroy();
  return { chunks, how, errors };
}

describe('a fault link', () => {
  it('without faults is a pipe', async () => {
    expect(await send([])).toEqual({ chunks: ['0123456789'], how: 'end', errors: [] });
  });

  it.each<[string, Fault[], string[], string, string[]]>([
    [
      'cuts',
      [
        { kind: 'cut', at: 7 },
        { kind: 'cut', at: 2 },
      ],
      ['01', '23456', '789'],
      'end',
      [],
    ],
    [
      'waits',
      [
        { kind: 'wait', at: 3, turns: 3 },
        { kind: 'delay', at: 10, ms: 2 },
      ],
      ['012', '3456789'],
      'end',
      [],
    ],
    [
      'puts garbage in',
      [{ kind: 'garbage', at: 5, bytes: '\u00ff!' }],
      ['01234', '\u00ff!', '56789'],
      'end',
      [],
    ],
    ['gets stuck', [{ kind: 'stuck', at: 4 }], ['0123'], 'error STILL OPEN', ['EPIPE']],
    ['ends early', [{ kind: 'end', at: 4 }], ['0123'], 'end', []],
    ['breaks', [{ kind: 'break', at: 4, code: 'EPIPE' }], ['0123'], 'end', ['EPIPE']],
    ['dies', [{ kind: 'die', at: 4 }], ['0123'], 'error ECONNRESET', ['ECONNRESET']],
  ])('%s at exactly the byte it was told', async (_, faults, chunks, how, errors) => {
    expect(await send(faults)).toEqual({ chunks, how, errors });
  });

  it('makes its sender wait for a receiver that does not read', async () => {
    const { left, right } = faultLink();
    let written = 0;
    const write = (): void => {
      left.write(Buffer.alloc(10_000), () => {
        written += 10_000;
        write();
      });
    };
    write();
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(100_000);
    for (const end of [left, right] as Duplex[]) end.on('error', () => {}).destroy();
  });

  it('gets the same faults from the same seed', () => {
    expect(seededFaults(7, 1000, 20)).toEqual(seededFaults(7, 1000, 20));
    expect(seededFaults(7, 1000, 20)).not.toEqual(seededFaults(8, 1000, 20));
    expect(seededFaults(1, 10, 30, ['cut']).every(({ kind, at }) => kind === 'cut' && at <= 10)).toBe(true);
  });
});

/** Runs a fault child with some input, and tells how it ended. */
async function run(plan: FaultChildPlan, input: string) {
  const child = spawn(process.execPath, faultChildArgs(plan), { stdio: 'pipe' });
  try {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.stdin.on('error', () => {}).end(input);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on('close', (...how) => resolve(how)),
    );
    return { stdout, stderr, code, signal };
  } finally {
    child.kill('SIGKILL');
  }
}

describe('a fault child', () => {
  it('sends everything back and exits at the end of its input', async () => {
    expect(await run({}, 'hello')).toEqual({ stdout: 'hello', stderr: '', code: 0, signal: null });
  });

  it('dies at exactly the byte it was told, by a signal or with a code', async () => {
    expect(await run({ dieAtByte: 3 }, 'hello')).toMatchObject({ stdout: 'hel', signal: 'SIGKILL' });
    expect(await run({ dieAtByte: 5, exitCode: 7, greeting: 'hi ' }, 'hello')).toMatchObject({
      stdout: 'hi he',
      code: 7,
    });
  });

  it('floods stderr, and reads slowly', async () => {
    const { stdout, stderr } = await run(
      { stderr: 'first\n', stderrBytes: 200_000, readDelayMs: 1 },
      'hello',
    );
    expect(stdout).toBe('hello');
    expect(stderr).toHaveLength(200_006);
  });

  it('outlives SIGTERM and the end of its input, when it is told to', async () => {
    const child = spawn(process.execPath, faultChildArgs({ ignoresSignals: true, greeting: 'up' }), {
      stdio: 'pipe',
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end('more');
    const answered = new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(String(await answered)).toBe('more');
    child.kill('SIGKILL');
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.on('exit', (...how) => resolve(how)),
    );
    expect([code, signal]).toEqual([null, 'SIGKILL']);
  });

  it('leaves a grandchild behind, in a session of its own when it is told to', async () => {
    for (const grandchild of ['group', 'setsid'] as const) {
      const child = spawn(process.execPath, faultChildArgs({ grandchild }), {
        stdio: 'pipe',
        detached: true,
      });
      const pid = Number(await new Promise((resolve) => child.stderr.once('data', resolve)));
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
        await new Promise((resolve) => child.on('exit', resolve));
        const isAlive = await exists(pid);
        expect(isAlive).toBe(grandchild === 'setsid');
      } finally {
        if (grandchild === 'setsid') process.kill(pid, 'SIGKILL');
        child.stdout.destroy();
        child.stderr.destroy();
        child.stdin.destroy();
      }
    }
  });
});

/** Polls for a while, since a signal needs a moment; a zombie does not count. */
async function exists(pid: number): Promise<boolean> {
  const { readFileSync } = await import('node:fs');
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
    } catch {
      return false;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}
