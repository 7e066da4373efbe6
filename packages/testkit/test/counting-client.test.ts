import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  answersFromList,
  type CallStream,
  callStreamAnswers,
  callStreamChunks,
  fixturePath,
  runCountingClient,
  smokeAnswers,
  smokeLines,
} from '../src/index.ts';

const bareLoop = fileURLToPath(new URL('../peers/bare-loop.mjs', import.meta.url));
const node = process.execPath;
const nothing = answersFromList([]);

describe('the counting client', () => {
  it.each<[string, CallStream]>([
    ['a legacy stream', { era: 'legacy', mix: 'mixed', callCount: 1000 }],
    ['a modern stream', { era: 'modern', mix: 'mixed', callCount: 1000 }],
    ['more lines than all pipes can hold', { era: 'legacy', mix: 'plain', callCount: 30_000 }],
  ])('gets every answer of %s from the bare loop', async (_, stream) => {
    const report = await runCountingClient({
      command: node,
      args: [bareLoop],
      input: callStreamChunks(stream),
      expected: callStreamAnswers(stream),
    });
    expect(report.mismatches).toEqual([]);
    expect(report).toMatchObject({ ok: true, exitCode: 0, timedOut: false, stderrTail: '' });
    expect(report.rightCount).toBe(callStreamAnswers(stream).count);
  });

  it('gets every answer of the smoke test from the bare loop', async () => {
    const report = await runCountingClient({
      command: node,
      args: [bareLoop],
      input: [Buffer.from(smokeLines().join(''))],
      expected: smokeAnswers(),
    });
    expect(report.mismatches).toEqual([]);
    expect(report).toMatchObject({ ok: true, exitCode: 0 });
  });

  it('feeds a file', async () => {
    const report = await runCountingClient({
      command: 'cat',
      input: fixturePath('i11-response-shapes.jsonl'),
      expected: nothing,
    });
    expect(report.byteCount).toBe(readFileSync(fixturePath('i11-response-shapes.jsonl')).length);
    expect(report.ok).toBe(false);
  });

  it('tells the exit code, the stderr and what is missing of a command that dies in the middle', async () => {
    const stream: CallStream = { era: 'legacy', mix: 'plain', callCount: 50_000 };
    const report = await runCountingClient({
      command: node,
      args: [fixturePath('p03')],
      input: callStreamChunks(stream),
      expected: callStreamAnswers(stream),
    });
    expect(report).toMatchObject({
      ok: false,
      exitCode: 3,
      rightCount: 0,
      missingCount: 50_001,
      timedOut: false,
    });
    expect(report.stderrTail).toContain('out of luck');
    expect(report.mismatches).toMatchObject([{ what: 'no-final-newline' }]);
  });

  it('kills a command that never reads and never ends, at the time-out', async () => {
    const stream: CallStream = { era: 'legacy', mix: 'plain', callCount: 50_000 };
    const report = await runCountingClient({
      command: node,
      args: [fixturePath('p05'), '60000'],
      input: callStreamChunks(stream),
      expected: callStreamAnswers(stream),
      timeoutMs: 500,
    });
    expect(report).toMatchObject({ ok: false, timedOut: true, signal: 'SIGKILL', lineCount: 0 });
  });

  it('throws when there is no such command', async () => {
    await expect(
      runCountingClient({ command: join('no', 'such', 'command'), expected: nothing }),
    ).rejects.toThrow('ENOENT');
  });

  it('measures what the command used', async () => {
    const { usage } = await runCountingClient({ command: node, args: ['-e', '0'], expected: nothing });
    expect(usage.wallMs).toBeGreaterThan(5);
    if (usage.method === 'poll') expect(usage.peakRssBytes).toBeGreaterThan(10 << 20);
  });
});
