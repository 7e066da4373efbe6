import { describe, expect, it } from 'vitest';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE, info } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

// Names of the tests are those of the transcripts; raw lines in, answers compared.

function legacy(gate?: Gate, options?: ServeOptions): Wire {
  const wire = fresh(gate, options);
  wire.feed(INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  wire.take();
  return wire;
}

function fresh(gate?: Gate, options?: ServeOptions): Wire {
  const wire = new Wire();
  serve(exampleServer(gate), wire, options);
  return wire;
}

function initialize(version: string): string {
  return INITIALIZE.replace('2025-11-25', version);
}

describe('legacy transcripts', () => {
  it('T01: the handshake is answered and `initialized` is not', () => {
    const wire = fresh();
    wire.feed(INITIALIZE);
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { logging: {}, tools: { listChanged: true } },
          serverInfo: info,
        },
      },
    ]);
    wire.feed('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect(wire.take()).toEqual([]);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'T01: revision %s is spoken as asked',
    (version) => {
      const wire = fresh();
      wire.feed(initialize(version));
      expect(wire.take()[0].result.protocolVersion).toBe(version);
    },
  );

  it.each(['1.0.0', '2026-07-28', '2024-10-07', ''])(
    'T02: asked for %j, the newest legacy revision is offered',
    (version) => {
      const wire = fresh();
      wire.feed(initialize(version));
      expect(wire.take()[0].result.protocolVersion).toBe('2025-11-25');
    },
  );

  it.each([
    ['no protocolVersion', '{"capabilities":{},"clientInfo":{"name":"c","version":"1"}}'],
    ['no capabilities', '{"protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"}}'],
    ['no clientInfo', '{"protocolVersion":"2025-11-25","capabilities":{}}'],
    [
      'a clientInfo without version',
      '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c"}}',
    ],
  ])('an initialize with %s is -32602 and opens nothing', (_, params) => {
    const wire = fresh();
    wire.feed(
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`,
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
    );
    const answers = wire.take();
    expect(answers.map((answer) => answer.error.code)).toEqual([-32602, -32602]);
    expect(answers[1].error.message).toMatch(/^Not initialized/);
  });

  it('T03: ping is answered before and after initialize, its id unchanged', () => {
    const wire = fresh();
    wire.feed(
      '{"jsonrpc":"2.0","id":"p1","method":"ping"}',
      INITIALIZE,
      '{"jsonrpc":"2.0","id":0,"method":"ping","params":{}}',
    );
    const [first, , second] = wire.take();
    expect(first).toEqual({ jsonrpc: '2.0', id: 'p1', result: {} });
    expect(second).toEqual({ jsonrpc: '2.0', id: 0, result: {} });
  });

  it('T04: tools are listed in the order of registration, with a schema each', () => {
    const wire = legacy();
    wire.feed('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    const [answer] = wire.take();
    expect(Object.keys(answer.result)).toEqual(['tools']);
    expect(answer.result.tools.map((tool: { name: string }) => tool.name)).toEqual(['echo', 'boom', 'wait']);
    expect(answer.result.tools[1]).toEqual({ name: 'boom', inputSchema: { type: 'object' } });
  });

  it('T05: a call that goes well has only its content', () => {
    const wire = legacy();
    wire.feed(
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}',
    );
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'hi' }] } },
    ]);
  });

  it('T06: a tool that throws is a result with isError, and so are arguments that do not fit', () => {
    const wire = legacy();
    wire.feed(
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"boom"}}',
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo"}}',
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"text":1}}}',
    );
    expect(wire.take().map((answer) => answer.result)).toEqual([
      { content: [{ type: 'text', text: 'kaboom' }], isError: true },
      {
        content: [{ type: 'text', text: 'Invalid arguments for tool echo: text is required' }],
        isError: true,
      },
      {
        content: [{ type: 'text', text: 'Invalid arguments for tool echo: text must be a string' }],
        isError: true,
      },
    ]);
  });

  it('T07: an unknown tool is -32602', () => {
    const wire = legacy();
    wire.feed('{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"nope"}}');
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 5, error: { code: -32602, message: 'Unknown tool: nope' } },
    ]);
  });

  it('T08: an unknown method, a removed one and a notification name with an id are -32601', () => {
    const wire = legacy();
    wire.feed(
      '{"jsonrpc":"2.0","id":6,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":7,"method":"server/discover"}',
      '{"jsonrpc":"2.0","id":8,"method":"tasks/get","params":{"taskId":"x"}}',
      '{"jsonrpc":"2.0","id":9,"method":"notifications/initialized"}',
    );
    const answers = wire.take();
    expect(answers.map((answer) => answer.error.code)).toEqual([-32601, -32601, -32601, -32601]);
    expect(answers[0].error.message).toBe('Method not found: no/such');
  });

  it.each([
    ['{}', 'Invalid params: name must be a string'],
    ['{"name":5}', 'Invalid params: name must be a string'],
    ['null', 'Invalid params: name must be a string'],
    ['{"name":"echo","arguments":[1]}', 'Invalid params: arguments must be an object'],
    ['{"name":"echo","arguments":null}', 'Invalid params: arguments must be an object'],
    ['{"name":"echo","_meta":5}', 'Invalid params: _meta must be an object'],
  ])('T09: tools/call with params %s is -32602', (params, message) => {
    const wire = legacy();
    wire.feed(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`);
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32602, message } }]);
  });

  it('T09: a cursor that was never handed out is -32602', () => {
    const wire = legacy();
    wire.feed('{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":""}}');
    expect(wire.take()[0].error.code).toBe(-32602);
  });

  it('T10: after malformed JSON there is silence, and the next line works', () => {
    const wire = legacy();
    wire.feed(
      'not json',
      '{"jsonrpc":"2.0","id":8,"method":"tools/list"',
      '{"jsonrpc":"2.0","id":9,"method":"ping"}',
    );
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
  });

  it('T11: a request without jsonrpc is -32600 by its id, one with id null is dropped', () => {
    const wire = legacy();
    wire.feed('{"id":10,"method":"ping"}', '{"jsonrpc":"2.0","id":null,"method":"ping"}');
    const answers = wire.take();
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ id: 10, error: { code: -32600 } });
  });

  it('T12: an unknown notification is ignored', () => {
    const wire = legacy();
    wire.feed(
      '{"jsonrpc":"2.0","method":"notifications/whatever","params":{"a":1}}',
      '{"jsonrpc":"2.0","method":"tools/list"}',
    );
    expect(wire.take()).toEqual([]);
  });

  it('T13: a cancelled call gets no answer, ever', async () => {
    const gate = new Gate();
    const wire = legacy(gate);
    wire.feed(
      '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"wait"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":11,"reason":"user"}}',
    );
    gate.open('too late');
    await settled();
    expect(wire.take()).toEqual([]);
  });

  it('T14: a cancel of an unknown, finished or missing id is ignored', () => {
    const wire = legacy();
    wire.feed(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":999}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}',
    );
    expect(wire.take()).toEqual([]);
  });

  it('T15: progress comes with the token of the request, before its answer', async () => {
    const gate = new Gate();
    const wire = legacy(gate);
    wire.feed(
      '{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":"a"}}}',
    );
    gate.contexts[0]?.progress(1, 3);
    gate.contexts[0]?.progress(2, 3, 'two');
    gate.open();
    expect(await wire.takeWhen(3)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'a', progress: 1, total: 3 },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'a', progress: 2, total: 3, message: 'two' },
      },
      { jsonrpc: '2.0', id: 12, result: { content: [{ type: 'text', text: 'done' }] } },
    ]);
  });

  it('T19: an answer that nobody waits for is counted and reported, not answered', () => {
    const reports: string[] = [];
    const wire = new Wire();
    const session = serve(exampleServer(), wire, {
      onReport: (report) => reports.push(`${report.code}: ${report.message}`),
    });
    wire.feed(
      '{"jsonrpc":"2.0","id":63,"result":{}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
    );
    expect(wire.take()).toEqual([]);
    expect(session.stats.unmatchedAnswers).toBe(2);
    expect(reports).toEqual([
      'UNMATCHED_ANSWER: answer for 63, waiting for none',
      'UNMATCHED_ANSWER: answer for no id, waiting for none',
    ]);
  });

  it('T20: the second request of an id in flight is -32600 and does not run, the first one is answered', async () => {
    const gate = new Gate();
    const wire = legacy(gate);
    const call = '{"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"name":"wait"}}';
    wire.feed(call, call, '{"jsonrpc":"2.0","id":"15","method":"ping"}');
    expect(gate.waiting).toBe(1);
    gate.open();
    expect(await wire.takeWhen(3)).toEqual([
      { jsonrpc: '2.0', id: 15, error: { code: -32600, message: 'Duplicate request id' } },
      { jsonrpc: '2.0', id: '15', result: {} },
      { jsonrpc: '2.0', id: 15, result: { content: [{ type: 'text', text: 'done' }] } },
    ]);
    wire.feed('{"jsonrpc":"2.0","id":15,"method":"ping"}');
    expect(wire.take()).toHaveLength(1);
  });

  it('a second initialize negotiates again', () => {
    const wire = legacy();
    wire.feed(initialize('2024-11-05'));
    expect(wire.take()[0].result.protocolVersion).toBe('2024-11-05');
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
