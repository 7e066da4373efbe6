import type { CallOutcome, PlannedCall } from './call-plan.ts';

/** `legacy`: after an `initialize` handshake. `modern`: every request carries its own envelope in `_meta`. */
export type Era = 'legacy' | 'modern';

/** A JSON-RPC answer as parsed from its line. */
export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What `linewire-server` and the bare loop call themselves; the answer files hold it. */
export const serverInfo: { readonly name: string; readonly version: string } = {
  name: 'linewire-server',
  version: '0.1.0',
};

const legacyVersion = '2025-11-25';
const clientInfo = { name: 'testkit', version: '0.0.0' };
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': clientInfo,
};
const modernResultMeta = { 'io.modelcontextprotocol/serverInfo': serverInfo };

const number = { type: 'number' };
const natural = { type: 'integer', minimum: 0 };
const binary = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };

/** The tools that every server under test lists, in order. The plans and the smoke test call the first five. */
export const toolList: readonly { readonly name: string; readonly inputSchema: unknown }[] = [
  { name: 'add', inputSchema: binary },
  { name: 'multiply', inputSchema: binary },
  { name: 'divide', inputSchema: binary },
  {
    name: 'echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'slow',
    inputSchema: { type: 'object', properties: { ms: natural }, required: ['ms'] },
  },
  {
    name: 'big',
    inputSchema: {
      type: 'object',
      properties: { bytes: { ...natural, maximum: 60_000_000 } },
      required: ['bytes'],
    },
  },
  { name: 'ask', inputSchema: { type: 'object' } },
  { name: 'fail', inputSchema: { type: 'object' } },
  { name: 'count', inputSchema: { type: 'object' } },
];

/** One line of the wire, with its newline. Member order as a plain client writes it: `jsonrpc`, `id`, `method`, `params`. */
export function requestLine(id: string | number, method: string, params?: Record<string, unknown>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) })}\n`;
}

export function notificationLine(method: string, params?: Record<string, unknown>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })}\n`;
}

export function callLine(id: string | number, call: PlannedCall, era: Era): string {
  const params = era === 'modern' ? { ...call.params, _meta: modernMeta } : call.params;
  return requestLine(id, 'tools/call', params);
}

export function initializeLine(id: string | number): string {
  return requestLine(id, 'initialize', { protocolVersion: legacyVersion, capabilities: {}, clientInfo });
}

export function initializeAnswer(id: string | number): RpcAnswer {
  return {
    jsonrpc: '2.0',
    id,
    result: {
      protocolVersion: legacyVersion,
      capabilities: {
        logging: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
      },
      serverInfo,
    },
  };
}

export function errorAnswer(id: string | number, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The answer to a planned call. Errors carry no `_meta` and no `resultType`, in either era. */
export function callAnswer(id: string | number, outcome: CallOutcome, era: Era): RpcAnswer {
  if (outcome.kind === 'error') return errorAnswer(id, outcome.code, outcome.message);
  const result: Record<string, unknown> = { content: [{ type: 'text', text: outcome.text }] };
  if (outcome.kind === 'tool-error') result['isError'] = true;
  if (era === 'modern') {
    result['resultType'] = 'complete';
    result['_meta'] = modernResultMeta;
  }
  return { jsonrpc: '2.0', id, result };
}
