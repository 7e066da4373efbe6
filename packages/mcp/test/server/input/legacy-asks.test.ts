import { describe, expect, it } from 'vitest';
import type { InputRequest, InputRequests } from '../../../src/server/api/input.ts';
import type { CallContext } from '../../../src/server/api/tool.ts';
import type { ServeOptions } from '../../../src/server/serve-options.ts';
import { serve } from '../../../src/server/server-session.ts';
import { ALL_CAPABILITIES, askingServer, greet, modern, nameForm, retry } from '../../support/asking.ts';
import { type Frame, Wire } from '../../support/wire.ts';

type Handler = (args: Record<string, unknown>, context: CallContext) => unknown;

/** A session that a client of that revision has opened, and its call of `ask`, id 14. */
function asked(
  handler: Handler = greet,
  version = '2025-11-25',
  capabilities: object = ALL_CAPABILITIES,
  options: ServeOptions = {},
): Wire {
  const wire = new Wire();
  serve(askingServer(handler as never), wire, options);
  wire.feed(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: version, capabilities, clientInfo: { name: 'c', version: '1' } },
    }),
  );
  wire.take();
  wire.feed(
    '{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"ask","arguments":{"who":"bob"}}}',
  );
  return wire;
}

/** Answers a request of the server. */
function answer(wire: Wire, { id }: Frame, result: unknown): void {
  wire.feed(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

async function next(wire: Wire): Promise<Frame> {
  return (await wire.takeWhen(1))[0];
}

function text(frame: Frame): string {
  return frame.result.content[0].text;
}

/** A handler that asks for this and says how it went. */
function asking(request: InputRequest): Handler {
  return async (_, { requestInput }) => {
    try {
      return JSON.stringify(await requestInput('k', request as InputRequests['roots/list']));
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
}

const sampling: InputRequests['sampling/createMessage'] = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 },
};
const page: InputRequests['elicitation/create'] = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Log in', url: 'https://example.com/login' },
};

describe('a legacy ask', () => {
  it('may be one of fifty at once, without a warning of Node, and all end with their call', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    try {
      const wire = asked(async (_, { requestInput }) => {
        const keys = Array.from({ length: 50 }, (_one, index) => `k${index}`);
        await Promise.all(keys.map((key) => requestInput(key, { method: 'roots/list' })));
      });
      await wire.takeWhen(50);
      wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":14}}');
      const told = await wire.takeWhen(50);
      expect(new Set(told.map(({ method }) => method))).toEqual(new Set(['notifications/cancelled']));
      // Node warns on a turn of its own.
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).toEqual([]);
    } finally {
      process.off('warning', onWarning);
    }
  });

  it('T17: is a request with id 0, whose answer goes to the handler', async () => {
    const wire = asked();
    const request = await next(wire);
    expect(request).toEqual({ jsonrpc: '2.0', id: 0, ...nameForm('Name for bob') });
    answer(wire, request, { action: 'accept', content: { name: 'Q' } });
    expect(await next(wire)).toEqual({
      jsonrpc: '2.0',
      id: 14,
      result: { content: [{ type: 'text', text: 'Hello, Q' }] },
    });
  });

  it('the same tool gives a modern client the same', async () => {
    for (const action of ['decline', 'cancel', 'accept']) {
      const said = { action, ...(action === 'accept' ? { content: { name: 'Q' } } : {}) };
      const legacy = asked();
      answer(legacy, await next(legacy), said);
      const wire = new Wire();
      serve(askingServer(), wire);
      const complete = await retry(wire, await modern(wire), { name: said });
      expect(complete.result.content).toEqual((await next(legacy)).result.content);
    }
  });

  it('asks at once are requests at once, answered in any order', async () => {
    const wire = asked(async (_, { requestInput }) => {
      const [name, roots, said] = await Promise.all([
        requestInput('name', nameForm('?')),
        requestInput('roots', { method: 'roots/list' }),
        requestInput('said', sampling),
      ]);
      return `${name.action} ${roots.roots.length} ${said.model}`;
    });
    const requests = await wire.takeWhen(3);
    expect(requests.map(({ id, method, params }) => [id, method, params])).toEqual([
      [0, 'elicitation/create', nameForm('?').params],
      [1, 'roots/list', undefined],
      [2, 'sampling/createMessage', sampling.params],
    ]);
    answer(wire, requests[2], { role: 'assistant', content: { type: 'text', text: 'Yo' }, model: 'm' });
    answer(wire, requests[1], { roots: [{ uri: 'file:///a' }, { uri: 'file:///b', name: 'b' }] });
    answer(wire, requests[0], { action: 'cancel' });
    expect(text(await next(wire))).toBe('cancel 2 m');
  });

  it('while other calls go on', async () => {
    const wire = asked(greet, '2025-11-25', ALL_CAPABILITIES, { maxInFlight: 2 });
    const request = await next(wire);
    wire.feed('{"jsonrpc":"2.0","id":15,"method":"ping"}');
    expect((await next(wire)).id).toBe(15);
    answer(wire, request, { action: 'decline' });
    expect(text(await next(wire))).toBe('You decline');
  });

  it('is answered though no credit is left', async () => {
    const wire = asked(greet, '2025-11-25', ALL_CAPABILITIES, { maxInFlight: 1 });
    const request = await next(wire);
    wire.feed('{"jsonrpc":"2.0","id":15,"method":"tools/list"}');
    answer(wire, request, { action: 'decline' });
    expect((await wire.takeWhen(2)).map(({ id }) => id)).toEqual([14, 15]);
  });

  it('that the client refuses is an error of the handler', async () => {
    const wire = asked(async (_, { requestInput }) => JSON.stringify(await requestInput('k', sampling)));
    const { id } = await next(wire);
    wire.feed(`{"jsonrpc":"2.0","id":${id},"error":{"code":-1,"message":"User rejected sampling request"}}`);
    const result = await next(wire);
    expect(result.result.isError).toBe(true);
    expect(text(result)).toContain('User rejected sampling request');
  });

  it.each([
    ['nothing', {}],
    ['a wrapped result', { method: 'elicitation/create', result: { action: 'decline' } }],
    ['a form that does not fit', { action: 'accept', content: { name: 5 } }],
  ])('that is answered with %s is INVALID_RESPONSE', async (_, result) => {
    const wire = asked(asking(nameForm('?')));
    answer(wire, await next(wire), result);
    expect(text(await next(wire))).toBe('INVALID_RESPONSE');
  });

  it('ends with its call: the client is told when that is cancelled', async () => {
    let failed: unknown;
    const wire = asked(async (_, { requestInput }) => {
      failed = await requestInput('name', nameForm('?')).catch((error: unknown) => error);
      return 'late';
    });
    const { id } = await next(wire);
    wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":14}}');
    expect(await next(wire)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    // The late answer is nobody's, and the cancelled call gets none.
    wire.feed(
      `{"jsonrpc":"2.0","id":${id},"result":{"action":"decline"}}`,
      '{"jsonrpc":"2.0","id":15,"method":"ping"}',
    );
    expect((await next(wire)).id).toBe(15);
    expect(failed).toMatchObject({ code: 'CANCELLED' });
  });

  it('ends with its call: the client is told when that is answered without it', async () => {
    const wire = asked((_, { requestInput }) => {
      void requestInput('name', nameForm('?'));
      return 'at once';
    });
    const [request, told, result] = await wire.takeWhen(3);
    expect(told).toMatchObject({ method: 'notifications/cancelled', params: { requestId: request.id } });
    expect(text(result)).toBe('at once');
  });

  it('has its time, and then the client is told', async () => {
    const wire = asked(asking(nameForm('?')), '2025-11-25', ALL_CAPABILITIES, { inputTimeoutMs: 20 });
    const frames = await wire.takeWhen(3);
    expect(frames[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 0 } });
    expect(text(frames[2])).toBe('REQUEST_TIMEOUT');
  });

  it('of a connection that ends is PEER_CLOSED or CANCELLED, and nothing is left', async () => {
    let failed: unknown;
    const wire = new Wire();
    const session = serve(
      askingServer((async (_: object, { requestInput }: CallContext) => {
        failed = await requestInput('k', { method: 'roots/list' }).catch((error: unknown) => error);
        return 'over';
      }) as never),
      wire,
    );
    wire.feed(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask"}}',
    );
    await wire.takeWhen(2);
    await wire.finish({ kind: 'peer-closed' } as never);
    await session.settled();
    expect(['PEER_CLOSED', 'CANCELLED']).toContain((failed as { code: string }).code);
  });

  it('of a client that has ended its output is PEER_CLOSED at once, and the call is answered', async () => {
    const wire = asked(asking(nameForm('?')));
    await next(wire);
    wire.feedEnd();
    expect(text(await next(wire))).toBe('PEER_CLOSED');
    await wire.closed;
  });

  it('after the answer, or twice with one key, or of what JSON cannot hold, is refused here', async () => {
    let context: CallContext | undefined;
    const codes: unknown[] = [];
    const code = (promise: Promise<unknown> | undefined): Promise<unknown> =>
      (promise as Promise<unknown>).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      );
    const wire = asked(async (_, given) => {
      context = given;
      codes.push(
        await code(given.requestInput('big', { method: 'roots/list', params: { _meta: { big: 1n } } })),
      );
      const first = given.requestInput('k', nameForm('?'));
      codes.push(await code(given.requestInput('k', nameForm('?'))));
      await first;
      return 'done';
    });
    answer(wire, await next(wire), { action: 'decline' });
    await next(wire);
    codes.push(await code(context?.requestInput('late', nameForm('?'))));
    expect(codes).toEqual(['OPTION_INVALID', 'OPTION_INVALID', 'CANCELLED']);
    expect(wire.sent).toEqual([]);
  });
});

