import { describe, expect, it } from 'vitest';
import { McpServer } from '../../src/server/mcp-server.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { INITIALIZE, info } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

// Requests beyond the credit that came in one read.

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const call = (id: number, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`;
const calls = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => call(at, name));

function start(maxInFlight: number) {
  let running = 0;
  let most = 0;
  const enter = (): void => {
    most = Math.max(most, ++running);
  };
  const server = new McpServer(info)
    .registerTool('quick', {}, async () => {
      enter();
      for (let level = 0; level < 10; level++) await null;
      running--;
      return 'quick';
    })
    .registerTool('deep', {}, async () => {
      enter();
      for (let level = 0; level < 100; level++) await null;
      running--;
      return 'deep';
    })
    .registerTool('sync', {}, () => 'sync');
  const wire = new Wire();
  const session = serve(server, wire, { maxInFlight });
  wire.feed(INITIALIZE);
  wire.take();
  return { wire, session, most: () => most };
}

describe('requests beyond the credit that came in one read', () => {
  endlessTurns();

  it('are not parked while handlers are about to settle: all are answered in the same turn, in order', async () => {
    const { wire, session, most } = start(4);
    wire.feed(...calls(50, 'quick'));
    // Not one timer, read or other callback comes before the answers.
    const later = turn();
    await Promise.resolve();
    for (let hop = 0; hop < 1000 && wire.sent.length < 50; hop++) {
      await null;
      expect(session.stats.parked).toBe(0);
    }
    expect(wire.take().map((answer) => answer.id)).toEqual(Array.from({ length: 50 }, (_, at) => at));
    expect(session.stats).toMatchObject({ parked: 0, running: 0, requests: 51 });
    expect(most()).toBe(4);
    await later;
  });

  it('are parked when handlers settle later than that, so that a ping behind them is answered first', async () => {
    const { wire, session, most } = start(2);
    wire.feed(...calls(10, 'deep'), '{"jsonrpc":"2.0","id":"p","method":"ping"}');
    while (wire.sent.length === 0) await null;
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 'p', result: {} }]);
    expect(session.stats).toMatchObject({ parked: 8, running: 2 });
    expect((await wire.takeWhen(10)).map((answer) => answer.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most()).toBe(2);
  });

  it('are read on behind a cancel and other kinds of frames', async () => {
    const { wire, session } = start(1);
    wire.feed(
      call(0, 'deep'),
      call(1, 'sync'),
      'no json',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      call(2, 'sync'),
    );
    expect((await wire.takeWhen(2)).map((answer) => answer.id)).toEqual([0, 2]);
    expect(session.stats).toMatchObject({ cancelled: 1, faults: 1, parked: 0 });
  });

  it('are all answered when the input ends behind them', async () => {
    const { wire, session } = start(3);
    wire.feed(...calls(20, 'quick'));
    wire.feedEnd();
    await session.closed;
    expect(wire.take()).toHaveLength(20);
  });

  it('get nothing when the session is closed before they were looked at', async () => {
    const { wire, session } = start(1);
    wire.feed(...calls(5, 'deep'));
    await session.close();
    await session.settled();
    await turn();
    expect(wire.take().map((answer) => answer.id)).toEqual([0]);
  });
});
