import { describe, expect, it } from 'vitest';
import { plannedCall } from '../src/index.ts';

const thousand = Array.from({ length: 1000 }, (_, n) => plannedCall(n, 'mixed'));

describe('the mixed plan', () => {
  it('makes every third call fail', () => {
    const failures = thousand.filter((call) => call.outcome.kind !== 'text');
    expect(failures).toHaveLength(333);
    expect(thousand.every((call, n) => (call.outcome.kind === 'text') === (n % 3 !== 2))).toBe(true);
  });

  it('uses all four tools and fails in all nine ways', () => {
    const good = new Set(
      thousand.filter((call) => call.outcome.kind === 'text').map((call) => call.params['name']),
    );
    expect([...good].sort()).toEqual(['add', 'divide', 'echo', 'multiply']);
    const texts = thousand.map(({ outcome }) =>
      outcome.kind === 'error'
        ? `${outcome.code} ${outcome.message}`
        : outcome.kind === 'tool-error'
          ? outcome.text
          : '',
    );
    expect([...new Set(texts)].sort()).toEqual([
      '',
      '-32602 Invalid params: arguments must be an object',
      '-32602 Invalid params: name must be a string',
      '-32602 Unknown tool: subtract',
      'Cannot divide by zero',
      'Invalid arguments for tool add: a must be a number',
      'Invalid arguments for tool echo: text must be a string',
      'Invalid arguments for tool multiply: b is required',
    ]);
  });

  it('holds text outside ASCII, quotes and line breaks', () => {
    const texts = thousand.map((call) => JSON.stringify(call.params)).join();
    for (const piece of ['สวัสดี', '🧪', '\\n', '\\"', '\\\\']) expect(texts).toContain(piece);
  });
});

describe('the plain plan', () => {
  it('never fails and is ASCII', () => {
    for (let n = 0; n < 5000; n++) {
      const call = plannedCall(n, 'plain');
      expect(call.outcome.kind).toBe('text');
      expect(JSON.stringify(call)).toMatch(/^[\x20-\x7e]*$/);
    }
  });
});

describe('a planned call', () => {
  it('depends on nothing but its number and the mix', () => {
    expect(plannedCall(4711, 'mixed')).toEqual(plannedCall(4711, 'mixed'));
  });

  it('has an outcome that follows from its arguments', () => {
    for (let n = 0; n < 5000; n++) {
      const { params, outcome } = plannedCall(n, 'plain');
      const { a, b, text } = params['arguments'] as { a: number; b: number; text: string };
      const result = { add: () => a + b, multiply: () => a * b, divide: () => a / b, echo: () => text }[
        params['name'] as 'add'
      ]();
      expect(outcome).toEqual({ kind: 'text', text: String(result) });
    }
  });
});
