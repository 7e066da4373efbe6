import { describe, expect, it } from 'vitest';
import { McpServer } from '../../../src/server/mcp-server.ts';
import type { ServeOptions } from '../../../src/server/serve-options.ts';
import { serve } from '../../../src/server/server-session.ts';
import { endOfTurn, feedEach, line } from '../../support/era-requests.ts';
import { Gate, info, S } from '../../support/example-server.ts';
import { Wire } from '../../support/wire.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const cancel = (id: string) =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;

function everything(gate: Gate = new Gate()): McpServer {
  return new McpServer(info)
    .registerTool('wait', {}, gate.handler)
    .registerPrompt('p', {}, () => '')
    .registerResource('a', 'mem://a', {}, () => '');
}

function served(server: McpServer, options?: ServeOptions) {
  const wire = new Wire();
  const session = serve(server, wire, options);
  return { wire, session };
}

const listen = (id: number | string, notifications: unknown) =>
  line('modern', id, 'subscriptions/listen', { notifications });

describe('subscriptions/listen', () => {
  it('T36: is acknowledged first, with the honoured part, and then told of what it named', async () => {
    const server = everything();
    const { wire } = served(server);
    feedEach(
      wire,
      listen(1, { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['mem://a'] }),
    );
    server.registerTool('new', {}, () => '');
    server.registerPrompt('new', {}, () => '');
    server.resourceUpdated('mem://a');
    server.resourceUpdated('mem://b');
    await endOfTurn();
    const _meta = { [SUBSCRIPTION]: 1 };
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['mem://a'] }, _meta },
      },
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'mem://a', _meta } },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta } },
    ]);
  });

  it.each(['"7"', '7', '7.0', '1e2', '123456789012345678901234567890', '"\\u0061"', '""', '-0'])(
    'gives the id %s back with its text and type, everywhere',
    async (id) => {
      const server = everything();
      const { wire, session } = served(server);
      feedEach(wire, listen('ID', { toolsListChanged: true }).replace('"ID"', id));
      server.removeTool('wait');
      await endOfTurn();
      void session.close();
      const [ack, change, end] = wire.sent;
      for (const frame of [ack, change, end]) expect(frame).toContain(`"${SUBSCRIPTION}":${id}`);
      expect(end).toContain(`"id":${id},`);
    },
  );

  it('a change that fits several subscriptions is told to each, once', () => {
    const server = everything();
    const { wire } = served(server);
    feedEach(
      wire,
      listen('x', { resourceSubscriptions: ['mem://a', 'mem://a'] }),
      listen('y', { resourceSubscriptions: ['mem://b', 'mem://a'] }),
      listen('z', { resourceSubscriptions: ['mem://c'] }),
    );
    wire.take();
    server.resourceUpdated('mem://a');
    expect(wire.take().map((frame) => frame.params._meta[SUBSCRIPTION])).toEqual(['x', 'y']);
  });

  it('what the server does not offer is not in the acknowledgement, and an empty rest is one too', async () => {
    const server = new McpServer(info);
    const { wire } = served(server);
    feedEach(
      wire,
      listen(1, {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['mem://a'],
        unknownMember: 5,
      }),
      listen(2, {}),
    );
    expect(wire.take().map((frame) => frame.params.notifications)).toEqual([{}, {}]);
    server.registerTool('late', {}, () => '');
    server.resourceUpdated('mem://a');
    await endOfTurn();
    expect(wire.sent).toEqual([]);
  });

  it.each([
    ['no filter', undefined],
    ['a list', []],
    ['null', null],
    ['a flag that is none', { toolsListChanged: 'yes' }],
    ['a flag that is null', { resourcesListChanged: null }],
    ['URIs that are no list', { resourceSubscriptions: 'mem://a' }],
    ['a URI that is no string', { resourceSubscriptions: ['mem://a', 5] }],
  ])('T38: %s is -32602', (_, filter) => {
    const { wire } = served(everything());
    feedEach(wire, listen(1, filter));
    expect(wire.take()).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  it('T36: the client ends it: nothing more comes under that id, and no answer', async () => {
    const server = everything();
    const { wire, session } = served(server);
    feedEach(wire, listen(1, { toolsListChanged: true }), listen('1', { toolsListChanged: true }));
    wire.take();
    feedEach(wire, cancel('1'));
    server.removeTool('wait');
    await endOfTurn();
    expect(wire.take().map((frame) => frame.params._meta[SUBSCRIPTION])).toEqual(['1']);
    expect(session.stats.cancelled).toBe(1);
    feedEach(wire, cancel('1'));
    expect(session.stats.cancelled).toBe(1);
  });

  it('the id is free again after that', () => {
    const { wire } = served(everything());
    feedEach(wire, listen(1, {}), cancel('1'), listen(1, {}));
    expect(wire.take().map((frame) => frame.method)).toEqual(
      Array(2).fill('notifications/subscriptions/acknowledged'),
    );
  });

  it('an id that is in use is -32600, for whatever request, and leaves the subscription alone', () => {
    const server = everything();
    const { wire } = served(server);
    feedEach(
      wire,
      listen(1, { resourceSubscriptions: ['mem://a'] }),
      listen(1, {}),
      line('modern', 1, 'tools/list'),
      line('modern', 2, 'tools/list'),
    );
    const [, again, list, other] = wire.take();
    expect([again.error.code, list.error.code]).toEqual([-32600, -32600]);
    expect(other.result.tools).toHaveLength(1);
    server.resourceUpdated('mem://a');
    expect(wire.take()).toHaveLength(1);
  });

  it('T37: the server ends it with its result, after everything else is answered', async () => {
    const gate = new Gate();
    const { wire, session } = served(everything(gate));
    feedEach(
      wire,
      listen('s2', { toolsListChanged: true }),
      line('modern', 9, 'tools/call', { name: 'wait' }),
    );
    wire.take();
    wire.feedEnd();
    expect(wire.sent).toEqual([]);
    gate.open();
    const [answer, end] = await wire.takeWhen(2);
    expect(answer.id).toBe(9);
    expect(end).toEqual({
      jsonrpc: '2.0',
      id: 's2',
      result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 's2', ...S } },
    });
    await session.closed;
    expect(wire.sent).toEqual([]);
  });

  it('holds nothing up: the end of the input alone ends the session', async () => {
    const { wire, session } = served(everything());
    feedEach(wire, listen(1, {}));
    wire.take();
    wire.feedEnd();
    expect(wire.take()).toMatchObject([{ id: 1, result: { resultType: 'complete' } }]);
    await session.closed;
  });

  it('close() ends it so too, behind the calls that are given up', async () => {
    const { wire, session } = served(everything());
    feedEach(wire, listen(1, {}), line('modern', 9, 'tools/call', { name: 'wait' }));
    wire.take();
    await session.close();
    expect(wire.take().map((frame) => [frame.id, frame.error?.code])).toEqual([
      [9, -32603],
      [1, undefined],
    ]);
  });

  it('a connection that is lost gets nothing more, and the server forgets it', async () => {
    const server = everything();
    const { wire, session } = served(server);
    feedEach(wire, listen(1, { toolsListChanged: true, resourceSubscriptions: ['mem://a'] }));
    wire.take();
    await wire.finish({ kind: 'eof' });
    await session.closed;
    server.removeTool('wait');
    server.resourceUpdated('mem://a');
    await endOfTurn();
    expect(wire.sent).toEqual([]);
  });

  it('takes no credit: calls run beside any number of subscriptions', () => {
    const { wire } = served(everything(), { maxInFlight: 1 });
    feedEach(
      wire,
      ...Array.from({ length: 20 }, (_, id) => listen(id, {})),
      line('modern', 99, 'prompts/list'),
    );
    expect(wire.take().at(-1).id).toBe(99);
  });

  it('the limit is -32603, and a place is free when one has ended', () => {
    const { wire } = served(everything(), { maxSubscriptions: 2 });
    feedEach(wire, listen(1, {}), listen(2, {}), listen(3, {}));
    expect(wire.take()[2].error).toEqual({ code: -32603, message: 'Subscription limit reached' });
    feedEach(wire, cancel('1'), listen(4, {}));
    expect(wire.take()[0].method).toBe('notifications/subscriptions/acknowledged');
  });

  it('URIs that would take more than their bound are -32603, and what was taken is given back', () => {
    const { wire } = served(everything(), {});
    const long = (letter: string) => `${letter}:${'x'.repeat(1_500_000)}`;
    feedEach(wire, listen(1, { resourceSubscriptions: [long('a'), long('b')] }));
    expect(wire.take()[0].method).toBe('notifications/subscriptions/acknowledged');
    feedEach(wire, listen(2, { resourceSubscriptions: ['short:', long('c')] }));
    expect(wire.take()[0].error.code).toBe(-32603);
    feedEach(wire, cancel('1'), listen(3, { resourceSubscriptions: [long('c'), long('d')] }));
    expect(wire.take()[0].method).toBe('notifications/subscriptions/acknowledged');
  });
});

