import { describe, expect, it, vi } from 'vitest';
import { RpcError } from '../../src/errors.ts';
import type { ToolReturn } from '../../src/server/api/tool.ts';
import { McpServer } from '../../src/server/mcp-server.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { INITIALIZE, info } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

/** What a careless or malicious handler may give back or throw. Each call must be answered once, and the next one too. */
const throwing = (message: string) => (): never => {
  throw new Error(message);
};
const hostileProxy = (): object =>
  new Proxy(
    {},
    {
      get: throwing('get'),
      has: throwing('has'),
      ownKeys: throwing('ownKeys'),
      getPrototypeOf: throwing('getPrototypeOf'),
    },
  );
const thenable = (
  then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void,
): object => ({
  then,
});
const withOwnThen = (then: unknown): Promise<unknown> =>
  Object.defineProperty(Promise.resolve('x'), 'then', { value: then });
const fakeRpcError = (members: object): object => ({ [Symbol.for('linewire.RpcError')]: true, ...members });
const nested = { content: [{ type: 'text', text: 'x', deep: { list: [1, { big: 1n }] } }] };

type Outcome = 'result' | 'failure' | 'error';
const cases: readonly (readonly [string, () => unknown, Outcome])[] = [
  [
    'throws undefined',
    () => {
      // biome-ignore lint/style/useThrowOnlyError: that is what is tested
      throw undefined;
    },
    'failure',
  ],
  [
    'throws null',
    () => {
      // biome-ignore lint/style/useThrowOnlyError: that is what is tested
      throw null;
    },
    'failure',
  ],
  [
    'throws a symbol',
    () => {
      throw Symbol('s');
    },
    'failure',
  ],
  [
    'throws a proxy that throws at every look',
    () => {
      throw hostileProxy();
    },
    'failure',
  ],
  [
    'throws an object whose text throws',
    () => {
      // biome-ignore lint/style/useThrowOnlyError: that is what is tested
      throw { toString: throwing('text') };
    },
    'failure',
  ],
  [
    'throws an error whose message is no string',
    () => {
      throw Object.assign(new Error('x'), { message: 5 });
    },
    'failure',
  ],
  [
    'throws an error of the protocol',
    () => {
      throw new RpcError(-5, 'mine', { a: 1 });
    },
    'error',
  ],
  [
    'throws an error of the protocol whose data has no JSON',
    () => {
      throw new RpcError(-5, 'mine', 1n);
    },
    'error',
  ],
  [
    'throws what claims to be an error of the protocol, with a code that is none',
    () => {
      throw fakeRpcError({ code: 1.5, message: 'm' });
    },
    'failure',
  ],
  [
    'throws what claims to be an error of the protocol, with no message',
    () => {
      throw fakeRpcError({ code: 1 });
    },
    'failure',
  ],
  ['rejects with undefined', () => Promise.reject(undefined), 'failure'],
  ['rejects with a proxy that throws at every look', () => Promise.reject(hostileProxy()), 'failure'],
  ['returns nothing', () => undefined, 'error'],
  ['returns a function', () => () => 1, 'error'],
  ['returns a proxy that throws at every look', hostileProxy, 'failure'],
  ['resolves with a proxy that throws at every look', async () => ({ inner: hostileProxy() }), 'error'],
  [
    'returns an object whose content throws',
    () => ({
      get content(): never {
        throw new Error('content');
      },
    }),
    'error',
  ],
  [
    'returns an object whose content throws a proxy',
    () => ({
      get content(): never {
        throw hostileProxy();
      },
    }),
    'error',
  ],
  ['returns what has no JSON deep inside', () => nested, 'error'],
  ['returns an object whose toJSON makes a number of it', () => ({ content: [], toJSON: () => 5 }), 'error'],
  [
    'returns an object with a then that throws when it is looked at',
    () => ({
      // biome-ignore lint/suspicious/noThenProperty: that is what is tested
      get then(): never {
        throw new Error('then');
      },
    }),
    'failure',
  ],
  ['returns a thenable whose then throws', () => thenable(throwing('then')), 'failure'],
  [
    'returns a thenable that settles four times',
    () =>
      thenable((resolve, reject) => {
        resolve('first');
        resolve('second');
        reject(new Error('third'));
        throw new Error('fourth');
      }),
    'result',
  ],
  // As with `await`: a promise is asked by the runtime's own `then`.
  ['returns a promise whose own then throws', () => withOwnThen(throwing('then')), 'result'],
  ['returns a promise whose own then is none', () => withOwnThen(5), 'error'],
  [
    'returns a promise whose own then calls back at once, twice, and throws',
    () =>
      withOwnThen((resolve: (value: string) => void) => {
        resolve('a');
        resolve('b');
        throw new Error('c');
      }),
    'result',
  ],
  [
    'returns a promise whose constructor throws',
    () => Object.defineProperty(Promise.resolve('x'), 'constructor', { get: throwing('constructor') }),
    'failure',
  ],
  [
    'resolves with a thenable that rejects',
    async () => thenable((_, reject) => reject(new Error('later'))),
    'failure',
  ],
];

