import { describe, expect, it, vi } from 'vitest';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { exampleServer, Gate, INITIALIZE, M } from '../support/example-server.ts';
import { type Frame, Wire } from '../support/wire.ts';

const HELLO = INITIALIZE.replace('2025-11-25', '2025-03-26');

function session(options: ServeOptions = {}, hello = HELLO) {
  const gate = new Gate();
  const wire = new Wire();
  const reports: string[] = [];
  const served = serve(exampleServer(gate), wire, {
    batches: true,
    onReport: ({ code }) => reports.push(code),
    ...options,
  });
  wire.feed(hello);
  wire.take();
  return { gate, wire, reports, session: served };
}

const ping = (id: number | string): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const wait = (id: number | string, more = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait"${more}}}`;
const cancel = (id: number | string): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
const array = (...messages: string[]): string => `[${messages.join(',')}]`;
/** Handlers that run, also when a loaded machine has ended a turn before all of them were started. */
const started = (gate: Gate, count: number): Promise<void> =>
  vi.waitFor(() => expect(gate.waiting).toBe(count));
const idsOf = (frame: Frame): unknown[] => frame.map(({ id }: { id: unknown }) => id);

describe('an array', () => {
  it('is answered by one array, with nothing for notifications', async () => {
    const { wire, session: served } = session();
    wire.feed(
      array(
        ping(1),
        '{"jsonrpc":"2.0","method":"notifications/x"}',
        '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
      ),
    );
    expect(await wire.takeWhen(1)).toEqual([
      [
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found: no/such' } },
      ],
    ]);
    expect(served.stats).toMatchObject({ batches: 1, openBatches: 0, requests: 3, answers: 3 });
  });

  it.each([
    ['the option is off', { batches: false }, HELLO],
    ['another revision was agreed on', {}, INITIALIZE],
    ['nothing was agreed on', {}, ping(0)],
  ])('is reported and ignored when %s', (_, options, hello) => {
    const { wire, reports, session: served } = session(options, hello);
    wire.feed(array(ping(1)));
    expect(wire.sent).toEqual([]);
    expect(reports).toEqual(['BATCH_REFUSED']);
    expect(served.stats.batches).toBe(1);
  });

  it('of notifications and answers alone has no answer', () => {
    const { wire, session: served } = session();
    wire.feed(
      array(cancel(9), '{"jsonrpc":"2.0","id":0,"result":{}}', '{"jsonrpc":"2.0","id":0,"result":null}'),
    );
    expect(wire.sent).toEqual([]);
    expect(served.stats).toMatchObject({ openBatches: 0, unmatchedAnswers: 1, invalid: 1 });
  });

  it.each(['1', '1.0', '-0', '9007199254740993', '12345678901234567890123456789', '"\\u0061"', '""'])(
    'has the id %s echoed as it was written',
    async (id) => {
      const { wire, gate } = session();
      wire.feed(array(wait(id), ping('"other"')));
      gate.open();
      await new Promise((resolve) => setImmediate(resolve));
      expect(wire.sent[0]).toContain(`{"jsonrpc":"2.0","id":${id},"result":{"content"`);
    },
  );

  it('waits for its slowest call; other lines are answered meanwhile', async () => {
    const { wire, gate } = session();
    wire.feed(array(wait(1), ping(2), wait(3)), ping(4));
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 4, result: {} }]);
    await started(gate, 2);
    gate.open();
    gate.open();
    const [answers] = await wire.takeWhen(1);
    expect(idsOf(answers)).toEqual([2, 1, 3]);
  });

  it('with spaces between its messages is read as well', () => {
    const { wire } = session();
    wire.feed(` [ ${ping(1)} ,\t${ping(2)} ] `);
    expect(idsOf(wire.take()[0])).toEqual([1, 2]);
  });

  it('that is empty is answered -32600 once, without an id', () => {
    const { wire, session: served } = session();
    wire.feed('[]', '[ ]');
    for (const frame of wire.take()) {
      expect(frame).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Invalid request: an empty batch' },
      });
    }
    expect(served.stats).toMatchObject({ invalid: 2, errors: 2 });
  });

  it('that is no JSON is a fault, and none of it runs', () => {
    const { wire, gate, session: served } = session();
    wire.feed(`[${wait(1)},{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":tru}}]`, `[${wait(3)}`);
    expect(wire.sent).toEqual([]);
    expect(gate.waiting).toBe(0);
    expect(served.stats).toMatchObject({ faults: 2, openBatches: 0 });
  });

  it('with bad messages has an error for each, with the id where there is one, and serves the others', () => {
    const { wire } = session();
    wire.feed(
      array(
        '1',
        'null',
        '"x"',
        '[]',
        '{}',
        '{"jsonrpc":"2.0","id":7}',
        '{"jsonrpc":"1.0","id":8,"method":"ping"}',
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        ping(9),
      ),
    );
    const [answers] = wire.take();
    expect(idsOf(answers)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      7,
      8,
      undefined,
      9,
    ]);
    expect(answers.slice(0, 8).every((answer: Frame) => answer.error.code === -32600)).toBe(true);
  });

  it('must hold neither initialize nor a request of a revision without batches', async () => {
    const { wire } = session();
    wire.feed(
      array(
        INITIALIZE,
        `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{${M}}}}`,
        '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
      ),
      array(ping(4)),
    );
    const [second, first] = (await wire.takeWhen(2)).sort((a, b) => a.length - b.length);
    expect(first.map(({ error }: Frame) => error?.code)).toEqual([-32600, -32600, undefined]);
    // The revision is still the one that has batches.
    expect(idsOf(second)).toEqual([4]);
  });

  it('that is longer than the limit is refused whole', () => {
    const { wire, gate } = session({ maxBatchMessages: 2 });
    wire.feed(array(wait(1), ping(2), ping(3)), array(ping(4), ping(5)));
    const [refused, served] = wire.take();
    expect(refused.error.message).toContain('the limit is 2 (maxBatchMessages)');
    expect(gate.waiting).toBe(0);
    expect(idsOf(served)).toEqual([4, 5]);
  });

  it('whose answers have no room waits for none of them: the large ones become errors', async () => {
    const { wire, gate } = session({ maxBatchAnswerBytes: 1024 });
    wire.feed(array(wait(1), wait(2), wait(3)));
    await started(gate, 3);
    gate.open('small');
    gate.open('x'.repeat(1000));
    gate.open('small again');
    const [answers] = await wire.takeWhen(1);
    expect(answers.map(({ error }: Frame) => error?.code)).toEqual([undefined, -32603, undefined]);
    // Sent answers take no room any more.
    wire.feed(array(wait(4)));
    gate.open('y'.repeat(800));
    expect((await wire.takeWhen(1))[0][0].error).toBeUndefined();
  });

  it('is refused whole while refusals of earlier ones fill the room for answers, and taken again when they are gone', async () => {
    const { wire, gate, reports, session: served } = session({ maxBatchAnswerBytes: 1024 });
    const malformed = Array.from({ length: 20 }, (_, id) => `{"jsonrpc":"2.0","id":${id + 10},"method":5}`);
    wire.feed(array(wait(1), ...malformed));
    await started(gate, 1);
    wire.take();
    reports.length = 0;
    wire.feed(array(wait(2), ...malformed));
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message:
            'Invalid request: no room for the answers, more than 1024 characters wait (maxBatchAnswerBytes)',
        },
      },
    ]);
    expect(reports).toEqual(['BATCH_REFUSED']);
    gate.open('done');
    expect((await wire.takeWhen(1))[0]).toHaveLength(21);
    wire.feed(array(ping(3)));
    expect((await wire.takeWhen(1))[0]).toHaveLength(1);
    expect(served.stats.openBatches).toBe(0);
  });
});

