import { describe, expect, it } from 'vitest';
import { McpServer } from '../../../src/server/mcp-server.ts';
import { serve } from '../../../src/server/server-session.ts';
import { endOfTurn, feedEach, line } from '../../support/era-requests.ts';
import { INITIALIZE, info } from '../../support/example-server.ts';
import { Wire } from '../../support/wire.ts';

function served(server: McpServer, ...lines: string[]): Wire {
  const wire = new Wire();
  serve(server, wire);
  feedEach(wire, ...lines);
  wire.take();
  return wire;
}

const methodsOf = (wire: Wire) => wire.take().map((frame) => frame.method);

function everything(): McpServer {
  return new McpServer(info)
    .registerTool('t', {}, () => '')
    .registerPrompt('p', {}, () => '')
    .registerResource('a', 'mem://a', {}, () => '')
    .registerResourceTemplate('n', 'mem://n/{id}', {}, () => '');
}

describe('list changes', () => {
  it('are told to every legacy session, once for all of a turn and kind by kind', async () => {
    const server = everything();
    const wires = [served(server, INITIALIZE), served(server, INITIALIZE)];
    for (let n = 0; n < 50; n++) server.registerTool(`t${n}`, {}, () => '');
    server.removePrompt('p');
    server.removeResourceTemplate('mem://n/{id}');
    server.registerResource('b', 'mem://b', {}, () => '');
    await endOfTurn();
    for (const wire of wires) {
      expect(wire.take()).toEqual([
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' },
        { jsonrpc: '2.0', method: 'notifications/resources/list_changed' },
      ]);
    }
    server.removeTool('t');
    await endOfTurn();
    for (const wire of wires) expect(methodsOf(wire)).toEqual(['notifications/tools/list_changed']);
  });

  it('go to nobody before initialize, and never unasked to a client that only spoke modern', async () => {
    const server = everything();
    const silent = served(server);
    const modern = served(server, line('modern', 1, 'tools/list'));
    server.removeTool('t');
    server.resourceUpdated('mem://a');
    server.log('emergency', 'all');
    await endOfTurn();
    expect([...silent.sent, ...modern.sent]).toEqual([]);
  });

  it('of a kind that initialize did not advertise are not told; a later initialize does', async () => {
    const server = new McpServer(info);
    const wire = served(server, INITIALIZE);
    server.registerTool('t', {}, () => '');
    await endOfTurn();
    expect(wire.sent).toEqual([]);
    feedEach(wire, INITIALIZE);
    wire.take();
    server.removeTool('t');
    await endOfTurn();
    expect(methodsOf(wire)).toEqual(['notifications/tools/list_changed']);
  });

  it('a removal that removes nothing is no change', async () => {
    const server = everything();
    const wire = served(server, INITIALIZE);
    expect(server.removeTool('none')).toBe(false);
    expect(server.removeResource('none')).toBe(false);
    await endOfTurn();
    expect(wire.sent).toEqual([]);
  });

  it('both eras on one connection are told each in its way', async () => {
    const server = everything();
    const wire = served(
      server,
      INITIALIZE,
      line('modern', 5, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    server.removeTool('t');
    await endOfTurn();
    expect(wire.take().map((frame) => frame.params?._meta)).toEqual([
      undefined,
      { 'io.modelcontextprotocol/subscriptionId': 5 },
    ]);
  });

  it('a session that has ended is told nothing', async () => {
    const server = everything();
    const wire = served(server, INITIALIZE);
    wire.feedEnd();
    await wire.closed;
    server.removeTool('t');
    await endOfTurn();
    expect(wire.sent).toEqual([]);
  });

  it('a list that is read in the same turn shows the change already', () => {
    const server = everything();
    const wire = served(server, INITIALIZE, line('legacy', 2, 'tools/list'));
    server.removeTool('t');
    feedEach(wire, line('legacy', 3, 'tools/list'), line('legacy', 4, 'tools/call', { name: 't' }));
    const [list, call] = wire.take();
    expect(list.result.tools).toEqual([]);
    expect(call.error.code).toBe(-32602);
  });
});

describe('a tool that is removed', () => {
  it('is unknown at once, also if it was the last one called, and may come again as another', () => {
    const server = new McpServer(info).registerTool('t', {}, () => 'old');
    const wire = served(server, INITIALIZE, line('legacy', 2, 'tools/call', { name: 't' }));
    server.removeTool('t');
    feedEach(wire, line('legacy', 3, 'tools/call', { name: 't' }));
    expect(wire.take()[0].error.message).toBe('Unknown tool: t');
    server.registerTool('t', {}, () => 'new');
    feedEach(wire, line('legacy', 4, 'tools/call', { name: 't' }));
    expect(wire.take()[0].result.content[0].text).toBe('new');
  });
});

describe('resources/subscribe', () => {
  const subscribe = (id: number, uri: unknown) => line('legacy', id, 'resources/subscribe', { uri });

  it('tells of updates of that URI until resources/unsubscribe', () => {
    const server = everything();
    const wire = served(server, INITIALIZE);
    feedEach(wire, subscribe(2, 'mem://a'), subscribe(3, 'mem://n/7'), subscribe(4, 'mem://a'));
    expect(wire.take().map(({ result }) => result)).toEqual([{}, {}, {}]);
    server.resourceUpdated('mem://a');
    server.resourceUpdated('mem://n/7');
    server.resourceUpdated('mem://n/8');
    expect(wire.take()).toEqual(
      ['mem://a', 'mem://n/7'].map((uri) => ({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri },
      })),
    );
    feedEach(wire, line('legacy', 5, 'resources/unsubscribe', { uri: 'mem://a' }));
    expect(wire.take()[0].result).toEqual({});
    server.resourceUpdated('mem://a');
    expect(wire.sent).toEqual([]);
  });

  it('is of one connection', () => {
    const server = everything();
    const [one, other] = [served(server, INITIALIZE, subscribe(2, 'mem://a')), served(server, INITIALIZE)];
    server.resourceUpdated('mem://a');
    expect(methodsOf(one)).toEqual(['notifications/resources/updated']);
    expect(other.sent).toEqual([]);
  });

  it('of a URI that nothing could answer for is -32602 with it', () => {
    const wire = served(everything(), INITIALIZE);
    feedEach(wire, subscribe(2, 'mem://zz'), subscribe(3, 5), line('legacy', 4, 'resources/unsubscribe'));
    expect(wire.take().map(({ error }) => [error.code, error.data])).toEqual([
      [-32602, { uri: 'mem://zz' }],
      [-32602, undefined],
      [-32602, undefined],
    ]);
  });

  it('has a limit, and one that is there already does not count again', () => {
    const wire = new Wire();
    serve(everything(), wire, { maxSubscriptions: 2 });
    feedEach(wire, INITIALIZE, ...[1, 2, 2, 3].map((n) => subscribe(10 + n, `mem://n/${n}`)));
    const answers = wire.take().slice(1);
    expect(answers.map((answer) => answer.error?.message)).toEqual([
      undefined,
      undefined,
      undefined,
      'Subscription limit reached',
    ]);
    feedEach(
      wire,
      line('legacy', 20, 'resources/unsubscribe', { uri: 'mem://n/1' }),
      subscribe(21, 'mem://n/3'),
    );
    expect(wire.take().map(({ result }) => result)).toEqual([{}, {}]);
  });

  it('a new initialize begins anew', () => {
    const server = everything();
    const wire = served(server, INITIALIZE, subscribe(2, 'mem://a'), INITIALIZE);
    server.resourceUpdated('mem://a');
    expect(wire.sent).toEqual([]);
  });

  it('an update that waits for a slow client is dropped when it unsubscribes', () => {
    const server = everything();
    const wire = served(server, INITIALIZE, subscribe(2, 'mem://a'));
    wire.isFull = true;
    server.resourceUpdated('mem://a');
    wire.isFull = false;
    feedEach(wire, line('legacy', 5, 'resources/unsubscribe', { uri: 'mem://a' }));
    wire.take();
    wire.drain();
    expect(wire.sent).toEqual([]);
  });
});

describe('log messages of the server', () => {
  const setLevel = (level: unknown) => line('legacy', 9, 'logging/setLevel', { level });

  it('go to legacy clients: all at first, from the level on that they set', () => {
    const server = new McpServer(info);
    const wire = served(server, INITIALIZE);
    server.log('debug', { a: [1] }, 'core');
    feedEach(wire, setLevel('warning'));
    server.log('notice', 'no');
    server.log('warning', 'yes');
    server.log('emergency', null);
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'debug', logger: 'core', data: { a: [1] } },
      },
      { jsonrpc: '2.0', id: 9, result: {} },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'warning', data: 'yes' } },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'emergency', data: null } },
    ]);
  });

  it.each(['loud', '', 5, undefined, 'constructor'])('the level %j is -32602', (level) => {
    const wire = served(new McpServer(info), INITIALIZE);
    feedEach(wire, setLevel(level));
    expect(wire.take()[0].error.code).toBe(-32602);
  });

  it('a server that does not offer them sends none and has no logging/setLevel', () => {
    const server = new McpServer(info, { logging: false });
    const wire = served(server, INITIALIZE);
    server.log('error', 'x');
    feedEach(wire, setLevel('info'), line('modern', 1, 'server/discover'));
    const [level, discover] = wire.take();
    expect(level.error.code).toBe(-32601);
    expect(discover.result.capabilities).toEqual({});
  });

  it('an unknown level is refused', () => {
    expect(() => new McpServer(info).log('loud' as 'info', 'x')).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });
});
