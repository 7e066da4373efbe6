import { afterEach, expect, it, vi } from 'vitest';
import { McpServer } from '../../src/server/mcp-server.ts';
import { serve } from '../../src/server/server-session.ts';
import { TurnBudget } from '../../src/server/turn-budget.ts';
import { INITIALIZE, info } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

afterEach(() => {
  vi.useRealTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const call = (id: number, name = 'busy'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`;

/** A tool that keeps the thread busy for some milliseconds, and one whose answers are long. */
function busyServer(ms: number): McpServer {
  return new McpServer(info)
    .registerTool('busy', {}, () => {
      const until = performance.now() + ms;
      while (performance.now() < until);
      return 'done';
    })
    .registerTool('long', {}, () => 'x'.repeat(100_000));
}

it('slow synchronous handlers let other work in after about 10 ms: a ping and a cancel behind them are heard', async () => {
  const wire = new Wire();
  const session = serve(busyServer(4), wire);
  wire.feed(INITIALIZE);
  wire.take();
  wire.feed(...Array.from({ length: 20 }, (_, at) => call(at + 2)));
  const inFirstTurn = wire.take().length;
  expect(inFirstTurn).toBeLessThan(10);
  wire.feed('{"jsonrpc":"2.0","id":99,"method":"ping"}');
  expect(wire.take().map((answer) => answer.id)).toEqual([99]);
  wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":21}}');
  expect(session.stats.cancelled).toBe(1);
  let ids: number[] = [];
  let turns = 0;
  while (ids.length + inFirstTurn < 19) {
    await turn();
    turns++;
    ids = [...ids, ...wire.take().map((answer) => answer.id as number)];
  }
  expect(turns).toBeGreaterThan(1);
  expect(ids).toEqual(Array.from({ length: 19 - inFirstTurn }, (_, at) => at + 2 + inFirstTurn));
  await turn();
  expect(session.stats).toMatchObject({ parked: 0, requests: 21 });
});

it('the answers of a turn of fast handlers are written before the next turn runs more of them', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const wire = new Wire();
  const server = new McpServer(info).registerTool('fill', {}, () => {
    wire.queuedBytes += 256 * 1024;
    return 'done';
  });
  serve(server, wire);
  wire.feed(INITIALIZE);
  wire.take();
  wire.feed(call(2, 'fill'), call(3, 'fill'));
  expect(wire.sent.length).toBe(1);
  expect(wire.flushedCount).toBe(1);
});

it('async handlers that settle at once and become slow let other work in, with little credit too', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  for (const maxInFlight of [1, 8]) {
    const wire = new Wire();
    let called = 0;
    const server = new McpServer(info).registerTool('busy', {}, async () => {
      called++;
      vi.advanceTimersByTime(called > 40 ? 5 : 0.01);
      return 'done';
    });
    serve(server, wire, { maxInFlight });
    wire.feed(INITIALIZE);
    wire.take();
    wire.feed(...Array.from({ length: 200 }, (_, at) => call(at + 2)));
    await turn();
    // A look is due at every sixteenth fast request, and the first one behind 10 ms ends the turn.
    expect(called).toBeLessThan(40 + 2 * 16);
    while (called < 200) await turn();
    await turn();
    expect(wire.take().length).toBe(200);
  }
});

it('the end of input waits for what was left for later turns', async () => {
  const wire = new Wire();
  const session = serve(busyServer(4), wire);
  wire.feed(INITIALIZE, ...Array.from({ length: 8 }, (_, at) => call(at + 2)));
  wire.feedEnd();
  await session.closed;
  expect(wire.take().map((answer) => answer.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a turn is over after 10 ms or 256 KiB unsent, and the clock is read at every sixteenth fast request', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const budget = new TurnBudget();
  budget.begin(0);
  expect(budget.untilLook).toBe(1);
  expect(budget.isOver(0)).toBe(false);
  expect(budget.untilLook).toBe(16);
  expect(budget.isSlow).toBe(false);
  expect(budget.isOver(256 * 1024 - 1)).toBe(false);
  expect(budget.isOver(256 * 1024)).toBe(true);
  budget.begin(1024 * 1024);
  // The speed of the last turn says nothing about this one.
  expect(budget.untilLook).toBe(1);
  vi.advanceTimersByTime(9);
  expect(budget.isOver(1024 * 1024 + 1000)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(budget.isOver(1024 * 1024)).toBe(true);
  expect(budget.untilLook).toBe(1);
  expect(budget.isSlow).toBe(true);
});
