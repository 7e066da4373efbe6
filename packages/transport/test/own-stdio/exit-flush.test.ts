import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launcherForm } from '../../src/index.ts';
import { flushSync } from '../../src/own-stdio/exit-flush.ts';
import { nodeFixture, shell } from '../support/shell.ts';

const BYTES = 8 * 1024 * 1024;
const FRAME = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'ü'.repeat(500) } });
const FRAMES = Math.ceil(BYTES / (Buffer.byteLength(FRAME) + 1));

function expectAllFrames(output: string): void {
  const lines = output.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBe(FRAMES);
  expect(lines.every((line) => line === FRAME)).toBe(true);
}

describe('what is queued when the process ends', () => {
  test.each(['now', 'later', 'throw', 'close'])(
    '(%s) arrives whole in a pipe whose reader is late, with every guard and in the launcher form',
    async (how) => {
      const exiting = nodeFixture('exiting', String(BYTES), how);
      for (const commandLine of [
        exiting,
        `GUARD=js ${exiting}`,
        `GUARD=none ${exiting}`,
        launcherForm(exiting),
      ]) {
        const { stdout } = await shell(`${commandLine} < /dev/null | (sleep 0.3; cat)`);
        expectAllFrames(stdout);
      }
    },
  );

  test.each(['now', 'later', 'throw'])(
    '(%s) arrives whole in a reader that takes its time, byte for byte once',
    async (how) => {
      const slow = `node -e '
        const { readSync, writeSync } = require("node:fs");
        const piece = Buffer.alloc(150000);
        const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        for (let n; (n = readSync(0, piece)) > 0; pause()) writeSync(1, piece.subarray(0, n));
      ' > out; cat out; rm out`;
      const folder = mkdtempSync(join(tmpdir(), 'linewire-slow-'));
      try {
        const { stdout } = await shell(
          `${nodeFixture('exiting', String(BYTES), how, '15000')} < /dev/null | { ${slow}; }`,
          { cwd: folder },
        );
        expectAllFrames(stdout);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(['now', 'later', 'throw', 'close'])(
    '(%s) arrives whole in a Node parent that is late, also in the launcher form',
    async (how) => {
      const exiting = nodeFixture('exiting', String(BYTES), how);
      for (const commandLine of [exiting, launcherForm(exiting)]) {
        const child = spawn('sh', ['-c', `exec ${commandLine}`], { stdio: 'pipe' });
        try {
          child.stderr.resume();
          await new Promise((resolve) => setTimeout(resolve, 300));
          let output = '';
          child.stdout.setEncoding('utf8').on('data', (text) => {
            output += text;
          });
          const code = await new Promise((resolve) => child.on('close', resolve));
          expect(code).toBe(how === 'throw' ? 1 : 7);
          expectAllFrames(output);
        } finally {
          child.kill('SIGKILL');
        }
      }
    },
  );

  test('arrives whole in a file', async () => {
    const { stdout } = await shell(
      `f=$(mktemp); ${nodeFixture('exiting', String(BYTES), 'now')} > $f; cat $f; rm $f`,
    );
    expectAllFrames(stdout);
  });

  test.each(['now', 'close'])('(%s) is given up after exitFlushMs when nobody reads', async (how) => {
    const child = nodeFixture('exiting', String(BYTES), how, '400');
    const { stderr } = await shell(
      `t=$(date +%s%N); (${child}; echo $((($(date +%s%N) - t) / 1000000)) >&2) | sleep 2`,
    );
    expect(Number(stderr)).toBeGreaterThanOrEqual(400);
    expect(Number(stderr)).toBeLessThan(1900);
  });
});

describe('flushSync', () => {
  test('writes every chunk in order and says that nothing is left', () => {
    const folder = mkdtempSync(join(tmpdir(), 'linewire-flush-'));
    try {
      const file = openSync(join(folder, 'out'), 'w');
      expect(flushSync(file, [Buffer.from('one '), Buffer.alloc(0), Buffer.from('two')], 10)).toBe(0);
      closeSync(file);
      expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('one two');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('says how many bytes are left when the descriptor is broken', () => {
    expect(flushSync(1_000_000, [Buffer.from('one'), Buffer.from('two')], 10)).toBe(6);
  });
});
