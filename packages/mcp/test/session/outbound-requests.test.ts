import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isMcpError, isPeerError, McpError } from '../../src/errors.ts';
import { OutboundRequests, type OutboundSettings } from '../../src/session/outbound-requests.ts';
import { Wire } from '../support/wire.ts';

function side(settings: Partial<OutboundSettings> = {}, wire: Wire = new Wire()) {
  const reports: string[] = [];
  const outbound = new OutboundRequests(wire, {
    firstId: 0,
    requestTimeoutMs: 1000,
    maxWaitingRequests: 2,
    report: ({ code, message }) => reports.push(`${code}: ${message}`),
    ...settings,
  });
  wire.start({
    onFrames: (batch) => {
      for (let index = 0; index < batch.count; index++) {
        const kind = batch.kind(index);
        if (kind === 'notification') outbound.progress(batch.payload(index));
        else if (kind === 'invalid') outbound.invalidAnswer(batch.idKey(index), 'invalid');
        else if (kind === 'fault') outbound.oversizeAnswer(batch, index);
        else outbound.answer(batch, index);
      }
    },
    onDrain: () => outbound.drained(),
  });
  return { outbound, wire, reports };
}

/** Code of the error that a promise rejects with. */
async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise.then(() => 'resolved');
  } catch (error) {
    return isMcpError(error) || isPeerError(error) ? error.code : error;
  }
}

