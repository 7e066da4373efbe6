import { describe, expect, it } from 'vitest';
import { McpServer } from '../../src/server/mcp-server.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE, info, M, S } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

function fresh(gate?: Gate, options?: ServeOptions): Wire {
  const wire = new Wire();
  serve(exampleServer(gate), wire, options);
  return wire;
}

function request(id: number | string, method: string, params = '', meta: string = M): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":{${params}"_meta":{${meta}}}}`;
}

const VERSION_1900 =
  '"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}';

describe('modern transcripts', () => {
  it('T24: discover names the modern versions only, the capabilities and the server', () => {
    const wire = fresh();
    wire.feed(request('d1', 'server/discover'));
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        id: 'd1',
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { logging: {}, tools: { listChanged: true } },
          ttlMs: 0,
          cacheScope: 'private',
          _meta: S,
        },
      },
    ]);
  });

  it('T24: instructions are part of discover and of the handshake', () => {
    const wire = new Wire();
    serve(new McpServer(info, { instructions: 'be kind' }), wire);
    wire.feed(request(1, 'server/discover'), INITIALIZE);
    expect(wire.take().map((answer) => answer.result.instructions)).toEqual(['be kind', 'be kind']);
  });

  it('T25: an unknown version is -32022 with the versions that are spoken, at any time', () => {
    const wire = fresh();
    const refused = {
      code: -32022,
      message: 'Unsupported protocol version: 1900-01-01',
      data: { supported: ['2026-07-28'], requested: '1900-01-01' },
    };
    wire.feed(request(1, 'tools/list', '', VERSION_1900));
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 1, error: refused }]);
    wire.feed(request(2, 'tools/list'), request(3, 'no/such', '', VERSION_1900));
    expect(wire.take()[1]).toEqual({ jsonrpc: '2.0', id: 3, error: refused });
  });

  it('T25: the version is judged before the other keys', () => {
    const wire = fresh();
    wire.feed(request(1, 'tools/list', '', '"io.modelcontextprotocol/protocolVersion":"2099-01-01"'));
    expect(wire.take()[0].error.code).toBe(-32022);
  });

  it.each([
    ['a version that is no string', '"io.modelcontextprotocol/protocolVersion":5', 'protocolVersion'],
    ['no capabilities', '"io.modelcontextprotocol/protocolVersion":"2026-07-28"', 'clientCapabilities'],
    [
      'capabilities that are no object',
      '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]',
      'clientCapabilities',
    ],
    ['a clientInfo without version', `${M.replace(',"version":"1"', '')}`, 'clientInfo'],
    ['an unknown log level', `${M},"io.modelcontextprotocol/logLevel":"loud"`, 'logLevel'],
  ])('T26: an envelope with %s is -32602 and names the key', (_, meta, key) => {
    const wire = fresh();
    wire.feed(request(2, 'no/such', '', meta));
    const [answer] = wire.take();
    expect(answer.error.code).toBe(-32602);
    expect(answer.error.data.envelope.key).toBe(`io.modelcontextprotocol/${key}`);
  });

  it('T26: a request without envelope before initialize is -32602, also after modern ones', () => {
    const wire = fresh();
    wire.feed(
      request(1, 'tools/list'),
      '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":4,"method":"no/such"}',
    );
    const answers = wire.take();
    const message = 'Not initialized: send initialize first, or a request with a protocol version in _meta';
    expect(answers[1].error).toEqual({ code: -32602, message });
    expect(answers[2].error).toEqual({ code: -32602, message });
  });

  it('T27: a list carries resultType, cache hints and the server', () => {
    const wire = fresh();
    wire.feed(request(4, 'tools/list'));
    const { tools, ...rest } = wire.take()[0].result;
    expect(rest).toEqual({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: S });
    expect(tools).toHaveLength(3);
  });

  it('T28: results carry resultType and the server, tool errors too', () => {
    const wire = fresh();
    wire.feed(
      request(5, 'tools/call', '"name":"echo","arguments":{"text":"hi"},'),
      request(6, 'tools/call', '"name":"boom",'),
    );
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        id: 5,
        result: { resultType: 'complete', content: [{ type: 'text', text: 'hi' }], _meta: S },
      },
      {
        jsonrpc: '2.0',
        id: 6,
        result: {
          resultType: 'complete',
          content: [{ type: 'text', text: 'kaboom' }],
          isError: true,
          _meta: S,
        },
      },
    ]);
  });

  it('T28: a result object keeps its members, and its own _meta beside the server', () => {
    const wire = new Wire();
    const server = new McpServer(info)
      .registerTool('plain', {}, () => ({ content: [], structuredContent: { a: [1] } }))
      .registerTool('meta', {}, () => ({ content: [], _meta: { 'com.example/x': 1 } }));
    serve(server, wire);
    wire.feed(request(1, 'tools/call', '"name":"plain",'), request(2, 'tools/call', '"name":"meta",'));
    expect(wire.take().map((answer) => answer.result)).toEqual([
      { resultType: 'complete', content: [], structuredContent: { a: [1] }, _meta: S },
      { resultType: 'complete', content: [], _meta: { 'com.example/x': 1, ...S } },
    ]);
  });

  it('T29: an unknown tool is -32602 without resultType', () => {
    const wire = fresh();
    wire.feed(request(5, 'tools/call', '"name":"nope",'));
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 5, error: { code: -32602, message: 'Unknown tool: nope' } },
    ]);
  });

  it.each([
    'ping',
    'initialize',
    'logging/setLevel',
    'resources/subscribe',
    'tasks/get',
    'elicitation/create',
  ])('T30: %s with an envelope is -32601', (method) => {
    const wire = fresh();
    wire.feed(request(7, method));
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32601, message: `Method not found: ${method}` } },
    ]);
  });

  it('T32: a cancelled call gets no answer', async () => {
    const gate = new Gate();
    const wire = fresh(gate);
    wire.feed(
      request(4, 'tools/call', '"name":"wait",'),
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"SdkError: Request timed out","_meta":{${M}}}}`,
    );
    expect(gate.contexts[0]?.signal.aborted).toBe(true);
    gate.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(wire.take()).toEqual([]);
  });

  it('T40: a modern-only server answers initialize -32022, ping with {} and the rest -32602', () => {
    const wire = fresh(undefined, { legacy: 'reject' });
    wire.feed(
      INITIALIZE,
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":3,"method":"ping"}',
      request(4, 'tools/list'),
    );
    const [first, second, third, fourth] = wire.take();
    expect(first.error).toEqual({
      code: -32022,
      message: 'Unsupported protocol version: 2025-11-25',
      data: { supported: ['2026-07-28'], requested: '2025-11-25' },
    });
    expect(second.error.code).toBe(-32602);
    expect(third.result).toEqual({});
    expect(fourth.result.resultType).toBe('complete');
  });

  it('T41: initialize after discover is answered', () => {
    const wire = fresh();
    wire.feed(request(1, 'server/discover'), INITIALIZE);
    expect(wire.take()[1].result.protocolVersion).toBe('2025-11-25');
  });

  it('T45: a modern call on a legacy connection is served modern, and the next legacy one legacy', () => {
    const wire = fresh();
    wire.feed(
      INITIALIZE,
      request(2, 'tools/call', '"name":"echo","arguments":{"text":"hi"},'),
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},"_meta":{"other":1}}}',
    );
    const [, modern, legacy, other] = wire.take();
    expect(modern.result.resultType).toBe('complete');
    expect(legacy.result).toEqual({ content: [{ type: 'text', text: 'hi' }] });
    expect(other.result).toEqual(legacy.result);
  });

  it('a first notification, a first answer and garbage decide no era', () => {
    const wire = fresh();
    wire.feed(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      'garbage',
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
      request(3, 'server/discover'),
    );
    const answers = wire.take();
    expect(answers[0].error.code).toBe(-32602);
    expect(answers[1].result.supportedVersions).toEqual(['2026-07-28']);
  });

  it('a server without tools claims none, and its tool methods do not exist', () => {
    const wire = new Wire();
    serve(new McpServer(info), wire);
    wire.feed(
      request(1, 'server/discover'),
      request(2, 'tools/list'),
      request(3, 'tools/call', '"name":"x",'),
    );
    const [discover, list, call] = wire.take();
    expect(discover.result.capabilities).toEqual({ logging: {} });
    expect([list.error.code, call.error.code]).toEqual([-32601, -32601]);
  });
});