describe('credit', () => {
  it('is needed by each call, in the order of the array; ping needs none', async () => {
    const { wire, gate, session: served } = session({ maxInFlight: 2 });
    wire.feed(array(wait(1), wait(2), wait(3), ping(4), wait(5)), wait(6));
    await started(gate, 2);
    expect(served.stats).toMatchObject({ running: 2, parked: 3, openBatches: 1, requests: 4 });
    const order: unknown[] = [];
    while (served.stats.running > 0) {
      gate.open(String(order.length));
      await new Promise((resolve) => setImmediate(resolve));
      expect(served.stats.running).toBeLessThanOrEqual(2);
      for (const frame of wire.take()) order.push(Array.isArray(frame) ? idsOf(frame) : frame.id);
    }
    expect(order.flat().sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(order).toContainEqual([4, 1, 2, 3, 5]);
    expect(served.stats).toMatchObject({ parked: 0, openBatches: 0 });
  });

  it('is given in turns to arrays and to lines that wait: neither starves', async () => {
    const { wire, gate, session: served } = session({ maxInFlight: 1 });
    const many = Array.from({ length: 20 }, (_, at) => wait(100 + at));
    wire.feed(wait(1), array(...many), ...many.map((_, at) => wait(200 + at)));
    let inLines = 0;
    for (let done = 0; done < 21; done++) {
      gate.open();
      await new Promise((resolve) => setImmediate(resolve));
      inLines += wire.take().filter((frame) => !Array.isArray(frame)).length;
    }
    expect(inLines).toBeGreaterThan(5);
    expect(inLines).toBeLessThan(16);
    while (served.stats.running > 0) {
      gate.open();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('an array that finds more than 4 MiB waiting is left unread until there is room, and then served', async () => {
    const { wire, gate, session: served } = session({ maxInFlight: 1 });
    const big = (id: number): string => wait(id, `,"arguments":{"text":"${'x'.repeat(3 * 1024 * 1024)}"}`);
    wire.feed(array(wait(1), big(2), big(3)), array(ping(4)));
    expect(wire.sent).toEqual([]);
    expect(wire.paused).toBe(true);
    gate.open();
    await wire.takeWhen(1);
    expect(wire.paused).toBe(false);
    gate.open();
    await new Promise((resolve) => setImmediate(resolve));
    gate.open();
    await wire.takeWhen(1);
    expect(served.stats).toMatchObject({ openBatches: 0, parked: 0 });
  });
});

describe('ids and cancels', () => {
  it('a cancel ends a call that runs and one that waits; the array goes out without them', async () => {
    const { wire, gate, session: served } = session({ maxInFlight: 2 });
    wire.feed(array(wait(1), wait(2), wait(3)));
    await started(gate, 2);
    wire.feed(cancel(1), cancel(3));
    expect(served.stats).toMatchObject({ cancelled: 2, parked: 0 });
    expect(gate.contexts[0]?.signal.aborted).toBe(true);
    gate.open('too late');
    gate.open('in time');
    const [answers] = await wire.takeWhen(1);
    expect(idsOf(answers)).toEqual([2]);
  });

  it('an array whose calls are all cancelled has no answer', async () => {
    const { wire, gate, session: served } = session();
    wire.feed(array(wait(1), cancel(1)));
    gate.open();
    await served.settled();
    expect(wire.sent).toEqual([]);
    expect(served.stats.openBatches).toBe(0);
  });

  it('an id that is in flight is refused wherever it comes again, and the first call keeps its answer', async () => {
    const { wire, gate, session: served } = session();
    // In the array itself, also of a call that is answered but not sent; then in a line; then in another array.
    wire.feed(array(wait(1), ping(2), ping(2), wait(1)), ping(1), wait(2), array(wait(1), ping(3)));
    gate.open('mine');
    const frames = await wire.takeWhen(4);
    const duplicate = { code: -32600, message: 'Duplicate request id' };
    expect(frames.slice(0, 2)).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, error: duplicate })));
    expect(frames[2].map(({ id, error }: Frame) => [id, error?.code])).toEqual([
      [1, -32600],
      [3, undefined],
    ]);
    expect(frames[3].map(({ id, error }: Frame) => [id, error?.code])).toEqual([
      [2, undefined],
      [2, -32600],
      [1, -32600],
      [1, undefined],
    ]);
    expect(served.stats.duplicateIds).toBe(5);
    // And is free again afterwards.
    wire.feed(ping(1), ping(2));
    expect(wire.take().map((frame) => frame.error)).toEqual([undefined, undefined]);
  });

  it('a malformed line with an id of a call in an array is answered on its own', async () => {
    const { wire, gate } = session();
    wire.feed(array(wait(1)), '{"jsonrpc":"1.0","id":1,"method":"ping"}');
    expect(wire.take()).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    gate.open();
    expect((await wire.takeWhen(1))[0]).toMatchObject([{ id: 1, result: {} }]);
  });

  it('progress of a call in an array goes out at once', () => {
    const { wire, gate } = session();
    wire.feed(array(wait(1, ',"_meta":{"progressToken":9007199254740993}')));
    gate.contexts[0]?.progress(1);
    expect(wire.sent).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9007199254740993,"progress":1}}',
    ]);
  });
});

