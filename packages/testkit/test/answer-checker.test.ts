import { describe, expect, it } from 'vitest';
import {
  AnswerChecker,
  answersFromList,
  type CheckMode,
  type CheckReport,
  LineSplitter,
  type RpcAnswer,
} from '../src/index.ts';

const text = (id: number | string, value: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: value }] },
});
const toolError = (id: number, value: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: value }], isError: true },
});
const rpcError = (id: number, message: string): RpcAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32602, message },
});

function check(expected: RpcAnswer[], lines: (object | string)[], mode: CheckMode = 'value'): CheckReport {
  const checker = new AnswerChecker(answersFromList(expected), mode);
  checker.push(
    Buffer.from(lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')),
  );
  return checker.end();
}

const two = [text(1, 'a'), text('1', 'b')];

describe('checking by value', () => {
  it('accepts the expected answers in any order, with their members in any order', () => {
    const reordered = { result: { content: [{ text: 'b', type: 'text' }] }, id: '1', jsonrpc: '2.0' };
    const report = check(two, [reordered, text(1, 'a')]);
    expect(report).toMatchObject({
      ok: true,
      rightCount: 2,
      lineCount: 2,
      missingCount: 0,
      wrongCount: 0,
      mismatches: [],
    });
  });

  it.each<[string, (object | string)[], string]>([
    ['a wrong value', [text(1, 'a'), text('1', 'B')], 'wrong'],
    ['a member too many', [text(1, 'a'), { ...text('1', 'b'), extra: 1 }], 'wrong'],
    ['a second answer', [...two, text(1, 'a')], 'duplicate'],
    ['an id nobody asked with', [...two, text(2, 'a')], 'unexpected-id'],
    ['the number where the string was asked', [text(1, 'a'), text(1, 'b')], 'duplicate'],
    ['a notification', [...two, { jsonrpc: '2.0', method: 'notifications/message' }], 'not-an-answer'],
    ['a scalar', [...two, '42'], 'not-an-answer'],
    ['a line of noise', ['server started', ...two], 'not-json'],
    ['a blank line', [...two, ''], 'not-json'],
  ])('reports %s', (_, lines, what) => {
    const report = check(two, lines);
    expect(report.ok).toBe(false);
    expect(report.wrongCount).toBe(1);
    expect(report.mismatches[0]).toMatchObject({ what });
  });

  it('reports answers that are missing, with the first ids', () => {
    const expected = Array.from({ length: 30 }, (_, id) => text(id, 'x'));
    const report = check(expected, expected.slice(0, 5));
    expect(report).toMatchObject({
      ok: false,
      missingCount: 25,
      rightCount: 5,
      missingIds: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    });
  });

  it('tells -0 from 0', () => {
    const zero: RpcAnswer = { jsonrpc: '2.0', id: 1, result: { n: 0 } };
    expect(check([zero], ['{"jsonrpc":"2.0","id":1,"result":{"n":-0}}']).ok).toBe(false);
  });

  it('reports a last line without its newline', () => {
    const checker = new AnswerChecker(answersFromList(two));
    checker.push(Buffer.from(`${JSON.stringify(two[0])}\n${JSON.stringify(two[1])}`));
    expect(checker.end()).toMatchObject({
      ok: false,
      rightCount: 1,
      mismatches: [{ what: 'no-final-newline' }],
    });
  });

  it('keeps only the first ten wrong lines, cut to 300 characters', () => {
    const report = check(two, Array(50).fill('x'.repeat(1000)));
    expect(report.wrongCount).toBe(50);
    expect(report.mismatches).toHaveLength(10);
    expect(report.mismatches[0]?.got).toHaveLength(301);
  });
});

describe('the answer to initialize', () => {
  const hello = (result: object): object => ({ jsonrpc: '2.0', id: 1, result });
  const expected = {
    protocolVersion: '2025-11-25',
    capabilities: { logging: {}, tools: {} },
    serverInfo: { name: 's' },
  };

  it('may offer more or less than was expected', () => {
    const got = hello({ ...expected, capabilities: { tools: { listChanged: true } } });
    expect(check([hello(expected) as RpcAnswer], [got]).ok).toBe(true);
  });

  it.each<[string, object]>([
    ['nothing at all', { protocolVersion: '2025-11-25', serverInfo: { name: 's' } }],
    ['a list', { ...expected, capabilities: [] }],
    ['null', { ...expected, capabilities: null }],
  ])('may not offer %s', (_, result) => {
    expect(check([hello(expected) as RpcAnswer], [hello(result)]).ok).toBe(false);
  });

  it.each<[string, object]>([
    ['name', { ...expected, serverInfo: { name: 't' } }],
    ['version', { ...expected, protocolVersion: '2024-11-05' }],
  ])('has the expected %s', (_, result) => {
    expect(check([hello(expected) as RpcAnswer], [hello(result)]).ok).toBe(false);
  });

  it('is the only answer whose capabilities are free', () => {
    const list = (capabilities: object): object => ({ jsonrpc: '2.0', id: 1, result: { capabilities } });
    expect(check([list({ a: 1 }) as RpcAnswer], [list({})]).ok).toBe(false);
  });
});

describe('checking by outcome', () => {
  const expected = [
    text(1, '42'),
    toolError(2, 'Cannot divide by zero'),
    rpcError(3, 'Unknown tool: x'),
    { jsonrpc: '2.0', id: 4, result: { protocolVersion: '1' } } as const,
  ];

  it('takes failures in any wording, as error or as tool error', () => {
    const got = [
      { ...text(1, '42'), result: { content: [{ type: 'text', text: '42' }], structuredContent: {} } },
      rpcError(2, 'boom'),
      toolError(3, 'no such tool'),
      { jsonrpc: '2.0', id: 4, result: { protocolVersion: '2', serverInfo: {} } },
    ];
    expect(check(expected, got, 'outcome').ok).toBe(true);
  });

  it.each<[string, object]>([
    ['a success with another text', text(1, '43')],
    ['a failure where success was due', toolError(1, '42')],
    ['an answer with result and error', { ...text(1, '42'), error: { code: 1, message: '' } }],
    ['a success without content', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('refuses %s', (_, got) => {
    expect(check([text(1, '42')], [got], 'outcome').ok).toBe(false);
  });

  it('refuses a success where a failure was due', () => {
    expect(check([rpcError(1, 'no')], [text(1, 'yes')], 'outcome').ok).toBe(false);
  });
});

describe('the line splitter', () => {
  const bytes = Buffer.from('{"a":"ทดสอบ"}\n\n{"b":"🧪"}\r\nrest');
  const split = (pieces: Uint8Array[]): string[] => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (const piece of pieces) splitter.push(piece);
    return [...lines, splitter.end()];
  };
  const whole = ['{"a":"ทดสอบ"}', '', '{"b":"🧪"}\r', 'rest'];

  it('gives the same lines at every two-way split and byte by byte', () => {
    expect(split([bytes])).toEqual(whole);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    expect(split([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
  });

  it('keeps nothing of a chunk that its owner uses again', () => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    const chunk = Buffer.from('abc');
    splitter.push(chunk);
    chunk.fill(120);
    splitter.push(Buffer.from('\n'));
    expect(lines).toEqual(['abc']);
  });
});
