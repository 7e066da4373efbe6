import { execFileSync, execSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCountingClient, smokeAnswers, smokeLines, writeMessageFiles } from '../src/index.ts';

const bareLoop = fileURLToPath(new URL('../peers/bare-loop.mjs', import.meta.url));
const node = process.execPath;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-bare-loop-'));
  writeMessageFiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');

describe('the bare loop', () => {
  it.each(['1000-messages', '1000-modern'])('answers %s to the byte, from a pipe and from a file', (name) => {
    const answers = read(`${name}.answers.jsonl`);
    expect(execSync(`cat '${path(`${name}.jsonl`)}' | '${node}' '${bareLoop}'`, { encoding: 'utf8' })).toBe(
      answers,
    );
    const file = openSync(path(`${name}.jsonl`), 'r');
    try {
      expect(execFileSync(node, [bareLoop], { stdio: [file, 'pipe', 'inherit'], encoding: 'utf8' })).toBe(
        answers,
      );
    } finally {
      closeSync(file);
    }
  });

  it('answers a last line without newline', () => {
    writeFileSync(path('cut.jsonl'), read('1000-messages.jsonl').trimEnd());
    expect(execSync(`cat '${path('cut.jsonl')}' | '${node}' '${bareLoop}'`, { encoding: 'utf8' })).toBe(
      read('1000-messages.answers.jsonl'),
    );
  });

  it('answers the same when its input comes in pieces of seven bytes', async () => {
    const bytes = Buffer.from(smokeLines().join(''));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) =>
      bytes.subarray(n * 7, n * 7 + 7),
    );
    const report = await runCountingClient({
      command: node,
      args: [bareLoop],
      input: slowly(pieces),
      expected: smokeAnswers(),
    });
    expect(report.mismatches).toEqual([]);
    expect(report.ok).toBe(true);
  });

  it('drops what is no message and goes on', () => {
    const input =
      'noise\n42\nnull\n[]\n{"jsonrpc":"2.0","method":"ping"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":"a","method":"ping"}\n';
    expect(execFileSync(node, [bareLoop], { input, encoding: 'utf8' })).toBe(
      '{"jsonrpc":"2.0","id":"a","result":{}}\n',
    );
  });

  it('exits at once on an empty input and on /dev/null', () => {
    expect(execFileSync(node, [bareLoop], { input: '', encoding: 'utf8' })).toBe('');
    expect(execSync(`'${node}' '${bareLoop}' < /dev/null`, { encoding: 'utf8' })).toBe('');
  });
});

async function* slowly(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield piece;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
