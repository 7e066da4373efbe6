import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answersFromText, callStreamAnswers, writeCallFile, writeMessageFiles } from '../src/index.ts';

let folder: string;
let paths: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-messages-'));
  paths = writeMessageFiles(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const linesOf = (name: string): string[] => read(name).trimEnd().split('\n');
const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('the message files', () => {
  it('are three, each beside its answers', () => {
    expect(paths.map((path) => basename(path))).toEqual([
      '1000-messages.jsonl',
      '1000-messages.answers.jsonl',
      '1000-modern.jsonl',
      '1000-modern.answers.jsonl',
      'test.jsonl',
      'test.answers.jsonl',
    ]);
  });

  it('come out the same on every run', () => {
    const before = paths.map(digest);
    expect(writeMessageFiles(folder).map(digest)).toEqual(before);
  });

  it('1000-messages: handshake, 1,000 calls, 1,001 answers of which a third are failures', () => {
    const lines = linesOf('1000-messages.jsonl').map((line) => JSON.parse(line) as { method: string });
    expect(lines.map((line) => line.method)).toEqual([
      'initialize',
      'notifications/initialized',
      ...Array(1000).fill('tools/call'),
    ]);
    const answers = linesOf('1000-messages.answers.jsonl').map(
      (line) => JSON.parse(line) as { error?: unknown; result?: { isError?: boolean } },
    );
    expect(answers).toHaveLength(1001);
    expect(answers.filter((answer) => answer.error !== undefined || answer.result?.isError)).toHaveLength(
      333,
    );
  });

  it('1000-modern: the same calls, each in its own envelope, without handshake', () => {
    interface Line {
      method: string;
      params: { _meta: Record<string, unknown>; name: unknown; arguments: unknown };
    }
    const modern = linesOf('1000-modern.jsonl').map((line) => JSON.parse(line) as Line);
    const legacy = linesOf('1000-messages.jsonl')
      .slice(2)
      .map((line) => JSON.parse(line) as Line);
    expect(modern).toHaveLength(1000);
    for (const [n, line] of modern.entries()) {
      const { _meta, ...params } = line.params;
      expect(params).toEqual(legacy[n]?.params);
      expect(_meta['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28');
      expect(_meta['io.modelcontextprotocol/clientCapabilities']).toEqual({});
    }
    expect(linesOf('1000-modern.answers.jsonl')).toHaveLength(1000);
  });

  it('test: has a blank line, a notification nobody knows, and an answer for every request', () => {
    const lines = read('test.jsonl').split('\n').slice(0, -1);
    expect(lines).toContain('');
    const messages = lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: string | number });
    const asked = messages.map((message) => message.id).filter((id) => id !== undefined);
    const answers = answersFromText(read('test.answers.jsonl'));
    expect(answers.count).toBe(asked.length);
    for (const id of asked) expect(answers.indexOf(id)).toBeGreaterThanOrEqual(0);
  });
});

describe('a call file of any length', () => {
  it('begins with the same calls as the thousand', () => {
    const { path, byteCount } = writeCallFile({ era: 'legacy', mix: 'mixed', callCount: 3000 }, folder);
    const bytes = readFileSync(path, 'utf8');
    expect(Buffer.byteLength(bytes)).toBe(byteCount);
    expect(bytes.startsWith(read('1000-messages.jsonl'))).toBe(true);
    expect(bytes.trimEnd().split('\n')).toHaveLength(3002);
  });

  it('has answers that know their place by id alone', () => {
    const answers = callStreamAnswers({ era: 'legacy', mix: 'plain', callCount: 1_000_000 });
    expect(answers.count).toBe(1_000_001);
    for (const id of [0, 1, 999_999, 1_000_000]) expect(answers.answerAt(answers.indexOf(id)).id).toBe(id);
    for (const id of [-1, 1_000_001, 1.5, '1']) expect(answers.indexOf(id)).toBe(-1);
    const modern = callStreamAnswers({ era: 'modern', mix: 'plain', callCount: 10 });
    expect([modern.count, modern.indexOf(0), modern.indexOf(1), modern.answerAt(9).id]).toEqual([
      10, -1, 0, 10,
    ]);
  });
});