const choices: InputRequests['elicitation/create'] = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: '?',
    requestedSchema: {
      type: 'object',
      properties: {
        size: {
          type: 'string',
          default: 's',
          oneOf: [
            { const: 's', title: 'Small' },
            { const: 'l', title: 'Large' },
          ],
        },
        sure: { type: 'boolean', default: true },
      },
    },
  },
};
const several: InputRequests['elicitation/create'] = {
  method: 'elicitation/create',
  params: {
    message: '?',
    requestedSchema: {
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
    },
  },
};
const withTools: InputRequests['sampling/createMessage'] = {
  ...sampling,
  params: { ...sampling.params, tools: [{ name: 't', inputSchema: { type: 'object' } }] },
};
const inBlocks = (count: number): InputRequests['sampling/createMessage'] => ({
  ...sampling,
  params: {
    maxTokens: 1,
    messages: [{ role: 'user', content: Array(count).fill({ type: 'text', text: 'Hi' }) }],
  },
});

describe('what each revision is asked', () => {
  it.each([
    ['2025-11-25', choices, choices.params],
    ['2025-11-25', several, several.params],
    ['2025-11-25', withTools, withTools.params],
    ['2025-11-25', inBlocks(2), inBlocks(2).params],
    ['2025-11-25', page, { ...page.params, elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    [
      '2025-11-25',
      { ...page, params: { ...page.params, elicitationId: 'mine' } },
      { ...page.params, elicitationId: 'mine' },
    ],
    [
      '2025-06-18',
      choices,
      {
        message: '?',
        requestedSchema: {
          type: 'object',
          properties: {
            size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
            sure: { type: 'boolean', default: true },
          },
        },
      },
    ],
    ['2025-06-18', inBlocks(1), { maxTokens: 1, messages: sampling.params.messages }],
    ['2025-03-26', sampling, sampling.params],
    ['2024-11-05', sampling, sampling.params],
  ])('%s: a request it knows, in its words', async (version, request, params) => {
    const wire = asked(asking(request as InputRequest), version);
    expect((await next(wire)).params).toEqual(params);
  });

  it.each([
    ['2025-06-18', page],
    ['2025-06-18', several],
    ['2025-06-18', withTools],
    ['2025-06-18', inBlocks(2)],
    ['2025-03-26', nameForm('?')],
    ['2024-11-05', nameForm('?')],
  ])('%s: what it does not know is CAPABILITY_MISSING, whatever it lists', async (version, request) => {
    const wire = asked(asking(request as InputRequest), version);
    expect(text(await next(wire))).toBe('CAPABILITY_MISSING');
  });

  const yes = true;
  const no = false;
  it.each([
    ['2025-11-25', {}, nameForm('?'), no],
    ['2025-11-25', { elicitation: {} }, nameForm('?'), yes],
    ['2025-11-25', { elicitation: { form: {} } }, nameForm('?'), yes],
    ['2025-11-25', { elicitation: { url: {} } }, nameForm('?'), no],
    ['2025-11-25', { elicitation: true }, nameForm('?'), no],
    ['2025-11-25', { elicitation: {} }, page, no],
    ['2025-11-25', { elicitation: { form: {} } }, page, no],
    ['2025-11-25', { elicitation: { url: {} } }, page, yes],
    ['2025-11-25', {}, sampling, no],
    ['2025-11-25', { sampling: {} }, sampling, yes],
    ['2025-11-25', { sampling: {} }, withTools, no],
    ['2025-11-25', { sampling: { tools: {} } }, withTools, yes],
    ['2025-11-25', { sampling: {} }, { method: 'roots/list' }, no],
    ['2025-11-25', { roots: { listChanged: true } }, { method: 'roots/list' }, yes],
    ['2025-06-18', { elicitation: {} }, nameForm('?'), yes],
    ['2025-06-18', {}, nameForm('?'), no],
    ['2024-11-05', {}, sampling, no],
  ])('%s with %j', async (version, capabilities, request, isAsked) => {
    const wire = asked(asking(request as InputRequest), version, capabilities);
    const frame = await next(wire);
    if (isAsked) expect(frame.method).toBe((request as { method: string }).method);
    else expect(text(frame)).toBe('CAPABILITY_MISSING');
  });
});