describe('a client that reads slowly', () => {
  it('gets one notice for many changes of a thing', async () => {
    const server = everything();
    const { wire } = served(server);
    feedEach(
      wire,
      listen(1, { toolsListChanged: true, resourceSubscriptions: ['mem://a', 'mem://b'] }),
      listen(2, { toolsListChanged: true }),
    );
    wire.take();
    wire.isFull = true;
    for (let n = 0; n < 5; n++) {
      server.registerTool(`t${n}`, {}, () => '');
      server.resourceUpdated('mem://a');
      server.resourceUpdated('mem://b');
      await endOfTurn();
    }
    expect(wire.sent).toEqual([]);
    wire.drain();
    const told = wire
      .take()
      .map((frame) => [frame.method, frame.params.uri, frame.params._meta[SUBSCRIPTION]]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ['notifications/resources/updated', 'mem://a', 1],
        ['notifications/resources/updated', 'mem://b', 1],
        ['notifications/tools/list_changed', undefined, 1],
        ['notifications/tools/list_changed', undefined, 2],
      ]),
    );
  });

  it('gets nothing of a subscription that it has cancelled meanwhile', async () => {
    const server = everything();
    const { wire } = served(server);
    feedEach(wire, listen(1, { toolsListChanged: true, resourceSubscriptions: ['mem://a'] }));
    wire.take();
    wire.isFull = true;
    server.removeTool('wait');
    server.resourceUpdated('mem://a');
    await endOfTurn();
    feedEach(wire, cancel('1'));
    wire.drain();
    expect(wire.sent).toEqual([]);
  });

  it('gets nothing of one behind its result, though it reads on before the end', async () => {
    const server = everything();
    const { wire, session } = served(server);
    feedEach(wire, listen(1, { toolsListChanged: true, resourceSubscriptions: ['mem://a'] }));
    wire.take();
    let flushed = (): void => {};
    wire.whenFlushed = new Promise((resolve) => {
      flushed = resolve;
    });
    wire.isFull = true;
    server.removeTool('wait');
    server.resourceUpdated('mem://a');
    await endOfTurn();
    wire.feedEnd();
    wire.drain();
    flushed();
    await session.closed;
    expect(wire.take().map((frame) => frame.id)).toEqual([1]);
  });
});
