import { describe, expect, it, vi } from 'vitest';
import { ClientSession } from '../../src/client/client-session.ts';
import { isMcpError, isPeerError } from '../../src/errors.ts';
import { Wire } from '../support/wire.ts';

function client(wire: Wire = new Wire()): { wire: Wire; session: ClientSession; reports: string[] } {
  const reports: string[] = [];
  const session = new ClientSession(wire, {
    onReport: (report) => reports.push(`${report.code}: ${report.message}`),
  });
  return { wire, session, reports };
}

/** Code of the error that a promise rejects with. */
async function codeOf(promise: Promise<unknown>): Promise<string | number | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return isMcpError(error) || isPeerError(error) ? error.code : 'foreign';
  }
}

describe('the client session', () => {
  it('numbers requests from 1 and settles each with the answer of its id', async () => {
    const { wire, session } = client();
    const first = session.request('a', undefined);
    const second = session.request('b', { x: 1 });
    expect(wire.sent).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"a"}',
      '{"jsonrpc":"2.0","id":2,"method":"b","params":{"x":1}}',
    ]);
    wire.feed('{"jsonrpc":"2.0","id":2,"result":{"n":2}}', '{"result":{"n":1},"jsonrpc":"2.0","id":1.0}');
    expect(await first).toEqual({ n: 1 });
    expect(await second).toEqual({ n: 2 });
  });

  it('an error answer rejects with the code and data of the peer', async () => {
    const { wire, session } = client();
    const call = session.request('a', undefined);
    wire.feed('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{"d":1}}}');
    await expect(call).rejects.toMatchObject({
      name: 'PeerError',
      code: -32601,
      message: 'no',
      data: { d: 1 },
    });
  });

  it('ids match strictly: an answer for "1" does not settle 1; both it and unknown ids are counted and reported', async () => {
    const { wire, session, reports } = client();
    const call = session.request('a', undefined);
    wire.feed(
      '{"jsonrpc":"2.0","id":"1","result":{}}',
      '{"jsonrpc":"2.0","id":0,"result":{}}',
      '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}',
    );
    expect(reports).toEqual([
      'UNMATCHED_ANSWER: answer for "1", waiting for 1',
      'UNMATCHED_ANSWER: answer for 0, waiting for 1',
      'UNMATCHED_ANSWER: answer for no id, waiting for 1',
    ]);
    expect(session.stats.unmatchedAnswers).toBe(3);
    wire.feed('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await call).toEqual({});
  });

  it.each([
    ['a result that is null', '{"jsonrpc":"2.0","id":1,"result":null}'],
    ['both outcomes', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}'],
    ['neither outcome', '{"jsonrpc":"2.0","id":1}'],
    ['a wrong jsonrpc', '{"jsonrpc":"1.0","id":1,"result":{}}'],
    ['an error without code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}'],
    ['an error without message', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}'],
  ])('an answer with %s rejects its call at once as INVALID_RESPONSE', async (_, line) => {
    const { wire, session } = client();
    const call = session.request('a', undefined);
    wire.feed(line);
    expect(await codeOf(call)).toBe('INVALID_RESPONSE');
  });

  it('an answer over the limit fails its own call, and only that', async () => {
    const { wire, session } = client(new Wire({ maxFrameBytes: 1024 }));
    const big = session.request('a', undefined);
    const small = session.request('b', undefined);
    wire.feed(
      `{"result":{"text":"${'x'.repeat(2000)}"},"jsonrpc":"2.0","id":1}`,
      '{"jsonrpc":"2.0","id":2,"result":{}}',
    );
    await expect(big).rejects.toMatchObject({ code: 'FRAME_TOO_LARGE', limit: 1024 });
    expect(await small).toEqual({});
  });

  it('noise is counted and reported, never answered, and the session goes on', async () => {
    const { wire, session, reports } = client();
    const call = session.request('a', undefined);
    wire.take();
    wire.feed(
      'server started',
      '',
      '[1]',
      '\u001b[32mINFO\u001b[0m ready',
      '{"level":"info"}',
      '{"jsonrpc":"2.0","id":9,"method":5}',
    );
    expect(wire.take()).toEqual([]);
    expect(reports).toHaveLength(5);
    expect(session.stats.faults + session.stats.invalid).toBe(5);
    wire.feed('{"jsonrpc":"2.0","id":1,"result":{}}\r');
    expect(await call).toEqual({});
  });

  it('a malformed request of the server settles no call, though the ids are equal', async () => {
    const { wire, session } = client(new Wire({ maxFrameBytes: 1024 }));
    const call = session.request('a', undefined);
    const big = `{"jsonrpc":"2.0","id":1,"method":"roots/list","params":{"x":"${'x'.repeat(2000)}"}}`;
    wire.feed('{"jsonrpc":"1.0","id":1,"method":"roots/list"}', big, '{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await call).toEqual({});
  });

  it('answers ping of a server, and refuses what else it asks', () => {
    const { wire } = client();
    wire.feed('{"jsonrpc":"2.0","id":"x","method":"ping"}', '{"jsonrpc":"2.0","id":0,"method":"roots/list"}');
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 'x', result: {} },
      { jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found: roots/list' } },
    ]);
  });

  it('a time-out rejects, tells the server, and the late answer is counted', async () => {
    vi.useFakeTimers();
    try {
      const { wire, session } = client();
      const slow = session.request('a', undefined, { timeoutMs: 100 });
      const other = session.request('b', undefined, { timeoutMs: 500 });
      wire.take();
      await vi.advanceTimersByTimeAsync(101);
      expect(await codeOf(slow)).toBe('REQUEST_TIMEOUT');
      expect(wire.take()).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 1, reason: 'Request timed out' },
        },
      ]);
      wire.feed('{"jsonrpc":"2.0","id":1,"result":{}}');
      expect(session.stats.unmatchedAnswers).toBe(1);
      await vi.advanceTimersByTimeAsync(401);
      expect(await codeOf(other)).toBe('REQUEST_TIMEOUT');
    } finally {
      vi.useRealTimers();
    }
  });

  it('a handshake that times out is not cancelled', async () => {
    vi.useFakeTimers();
    try {
      const { wire, session } = client();
      const hello = session.request('initialize', {}, { timeoutMs: 10 });
      await vi.advanceTimersByTimeAsync(20);
      expect(await codeOf(hello)).toBe('REQUEST_TIMEOUT');
      expect(wire.sent).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an abort rejects, tells the server once, and leaves no listener on the signal', async () => {
    const { wire, session } = client();
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, 'removeEventListener');
    const call = session.request('a', undefined, { signal: controller.signal });
    const answered = session.request('b', undefined, { signal: controller.signal });
    wire.feed('{"jsonrpc":"2.0","id":2,"result":{}}');
    await answered;
    wire.take();
    controller.abort(new Error('enough'));
    expect(await codeOf(call)).toBe('CANCELLED');
    expect(wire.take().map((frame) => frame.params.requestId)).toEqual([1]);
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('requests go in the request lane; answers, notifications and cancels go in the reply lane', async () => {
    const { wire, session } = client();
    const controller = new AbortController();
    const call = session.request('a', undefined, { signal: controller.signal });
    session.notify('n');
    wire.feed('{"jsonrpc":"2.0","id":"x","method":"ping"}');
    controller.abort();
    expect(await codeOf(call)).toBe('CANCELLED');
    expect(wire.take().map((frame) => frame.method ?? 'answer')).toEqual([
      'a',
      'n',
      'answer',
      'notifications/cancelled',
    ]);
    expect(wire.lanes).toEqual(['request', 'reply', 'reply', 'reply']);
  });

  it('while the outbox is full requests wait in order, and go when it has drained; nothing is lost', async () => {
    const { wire, session } = client();
    wire.full = true;
    const calls = ['a', 'b', 'c', 'd'].map((method) => session.request(method, undefined));
    session.notify('n');
    expect(wire.take().map((frame) => frame.method)).toEqual(['a', 'n']);
    wire.drain();
    expect(wire.take().map((frame) => frame.method)).toEqual(['b', 'c', 'd']);
    wire.full = true;
    calls.push(...['e', 'f'].map((method) => session.request(method, undefined)));
    expect(wire.take().map((frame) => frame.method)).toEqual(['e']);
    wire.drain();
    expect(wire.take().map((frame) => frame.method)).toEqual(['f']);
    for (let id = 1; id <= calls.length; id++)
      wire.feed(`{"jsonrpc":"2.0","id":${id},"result":{"id":${id}}}`);
    expect(await Promise.all(calls)).toEqual(calls.map((_, at) => ({ id: at + 1 })));
  });

  it.each(['holding', 'full'] as const)(
    'a call that is given up while its request is unsent (%s) is never sent, and no cancel either',
    async (state) => {
      vi.useFakeTimers();
      try {
        const { wire, session } = client();
        wire[state] = true;
        // Fills the outbox, so that in the second case the rest waits in the session.
        const first = session.request('first', undefined, { timeoutMs: 1000 });
        const controller = new AbortController();
        const aborted = session.request('aborted', undefined, { signal: controller.signal });
        const expired = session.request('expired', undefined, { timeoutMs: 10 });
        const kept = session.request('kept', undefined, { timeoutMs: 1000 });
        controller.abort();
        await vi.advanceTimersByTimeAsync(20);
        expect([await codeOf(aborted), await codeOf(expired)]).toEqual(['CANCELLED', 'REQUEST_TIMEOUT']);
        wire.drain();
        expect(wire.take().map((frame) => frame.method)).toEqual(['first', 'kept']);
        wire.feed('{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":4,"result":{}}');
        await Promise.all([first, kept]);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('a request that is no frame rejects its own call, also when the outbox was full at first', async () => {
    const { wire, session } = client();
    expect(await codeOf(session.request('a\nb', undefined))).toBe('foreign');
    wire.full = true;
    const first = session.request('a', undefined);
    const bad = session.request('c\nd', undefined);
    const good = session.request('e', undefined);
    wire.drain();
    expect(await codeOf(bad)).toBe('foreign');
    wire.feed('{"jsonrpc":"2.0","id":2,"result":{}}', '{"jsonrpc":"2.0","id":4,"result":{}}');
    await Promise.all([first, good]);
  });

  it('with an aborted signal nothing is sent', async () => {
    const { wire, session } = client();
    expect(await codeOf(session.request('a', undefined, { signal: AbortSignal.abort() }))).toBe('CANCELLED');
    expect(wire.sent).toEqual([]);
  });

  it('progress reaches the call of its token, and none after its answer', async () => {
    const { wire, session } = client();
    const seen: unknown[] = [];
    const call = session.request('a', { name: 'x' }, { onProgress: (progress) => seen.push(progress) });
    expect(wire.take()[0].params).toEqual({ name: 'x', _meta: { progressToken: 1 } });
    const progress = (token: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"total":2,"message":"m"}}`;
    wire.feed(
      progress('1'),
      progress('"1"'),
      progress('7'),
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      progress('1'),
    );
    await call;
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'm' }]);
    expect(session.stats.strayProgress).toBe(3);
  });

  it('the end of the connection rejects every call once, with code, signal and stderr', async () => {
    const { wire, session } = client();
    const calls = [session.request('a', undefined), session.request('b', undefined)];
    await wire.finish({ kind: 'exit', exitCode: 3, signal: null, stderrTail: 'boom\u001b[0m\n' });
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'PEER_CLOSED',
        exitCode: 3,
        stderrTail: 'boom\u001b[0m\n',
      });
    }
    await expect(calls[0]).rejects.toThrow(
      'The server exited with code 3 before a was answered; its last words: boom\\u001b[0m',
    );
    expect(await codeOf(session.request('c', undefined))).toBe('PEER_CLOSED');
  });

  it('close() rejects what is pending', async () => {
    const { session } = client();
    const call = session.request('a', undefined);
    await session.close();
    expect(await codeOf(call)).toBe('PEER_CLOSED');
  });

  it('a time-out out of range is refused', async () => {
    const { session } = client();
    await expect(session.request('a', undefined, { timeoutMs: -1 })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });
});