function outcomeOf(frame: { error?: unknown; result?: { isError?: boolean } | number }): Outcome {
  if (frame.error !== undefined) return 'error';
  return typeof frame.result === 'object' && frame.result.isError === true ? 'failure' : 'result';
}

describe('a handler that', () => {
  it.each(cases)('%s has its call answered once, and the next one is served', async (_, handler, outcome) => {
    const wire = new Wire();
    const server = new McpServer(info)
      .registerTool('hostile', {}, handler as () => ToolReturn)
      .registerTool('good', {}, () => 'good');
    const session = serve(server, wire);
    const call = (id: number, name: string): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`;
    wire.feed(INITIALIZE);
    wire.take();
    wire.feed(call(1, 'hostile'), call(2, 'good'));
    await vi.waitFor(() => expect(session.stats.answers).toBe(3));
    wire.feed(call(3, 'hostile'));
    await vi.waitFor(() => expect(session.stats.answers).toBe(4));
    // Time for a second answer.
    await new Promise((resolve) => setImmediate(resolve));
    const frames = wire.take();
    expect(frames.map((frame) => frame.id).sort()).toEqual([1, 2, 3]);
    expect(frames.filter((frame) => frame.id !== 2).map(outcomeOf)).toEqual([outcome, outcome]);
    const { answers, errors, running } = session.stats;
    expect({ answers, errors, running }).toEqual({
      answers: 4,
      errors: outcome === 'error' ? 2 : 0,
      running: 0,
    });
  });

  it('returns what has no JSON gets -32603 with the path', () => {
    const wire = new Wire();
    serve(
      new McpServer(info).registerTool('bad', {}, () => nested as unknown as ToolReturn),
      wire,
    );
    wire.feed(INITIALIZE, '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bad"}}');
    const { error } = wire.take()[1];
    expect(error.code).toBe(-32603);
    expect(error.message).toContain('content[0].deep.list[1].big');
  });

  it('never settles is given up by the end of input', async () => {
    const wire = new Wire();
    const server = new McpServer(info).registerTool(
      'never',
      {},
      () => thenable(() => {}) as unknown as ToolReturn,
    );
    const session = serve(server, wire, { drainTimeoutMs: 0 });
    wire.feed(INITIALIZE, '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"never"}}');
    wire.feedEnd();
    await session.closed;
    expect(wire.take()[1]).toMatchObject({ id: 2, error: { message: 'server shutting down' } });
  });

  it('settles again after its id is used by another call does not answer that one', async () => {
    const wire = new Wire();
    let again = (): void => {};
    let calls = 0;
    const server = new McpServer(info).registerTool('twice', {}, () => {
      const number = ++calls;
      return withOwnThen((resolve: (value: string) => void) => {
        if (number === 1) {
          again = () => resolve('first, once more');
          resolve('first');
        }
      }) as Promise<string>;
    });
    const session = serve(server, wire);
    const call = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"twice"}}';
    wire.feed(INITIALIZE, call, call);
    wire.take();
    again();
    expect(wire.sent).toEqual([]);
    expect(session.stats.running).toBe(1);
    await session.close();
  });
});
