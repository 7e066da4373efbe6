import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../src/server/api/tool.ts';
import { McpServer } from '../../src/server/mcp-server.ts';
import type { Call } from '../../src/server/run/call.ts';
import { logToClient } from '../../src/server/run/log-message.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE, info, M } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

/** A call of a synchronous tool that does `work`. */
function during(work: (context: CallContext) => void, meta = '') {
  const wire = new Wire();
  let context: CallContext | undefined;
  const server = new McpServer(info).registerTool('work', {}, (_, given) => {
    context = given;
    work(given);
    return 'ok';
  });
  const session = serve(server, wire);
  const call = (id: number): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"work"${meta}}}`;
  if (meta === '') wire.feed(INITIALIZE);
  wire.take();
  wire.feed(call(2));
  return { wire, session, call, context: context as CallContext | undefined };
}

const modern = (level: string): string => `,"_meta":{${M},"io.modelcontextprotocol/logLevel":"${level}"}`;
const all = (context: CallContext): void => {
  for (const level of ['debug', 'notice', 'error', 'emergency'] as const) context.log(level, level);
};
const levelsOf = (wire: Wire): string[] =>
  wire
    .take()
    .filter((frame) => frame.method === 'notifications/message')
    .map((frame) => frame.params.level as string);

describe('log messages of a handler', () => {
  it('come before the answer, with level, logger and any JSON', () => {
    const { wire } = during((context) => {
      context.log('info', { step: 1, list: [null] }, 'lab');
      context.log('warning', undefined);
    });
    expect(wire.sent.slice(0, 2)).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"lab","data":{"step":1,"list":[null]}}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":null}}',
    ]);
    expect(wire.take()[2].id).toBe(2);
  });

  it('a legacy client gets all of them, and from its level on once it has set one', () => {
    const { wire, context, call } = during(all);
    expect(levelsOf(wire)).toEqual(['debug', 'notice', 'error', 'emergency']);
    (context as Call).connection.logLevel = 4;
    wire.feed(call(3));
    expect(levelsOf(wire)).toEqual(['error', 'emergency']);
  });

  it('a legacy client gets none of a server that does not offer them', () => {
    const wire = new Wire();
    const server = new McpServer(info, { logging: false }).registerTool('work', {}, (_, context) => {
      all(context);
      return 'ok';
    });
    serve(server, wire);
    wire.feed(INITIALIZE);
    wire.feed('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"work"}}');
    server.log('emergency', 'to all');
    expect(wire.take().map((frame) => frame.id ?? frame.method)).toEqual([1, 2]);
    wire.feed(
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"work","_meta":{${M},"io.modelcontextprotocol/logLevel":"debug"}}}`,
    );
    expect(wire.take().map((frame) => frame.id ?? frame.method)).toEqual([3]);
  });

  it('a modern client gets none unless the request asks, and then from its level on, whatever a legacy one has set', () => {
    expect(levelsOf(during(all, `,"_meta":{${M}}`).wire)).toEqual([]);
    const { wire, context, call } = during(all, modern('error'));
    expect(levelsOf(wire)).toEqual(['error', 'emergency']);
    (context as Call).connection.logLevel = 7;
    wire.feed(call(3));
    expect(levelsOf(wire)).toEqual(['error', 'emergency']);
  });

  it.each([
    [
      'a cycle',
      (() => {
        const data: Record<string, unknown> = {};
        data['self'] = data;
        return data;
      })(),
    ],
    ['a bigint', 1n],
    [
      'a getter that throws',
      {
        get bad(): never {
          throw new Error('bad getter');
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no keys');
          },
        },
      ),
    ],
    ['a function', () => 1],
  ])('%s as data is replaced by a reason, and the call goes on', (_, data) => {
    const { wire } = during((context) => context.log('info', data));
    const [message, answer] = wire.take();
    expect(message.params.data).toMatch(/^\(no JSON: .+\)$/);
    expect(answer.result.content[0].text).toBe('ok');
  });

  it('an unknown level fails the call with the names of all', () => {
    const { wire } = during((context) => context.log('loud' as 'info', 1));
    const [answer] = wire.take();
    expect(answer.result).toMatchObject({ isError: true });
    expect(answer.result.content[0].text).toContain('emergency');
  });

  it('never come after the answer or after a cancel, nor does progress', async () => {
    const gate = new Gate();
    const wire = new Wire();
    const session = serve(exampleServer(gate), wire);
    const call = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":${id}}}}`;
    wire.feed(INITIALIZE, call(2), call(3));
    wire.take();
    const [answered, cancelled] = gate.contexts;
    // Taken out of the context before: a careless handler does.
    const said = [answered, cancelled].map((context) => ({ log: context?.log, progress: context?.progress }));
    gate.open();
    await wire.takeWhen(1);
    wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}');
    for (const { log, progress } of said) {
      log?.('emergency', 'still here');
      progress?.(1);
    }
    gate.open();
    await session.settled();
    expect(wire.sent).toEqual([]);
    expect(session.stats).toMatchObject({ cancelled: 1, lateResults: 1 });
  });

  it('are dropped while the client reads too slowly', () => {
    const { wire, session, context } = during(() => {});
    wire.take();
    wire.isFull = true;
    logToClient((context as Call).connection, 'info', 1, undefined);
    wire.drain();
    expect(wire.sent).toEqual([]);
    expect(session.stats.droppedLogs).toBe(1);
  });

  it('of the server itself go to legacy clients, from their level on', () => {
    const { wire, context } = during(() => {});
    wire.take();
    const { connection } = context as Call;
    connection.logLevel = 3;
    logToClient(connection, 'info', 1, undefined);
    logToClient(connection, 'alert', { a: 1 }, 'db');
    expect(wire.take().map((frame) => frame.params)).toEqual([
      { level: 'alert', logger: 'db', data: { a: 1 } },
    ]);
    connection.legacyClient = undefined;
    logToClient(connection, 'alert', 1, undefined);
    expect(wire.sent).toEqual([]);
  });
});