describe('the end', () => {
  it('of input waits for arrays, those that wait for credit too', async () => {
    const { wire, gate, session: served } = session({ maxInFlight: 1 });
    wire.feed(array(wait(1), wait(2)));
    wire.feedEnd();
    gate.open();
    await new Promise((resolve) => setImmediate(resolve));
    gate.open();
    await served.closed;
    expect(wire.take().map(idsOf)).toEqual([[1, 2]]);
  });

  it('by close() answers what runs and what waits', async () => {
    const { wire, session: served } = session({ maxInFlight: 1 });
    wire.feed(array(wait(1), wait(2), ping(3)));
    await served.close();
    const [answers] = wire.take();
    expect(answers.map(({ id, error }: Frame) => [id, error?.message])).toEqual([
      [3, undefined],
      [2, 'server shutting down'],
      [1, 'server shutting down'],
    ]);
  });
});

it('slow synchronous calls of an array let a ping and a cancel in between', async () => {
  const wire = new Wire();
  const { McpServer } = await import('../../src/server/mcp-server.ts');
  const server = new McpServer({ name: 'x', version: '1' }).registerTool('busy', {}, () => {
    const until = performance.now() + 4;
    while (performance.now() < until);
    return 'done';
  });
  const served = serve(server, wire, { batches: true });
  wire.feed(HELLO);
  wire.take();
  const calls = Array.from({ length: 20 }, (_, at) => wait(at + 2).replace('"wait"', '"busy"'));
  wire.feed(array(...calls));
  expect(served.stats.parked).toBeGreaterThan(5);
  wire.feed(ping(99), cancel(21));
  expect(wire.take().map((frame) => frame.id)).toEqual([99]);
  const [answers] = await wire.takeWhen(1);
  expect(idsOf(answers)).toEqual(Array.from({ length: 19 }, (_, at) => at + 2));
});
