import type { CallOutcome } from './call-plan.ts';
import { answersFromList, type ExpectedAnswers } from './expected-answers.ts';
import {
  callAnswer,
  errorAnswer,
  initializeAnswer,
  initializeLine,
  notificationLine,
  type RpcAnswer,
  requestLine,
  toolList,
} from './rpc-lines.ts';

const calls: readonly [name: string, args: Record<string, unknown>, outcome: CallOutcome][] = [
  ['add', { a: 2, b: 40 }, { kind: 'text', text: '42' }],
  ['multiply', { a: 6, b: 7 }, { kind: 'text', text: '42' }],
  ['divide', { a: 21, b: 0.5 }, { kind: 'text', text: '42' }],
  ['divide', { a: 1, b: 0 }, { kind: 'tool-error', text: 'Cannot divide by zero' }],
  ['echo', { text: 'สวัสดี 🧪 "hi"\n' }, { kind: 'text', text: 'สวัสดี 🧪 "hi"\n' }],
  ['slow', { ms: 20 }, { kind: 'text', text: 'waited 20 ms' }],
  ['nope', {}, { kind: 'error', code: -32602, message: 'Unknown tool: nope' }],
];

/**
 * A short conversation with one line of each kind: handshake, `logging/setLevel`, `ping`, `tools/list`, five tools, an unknown method, an
 * unknown tool, a blank line, a notification nobody knows. Ids are strings and numbers.
 */
export function smokeLines(): string[] {
  return [
    initializeLine(1),
    notificationLine('notifications/initialized'),
    // Only answers are expected, and `slow` would log.
    requestLine('quiet', 'logging/setLevel', { level: 'error' }),
    requestLine('ping-1', 'ping'),
    requestLine(2, 'tools/list'),
    ...calls.map(([name, args], index) => requestLine(10 + index, 'tools/call', { name, arguments: args })),
    requestLine(20, 'no/such', {}),
    '\n',
    notificationLine('notifications/whatever', { a: 1 }),
    requestLine('last', 'ping', {}),
  ];
}

export function smokeAnswers(): ExpectedAnswers {
  const done = (id: string): RpcAnswer => ({ jsonrpc: '2.0', id, result: {} });
  return answersFromList([
    initializeAnswer(1),
    done('quiet'),
    done('ping-1'),
    { jsonrpc: '2.0', id: 2, result: { tools: toolList } },
    ...calls.map(([, , outcome], index) => callAnswer(10 + index, outcome, 'legacy')),
    errorAnswer(20, -32601, 'Method not found: no/such'),
    done('last'),
  ]);
}