const result = (id: number | string, text = '{}'): string => `{"jsonrpc":"2.0","id":${id},"result":${text}}`;
const step = (token: number | string, progress: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${progress}}}`;

describe('requests of one side', () => {
  it('have ids of their own from the first one on, and each is settled by the answer of its id', async () => {
    const { outbound, wire } = side();
    const calls = [outbound.request('a', undefined), outbound.request('b', { x: 1 })];
    expect(wire.sent).toEqual([
      '{"jsonrpc":"2.0","id":0,"method":"a"}',
      '{"jsonrpc":"2.0","id":1,"method":"b","params":{"x":1}}',
    ]);
    wire.feed(result(1, '{"n":1}'), result(0, '{"n":0}'));
    expect(await Promise.all(calls)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('answers for others are counted and reported; those of requests that are done with are late', async () => {
    const { outbound, wire, reports } = side({ firstId: 1 });
    const first = outbound.request('a', undefined);
    const second = outbound.request('b', undefined);
    wire.feed(result(1));
    await first;
    wire.feed(result(0), result('"2"'), result(1), result(3));
    expect(reports).toEqual(
      ['0', '"2"', '1', '3'].map((id) => `UNMATCHED_ANSWER: answer for ${id}, waiting for 2`),
    );
    expect(outbound.counters).toMatchObject({ unmatchedAnswers: 4, lateAnswers: 1, answers: 1 });
    wire.feed(result(2));
    await second;
  });

  it.each([
    ['a result that is no object', '{"jsonrpc":"2.0","id":0,"result":[]}', 'INVALID_RESPONSE'],
    [
      'both outcomes',
      '{"jsonrpc":"2.0","id":0,"result":{},"error":{"code":1,"message":"x"}}',
      'INVALID_RESPONSE',
    ],
    ['an error without a code', '{"jsonrpc":"2.0","id":0,"error":{"message":"x"}}', 'INVALID_RESPONSE'],
    ['a shape that the caller does not want', result(0, '{"n":"1"}'), 'INVALID_RESPONSE'],
    ['more than the limit', result(0, `{"n":1,"text":"${'x'.repeat(2000)}"}`), 'FRAME_TOO_LARGE'],
    ['an error', '{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"rejected"}}', -1],
  ])('an answer with %s rejects at once', async (_, line, code) => {
    const { outbound, wire } = side({}, new Wire({ maxFrameBytes: 1024 }));
    const problemOf = ({ n }: Record<string, unknown>): string | undefined =>
      typeof n === 'number' ? undefined : 'n must be a number';
    const call = outbound.request('a', undefined, { problemOf });
    wire.feed(line);
    expect(await codeOf(call)).toBe(code);
    expect(outbound.size).toBe(0);
  });

  it('a check that throws rejects its own request', async () => {
    const { outbound, wire } = side();
    const broken = new Error('broken');
    const call = outbound.request('a', undefined, {
      problemOf: () => {
        throw broken;
      },
    });
    wire.feed(result(0));
    expect(await codeOf(call)).toBe(broken);
  });

  it('what the caller has in _meta stays beside the progress token', () => {
    const { outbound, wire } = side();
    void outbound.request('a', { _meta: { 'x/y': 1 } }, { onProgress: () => {} });
    expect(wire.take()[0].params._meta).toEqual({ 'x/y': 1, progressToken: 0 });
  });

  it('a callback for progress that throws is told as uncaught, and loses nothing', async () => {
    const { outbound, wire } = side();
    const seen: unknown[] = [];
    const broken = new Error('broken');
    const uncaught = vi.fn();
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').once('uncaughtException', uncaught);
    try {
      const call = outbound.request('a', undefined, {
        onProgress: ({ progress }) => {
          seen.push(progress);
          if (progress === 1) throw broken;
        },
      });
      wire.feed(step(0, 1), step(0, 2), result(0));
      await call;
      expect(seen).toEqual([1, 2]);
      await vi.waitFor(() => expect(uncaught).toHaveBeenCalledWith(broken, 'uncaughtException'));
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    }
  });

  it('no more than a number of them wait for a full outbox; one more is OVERLOADED', async () => {
    const { outbound, wire } = side();
    wire.isFull = true;
    const calls = [outbound.request('a', undefined), outbound.request('b', undefined)];
    expect(await codeOf(outbound.request('c', undefined))).toBe('OVERLOADED');
    wire.drain();
    expect(wire.take().map((frame) => frame.method)).toEqual(['a', 'b']);
    wire.feed(result(0), result(1));
    await Promise.all(calls);
  });

  it('one that is given up before it was sent never is, and gives its place to another', async () => {
    const { outbound, wire } = side();
    wire.isFull = true;
    const controller = new AbortController();
    const given = outbound.request('a', undefined, { signal: controller.signal });
    void outbound.request('b', undefined);
    controller.abort();
    expect(await codeOf(given)).toBe('CANCELLED');
    void outbound.request('c', undefined);
    wire.drain();
    expect(wire.take().map((frame) => frame.method)).toEqual(['b', 'c']);
    expect(outbound.counters.cancelled).toBe(1);
  });

  it('the end rejects what is pending and what is asked later, and leaves no listener and no timer', async () => {
    vi.useFakeTimers();
    try {
      const { outbound, wire } = side();
      const { signal } = new AbortController();
      const remove = vi.spyOn(signal, 'removeEventListener');
      const call = outbound.request('a', undefined, { signal });
      expect(vi.getTimerCount()).toBe(1);
      outbound.end((method) => new McpError('PEER_CLOSED', `over before ${method}`));
      expect(vi.getTimerCount()).toBe(0);
      expect(remove).toHaveBeenCalledOnce();
      await expect(call).rejects.toMatchObject({ code: 'PEER_CLOSED', message: 'over before a' });
      expect(await codeOf(outbound.request('b', undefined))).toBe('PEER_CLOSED');
      expect(wire.sent).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is up after timeoutMs, whatever the progress, unless that starts it again', async () => {
    const { outbound, wire } = side();
    const onProgress = (): void => {};
    const plain = outbound.request('plain', undefined, { timeoutMs: 100, onProgress });
    const fresh = outbound.request('fresh', undefined, {
      timeoutMs: 100,
      onProgress,
      resetTimeoutOnProgress: true,
    });
    await vi.advanceTimersByTimeAsync(60);
    wire.feed(step(0, 1), step(1, 1));
    await vi.advanceTimersByTimeAsync(60);
    expect(await codeOf(plain)).toBe('REQUEST_TIMEOUT');
    expect(outbound.size).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    await expect(fresh).rejects.toThrow('No answer to fresh (id 1) within 100 ms');
    const cancels = wire.take().filter((frame) => frame.method === 'notifications/cancelled');
    expect(cancels.map((frame) => frame.params)).toEqual([
      { requestId: 0, reason: 'Request timed out' },
      { requestId: 1, reason: 'Request timed out' },
    ]);
    expect(outbound.counters.timeouts).toBe(2);
  });

  it('is up after maxTotalMs, however much progress there is', async () => {
    const { outbound, wire } = side();
    const call = outbound.request('a', undefined, {
      timeoutMs: 100,
      maxTotalMs: 250,
      resetTimeoutOnProgress: true,
      onProgress: () => {},
    });
    for (let at = 1; at <= 4; at++) {
      await vi.advanceTimersByTimeAsync(60);
      wire.feed(step(0, at));
    }
    expect(outbound.size).toBe(1);
    await vi.advanceTimersByTimeAsync(15);
    await expect(call).rejects.toThrow('No answer to a (id 0) within 250 ms (maxTotalMs)');
  });

  it('has one timer for all requests, which stays set between them and does not keep the process alive then', async () => {
    const { outbound, wire } = side();
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (let id = 0; id < 100; id++) {
      const call = outbound.request('a', undefined);
      wire.feed(result(id));
      await call;
    }
    expect(set).toHaveBeenCalledTimes(1);
    const [timer] = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timer?.hasRef()).toBe(false);
    const last = outbound.request('b', undefined, { timeoutMs: 3000 });
    await vi.advanceTimersByTimeAsync(2990);
    expect(outbound.size).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(await codeOf(last)).toBe('REQUEST_TIMEOUT');
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([{ timeoutMs: -1 }, { maxTotalMs: 2 ** 31 }])(
    'out of range is OPTION_INVALID: %o',
    async (options) => {
      const { outbound } = side();
      expect(await codeOf(outbound.request('a', undefined, options))).toBe('OPTION_INVALID');
    },
  );
});
