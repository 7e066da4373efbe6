import { describe, expect, it } from 'vitest';
import { isMcpError } from '../../src/errors.ts';
import type { ServeOptions, ServerSession } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

function run({ maxParkedBytes, ...options }: ServeOptions & { maxParkedBytes?: number } = {}): {
  gate: Gate;
  wire: Wire;
  session: ServerSession;
} {
  const gate = new Gate();
  const wire = new Wire(maxParkedBytes === undefined ? {} : { maxParkedBytes });
  const session = serve(exampleServer(gate), wire, options);
  wire.feed(INITIALIZE);
  wire.take();
  return { gate, wire, session };
}

const wait = (id: number | string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait"}}`;
const cancel = (id: number | string): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('requests in flight', () => {
  it('a slow call holds up neither ping nor other calls', () => {
    const { wire } = run();
    wire.feed(
      wait(2),
      ping(3),
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}',
    );
    expect(wire.take().map((answer) => answer.id)).toEqual([3, 4]);
  });

  it('a synchronous handler leaves nothing in flight', () => {
    const { wire, session } = run();
    wire.feed(
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}',
    );
    expect(wire.take()).toHaveLength(1);
    expect(session.stats.running).toBe(0);
  });

  it('cancel matches strictly: "7" is not 7, 7.0 is', () => {
    const { gate, wire } = run();
    wire.feed(wait(7), cancel('"7"'));
    expect(gate.contexts[0]?.signal.aborted).toBe(false);
    wire.feed(cancel('7.0'));
    expect(gate.contexts[0]?.signal.aborted).toBe(true);
  });

  it('cancel finds an id beyond 2^53 by its exact digits', () => {
    const { gate, wire } = run();
    wire.feed(wait('9007199254740993'), wait('9007199254740992'), cancel('9007199254740993'));
    expect(gate.contexts.map((context) => context.signal.aborted)).toEqual([true, false]);
    expect(gate.contexts[0]?.requestId).toBe(9007199254740993n);
  });

  it('cancel works for the ids 0 and ""', () => {
    const { gate, wire, session } = run();
    wire.feed(wait(0), wait('""'), cancel(0), cancel('""'));
    expect(gate.contexts.map((context) => context.signal.aborted)).toEqual([true, true]);
    expect(session.stats.cancelled).toBe(2);
  });

  it('the reason of a cancel is an McpError CANCELLED, also on a signal that is read later', () => {
    const { gate, wire } = run();
    wire.feed(
      wait(2),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"bored"}}',
    );
    const reason: unknown = gate.contexts[0]?.signal.reason;
    expect(isMcpError(reason) && reason.code).toBe('CANCELLED');
    expect((reason as Error).message).toContain('bored');
  });

  it('after a cancel a careless handler can send nothing: no progress, no result, no error', async () => {
    const { gate, wire, session } = run();
    wire.feed(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":1}}}',
      wait(3),
      cancel(2),
      cancel(3),
    );
    gate.contexts[0]?.progress(1);
    gate.open();
    gate.fail(new Error('aborted'));
    await turn();
    expect(wire.take()).toEqual([]);
    expect(session.stats.lateResults).toBe(2);
  });

  it('a cancelled id is in flight until its handler has settled', async () => {
    const { gate, wire } = run();
    wire.feed(wait(2), cancel(2), wait(2));
    expect(wire.take()[0].error.message).toBe('Duplicate request id');
    gate.open();
    await turn();
    wire.feed(wait(2));
    expect(gate.waiting).toBe(1);
  });

  it('a rejected handler is a result with isError, whatever it rejects with', async () => {
    const { gate, wire } = run();
    wire.feed(wait(2), wait(3), wait(4));
    gate.fail(new Error('broken'));
    gate.fail('plain text');
    gate.fail(Object.create(null));
    const answers = await wire.takeWhen(3);
    expect(answers.map((answer) => [answer.result.isError, answer.result.content[0].text])).toEqual([
      [true, 'broken'],
      [true, 'plain text'],
      [true, 'Unknown error'],
    ]);
  });

  it.each([
    ['null', null],
    ['a number', 5],
    ['an object without content', {}],
    ['a BigInt inside', { content: [{ type: 'text', text: 5n }] }],
  ])('a handler that returns %s is answered -32603', (_, value) => {
    const { gate, wire } = run();
    wire.feed(wait(2));
    gate.open(value as never);
    return wire
      .takeWhen(1)
      .then(([answer]) => expect(answer).toMatchObject({ id: 2, error: { code: -32603 } }));
  });

  it('beyond maxInFlight requests wait in order, ping and cancels do not', async () => {
    const { gate, wire, session } = run({ maxInFlight: 2 });
    wire.feed(wait(1), wait(2), wait(3), wait(4), ping(5), cancel(3));
    await turn();
    expect(gate.waiting).toBe(2);
    expect(wire.take().map((answer) => answer.id)).toEqual([5]);
    expect(session.stats).toMatchObject({ running: 2, parked: 1, cancelled: 1 });
    gate.open();
    gate.open();
    expect((await wire.takeWhen(2)).map((answer) => answer.id)).toEqual([1, 2]);
    expect(gate.waiting).toBe(1);
    gate.open();
    expect((await wire.takeWhen(1))[0].id).toBe(4);
  });

  it('a parked id is in flight: its second request is -32600', async () => {
    const { wire } = run({ maxInFlight: 1 });
    wire.feed(wait(1), wait(2), ping(2));
    await turn();
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 2, error: { code: -32600, message: 'Duplicate request id' } },
    ]);
  });

  it('a cancel releases no credit before the handler has settled', async () => {
    const { gate, wire } = run({ maxInFlight: 1 });
    wire.feed(wait(1), cancel(1), wait(2));
    expect(gate.waiting).toBe(1);
    gate.open();
    await turn();
    expect(gate.waiting).toBe(1);
    gate.open('second');
    expect((await wire.takeWhen(1))[0].result.content[0].text).toBe('second');
  });

  it('bad JSON in a parked request is a fault when its turn comes', async () => {
    const { gate, wire, session } = run({ maxInFlight: 1 });
    wire.feed(
      wait(1),
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","arguments":{"a":01}}}',
      wait(3),
    );
    await turn();
    expect(session.stats).toMatchObject({ faults: 0, parked: 2 });
    gate.open();
    gate.open();
    expect((await wire.takeWhen(1)).map((answer) => answer.id)).toEqual([1]);
    expect(session.stats).toMatchObject({ faults: 1, parked: 0, running: 1 });
  });

  it('a parked request keeps its progress token exactly', async () => {
    const { gate, wire } = run({ maxInFlight: 1 });
    wire.feed(
      wait(1),
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":9007199254740993}}}',
    );
    gate.open();
    await wire.takeWhen(1);
    gate.contexts[1]?.progress(1);
    expect(wire.sent[0]).toContain('"progressToken":9007199254740993');
  });

  it('with the parked queue full reading stops, and goes on when it is half empty; every request is answered once', async () => {
    const { gate, wire, session } = run({ maxInFlight: 1, maxParkedBytes: 2000 });
    const ids = Array.from({ length: 40 }, (_, at) => at + 1);
    wire.feed(...ids.map(wait));
    await turn();
    expect(wire.paused).toBe(true);
    expect(session.stats.parkedBytes).toBeLessThanOrEqual(2000);
    expect(session.stats.parkedBytes).toBeGreaterThan(1000);
    expect(session.stats.readStalls).toBe(1);
    const answers: number[] = [];
    while (answers.length < ids.length) {
      gate.open();
      await turn();
      answers.push(...wire.take().map((answer) => answer.id));
    }
    expect(answers).toEqual(ids);
    expect(session.stats).toMatchObject({ parked: 0, parkedBytes: 0, running: 0 });
  });

  it('while reading is stopped nothing is read, ping neither; it goes on when the queue is half empty', async () => {
    const { gate, wire } = run({ maxInFlight: 1, maxParkedBytes: 4 * (wait(1).length + 512) });
    wire.feed(...[1, 2, 3, 4, 5, 6].map(wait), ping(7));
    await turn();
    expect(wire.paused).toBe(true);
    const answered: number[] = [];
    for (let count = 1; count <= 2; count++) {
      expect(wire.paused).toBe(true);
      expect(answered).not.toContain(7);
      gate.open();
      await turn();
      answered.push(...wire.take().map((answer) => answer.id));
    }
    expect(wire.paused).toBe(false);
    expect(answered).toEqual([1, 2, 7]);
  });

  it('while the outbox is full requests wait, and run when it has drained', () => {
    const { wire, session } = run();
    wire.full = true;
    const echo = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`;
    wire.feed(echo(1), echo(2), echo(3), ping(4));
    expect(wire.take().map((answer) => answer.id)).toEqual([1, 4]);
    expect(session.stats.parked).toBe(2);
    wire.drain();
    expect(wire.take().map((answer) => answer.id)).toEqual([2, 3]);
  });

  it('3,000 calls at once are all answered, 1,024 running at a time', async () => {
    const { gate, wire, session } = run();
    let most = 0;
    wire.feed(...Array.from({ length: 3000 }, (_, at) => wait(at)));
    const answers: number[] = [];
    while (answers.length < 3000) {
      most = Math.max(most, session.stats.running);
      while (gate.waiting > 0) gate.open();
      await turn();
      answers.push(...wire.take().map((answer) => answer.id));
    }
    expect(most).toBe(1024);
    expect(answers.sort((a, b) => a - b)).toEqual(Array.from({ length: 3000 }, (_, at) => at));
  });
});
