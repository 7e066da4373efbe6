import type { CallContext, ToolReturn } from '../../src/server/api/tool.ts';
import { McpServer } from '../../src/server/mcp-server.ts';

export const info = { name: 'example', version: '1.2.3' };

/** A handler that the test ends. */
export class Gate {
  readonly contexts: CallContext[] = [];
  private readonly ends: { resolve(value: ToolReturn): void; reject(error: unknown): void }[] = [];

  readonly handler = (_args: object, context: CallContext): Promise<ToolReturn> => {
    this.contexts.push(context);
    return new Promise<ToolReturn>((resolve, reject) => this.ends.push({ resolve, reject }));
  };

  get waiting(): number {
    return this.ends.length;
  }

  open(value: ToolReturn = 'done'): void {
    this.ends.shift()?.resolve(value);
  }

  fail(error: unknown): void {
    this.ends.shift()?.reject(error);
  }
}

/** `echo`, `boom` (throws) and `wait` (ends when the gate opens). */
export function exampleServer(gate: Gate = new Gate()): McpServer {
  return new McpServer(info)
    .registerTool(
      'echo',
      { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
      ({ text }: { text: string }) => text,
    )
    .registerTool('boom', {}, () => {
      throw new Error('kaboom');
    })
    .registerTool('wait', {}, gate.handler);
}

/** `_meta` members of a modern request. */
export const M =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}';

export const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';

/** `_meta` of a modern result. */
export const S = { 'io.modelcontextprotocol/serverInfo': info };
