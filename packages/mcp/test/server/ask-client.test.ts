import { expect, it, vi } from 'vitest';
import { isMcpError } from '../../src/errors.ts';
import { McpServer } from '../../src/server/mcp-server.ts';
import type { Call } from '../../src/server/run/call.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { INITIALIZE, info, M } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

/** A server whose tool asks the client, and tells what came of it. */
function asking(wire: Wire = new Wire(), options: ServeOptions = {}) {
  const reports: string[] = [];
  const server = new McpServer(info).registerTool('ask', {}, async (_, context) => {
    try {
      const answer = await (context as Call).connection.askClient('roots/list', { a: 1 }, context.signal);
      return JSON.stringify(answer);
    } catch (error) {
      return isMcpError(error) ? error.code : String(error);
    }
  });
  const session = serve(server, wire, {
    onReport: ({ code, message }) => reports.push(`${code}: ${message}`),
    ...options,
  });
  return { wire, session, reports };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ask = (id: number | string, meta = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"ask"${meta}}}`;
const textOf = (frame: { result: { content: { text: string }[] } }): string | undefined =>
  frame.result.content[0]?.text;

it('a handler asks with an id of the server, which has nothing to do with those of the client', async () => {
  const { wire, session } = asking();
  wire.feed(INITIALIZE, ask(0));
  expect(wire.take()[1]).toEqual({ jsonrpc: '2.0', id: 0, method: 'roots/list', params: { a: 1 } });
  wire.feed('{"jsonrpc":"2.0","id":0,"result":{"roots":[]}}');
  const [answer] = await wire.takeWhen(1);
  expect(textOf(answer)).toBe('{"roots":[]}');
  expect(session.stats).toMatchObject({ asked: 1, askedAnswers: 1, asking: 0, unmatchedAnswers: 0 });
});

it('before initialize nothing is asked, also not of a modern client', async () => {
  const { wire } = asking();
  wire.feed(ask(1, `,"_meta":{${M}}`));
  const [answer] = await wire.takeWhen(1);
  expect(textOf(answer)).toBe('OPTION_INVALID');
});

it('an answer that nobody waits for is counted and reported, before the first question and after it', async () => {
  const { wire, session, reports } = asking();
  wire.feed(INITIALIZE, '{"jsonrpc":"2.0","id":0,"result":{}}', ask(1));
  wire.feed('{"jsonrpc":"2.0","id":"0","result":{}}', '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}');
  expect(reports).toEqual([
    'UNMATCHED_ANSWER: answer for 0, waiting for none',
    'UNMATCHED_ANSWER: answer for "0", waiting for 0',
    'UNMATCHED_ANSWER: answer for no id, waiting for 0',
  ]);
  expect(session.stats.unmatchedAnswers).toBe(3);
});

it('an invalid or oversize answer fails its own question at once', async () => {
  const { wire } = asking(new Wire({ maxFrameBytes: 1024 }));
  wire.feed(INITIALIZE, ask(1), ask(2));
  wire.take();
  wire.feed(
    '{"jsonrpc":"2.0","id":0,"result":null}',
    `{"id":1,"jsonrpc":"2.0","result":{"x":"${'x'.repeat(2000)}"}}`,
  );
  expect((await wire.takeWhen(2)).map(textOf)).toEqual(['INVALID_RESPONSE', 'FRAME_TOO_LARGE']);
});

it('a cancel of the call gives its question up: the client hears that, and its answer is late', async () => {
  const { wire, session } = asking();
  wire.feed(INITIALIZE, ask(7));
  wire.take();
  wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  await session.settled();
  expect(wire.take()).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 0, reason: 'Cancelled by the caller' },
    },
  ]);
  wire.feed('{"jsonrpc":"2.0","id":0,"result":{}}');
  expect(session.stats).toMatchObject({ askedCancelled: 1, lateAnswers: 1, asking: 0, cancelled: 1 });
  expect(wire.sent).toEqual([]);
});

it('no answer within inputTimeoutMs rejects and tells the client', async () => {
  vi.useFakeTimers();
  try {
    const { wire } = asking(new Wire(), { inputTimeoutMs: 100 });
    wire.feed(INITIALIZE, ask(1));
    wire.take();
    await vi.advanceTimersByTimeAsync(101);
    const [cancel, answer] = wire.take();
    expect(cancel.params).toEqual({ requestId: 0, reason: 'Request timed out' });
    expect(textOf(answer)).toBe('REQUEST_TIMEOUT');
  } finally {
    vi.useRealTimers();
  }
});

it('the end of input fails open questions at once, so the call is answered and the session ends', async () => {
  const { wire, session } = asking();
  wire.feed(INITIALIZE, ask(1));
  wire.take();
  wire.feedEnd();
  await session.closed;
  expect(wire.take().map(textOf)).toEqual(['PEER_CLOSED']);
});

it('close() and a lost connection fail them too', async () => {
  const { wire, session } = asking();
  wire.feed(INITIALIZE, ask(1));
  await session.close();
  await session.settled();
  const lost = asking();
  lost.wire.feed(INITIALIZE, ask(1));
  await lost.wire.finish({ kind: 'peer-closed' });
  await lost.session.settled();
  expect(lost.session.stats).toMatchObject({ asking: 0, running: 0 });
  expect(session.stats).toMatchObject({ asking: 0, running: 0 });
});

it('while the outbox is full questions wait, a bounded number, and go out when it has drained', async () => {
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const server = new McpServer(info).registerTool('ask', {}, async (_, context) => {
    await started;
    const answer = await (context as Call).connection.askClient('roots/list', undefined);
    return JSON.stringify(answer);
  });
  const wire = new Wire();
  const session = serve(server, wire, { maxWaitingRequests: 1 });
  wire.feed(INITIALIZE, ask(1), ask(2));
  wire.take();
  wire.isFull = true;
  start();
  const [refused] = await wire.takeWhen(1);
  expect(refused).toMatchObject({ id: 2, result: { isError: true } });
  expect(textOf(refused)).toContain('maxWaitingRequests');
  wire.drain();
  expect(wire.take().map((frame) => frame.method)).toEqual(['roots/list']);
  wire.feed('{"jsonrpc":"2.0","id":0,"result":{"n":0}}');
  expect((await wire.takeWhen(1)).map(textOf)).toEqual(['{"n":0}']);
  expect(session.stats.running).toBe(0);
});

/** Room for one parked request. */
const TIGHT = { maxParkedBytes: 700 };

it.each(['before', 'after'])(
  'requests that have no room are refused as overloaded while a question waits that was asked %s reading stopped, so its answer is read',
  async (when) => {
    let start = (): void => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const server = new McpServer(info).registerTool('ask', {}, async (_, context) => {
      if (when === 'after') await started;
      const answer = await (context as Call).connection.askClient('roots/list', undefined);
      return JSON.stringify(answer);
    });
    const wire = new Wire(TIGHT);
    const session = serve(server, wire, { maxInFlight: 1 });
    wire.feed(INITIALIZE);
    wire.take();
    // One runs, one is parked, one has no room; behind it is the answer that the first one waits for.
    wire.feed(ask(1), ask(2), ask(3), '{"jsonrpc":"2.0","id":0,"result":{"n":0}}');
    await turn();
    expect(session.stats.readStalls).toBe(when === 'after' ? 1 : 0);
    start();
    await vi.waitFor(() => expect(session.stats.askedAnswers).toBe(1));
    await vi.waitFor(() => expect(wire.sent.some((line) => line.includes('"id":1,"result"'))).toBe(true));
    wire.feed('{"jsonrpc":"2.0","id":1,"result":{"n":1}}');
    await vi.waitFor(() => expect(session.stats.running).toBe(0));
    const answers = wire.take().filter((frame) => frame.method === undefined);
    expect(answers.map((frame) => [frame.id, frame.error ?? textOf(frame)])).toEqual([
      [3, { code: -32603, message: 'overloaded', data: { reason: 'overloaded' } }],
      [1, '{"n":0}'],
      [2, '{"n":1}'],
    ]);
    expect(session.stats).toMatchObject({ overloaded: 1, parked: 0 });
  },
);

it('without a question reading stops instead, and no request is refused', async () => {
  let open = (): void => {};
  const server = new McpServer(info).registerTool(
    'wait',
    {},
    () =>
      new Promise<string>((resolve) => {
        open = () => resolve('done');
      }),
  );
  const wire = new Wire(TIGHT);
  const session = serve(server, wire, { maxInFlight: 1 });
  const call = (id: number): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait"}}`;
  wire.feed(INITIALIZE, call(1), call(2), call(3));
  await turn();
  expect(session.stats).toMatchObject({ parked: 1, readStalls: 1, overloaded: 0 });
  for (let done = 1; done <= 3; done++) {
    open();
    await vi.waitFor(() => expect(session.stats.answers).toBe(1 + done));
  }
});
