import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../src/server/api/tool.ts';
import { serve } from '../../../src/server/server-session.ts';
import { askingServer, greet, modern, modernLine, nameForm, retry } from '../../support/asking.ts';
import { S } from '../../support/example-server.ts';
import { Wire } from '../../support/wire.ts';

type Handler = (args: Record<string, unknown>, context: CallContext) => unknown;

function connected(handler?: Handler, options = {}): Wire {
  const wire = new Wire();
  serve(askingServer(handler as never, options), wire);
  return wire;
}

const ACCEPTED = { name: { action: 'accept', content: { name: 'Z' } } };

function text(answer: { result: { content: { text: string }[] } }): string {
  return answer.result.content[0]?.text as string;
}

describe('a modern round trip', () => {
  it('T34: the answer is input_required, and the retry with its answers completes', async () => {
    const wire = connected();
    const args = { arguments: { who: 'bob' } };
    const first = await modern(wire, { params: args });
    expect(first.result).toEqual({
      resultType: 'input_required',
      inputRequests: { name: nameForm('Name for bob') },
      requestState: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      _meta: S,
    });
    const second = await retry(wire, first, ACCEPTED, { params: args });
    expect(second.result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'Hello, Z' }],
      _meta: S,
    });
  });

  it('T33: without the capability the call is -32021 and names what is missing', async () => {
    const answer = await modern(connected(), { capabilities: {} });
    expect(answer.error.code).toBe(-32021);
    expect(answer.error.data).toEqual({ requiredCapabilities: { elicitation: { form: {} } } });
  });

  it.each(['decline', 'cancel'])('a user who says %s is an answer like another', async (action) => {
    const wire = connected();
    const second = await retry(wire, await modern(wire), { name: { action } });
    expect(text(second)).toBe(`You ${action}`);
  });

  it('several asks at once go out together and come back together', async () => {
    const wire = connected(async (_, { requestInput }) => {
      const [name, roots] = await Promise.all([
        requestInput('name', nameForm('Name?')),
        requestInput('roots', { method: 'roots/list' }),
      ]);
      return `${name.content?.['name']} in ${roots.roots[0]?.uri}`;
    });
    const first = await modern(wire);
    expect(first.result.inputRequests).toEqual({ name: nameForm('Name?'), roots: { method: 'roots/list' } });
    const second = await retry(wire, first, { ...ACCEPTED, roots: { roots: [{ uri: 'file:///a' }] } });
    expect(text(second)).toBe('Z in file:///a');
  });

  it('asks one after the other take a round each, and each retry carries only its own answers', async () => {
    let runs = 0;
    const wire = connected(async (_, { requestInput }) => {
      runs++;
      let all = '';
      for (const key of ['a', 'b', 'c']) all += (await requestInput(key, nameForm(key))).content?.['name'];
      return all;
    });
    let answer = await modern(wire);
    for (const key of ['a', 'b', 'c']) {
      expect(Object.keys(answer.result.inputRequests)).toEqual([key]);
      answer = await retry(wire, answer, {
        [key]: { action: 'accept', content: { name: key.toUpperCase() } },
      });
    }
    expect(text(answer)).toBe('ABC');
    expect(runs).toBe(4);
  });

  it('of a missing answer asks again for that one, and keeps the other', async () => {
    const wire = connected(async (_, { requestInput }) => {
      const both = await Promise.all(['a', 'b'].map((key) => requestInput(key, nameForm(key))));
      return both.map(({ content }) => content?.['name']).join();
    });
    const first = await modern(wire);
    const second = await retry(wire, first, { a: { action: 'accept', content: { name: '1' } } });
    expect(Object.keys(second.result.inputRequests)).toEqual(['b']);
    const third = await retry(wire, second, { b: { action: 'accept', content: { name: '2' } } });
    expect(text(third)).toBe('1,2');
  });

  it('T35: a state without responses asks again', async () => {
    const wire = connected();
    const second = await retry(wire, await modern(wire), undefined);
    expect(Object.keys(second.result.inputRequests)).toEqual(['name']);
    expect(text(await retry(wire, second, ACCEPTED))).toBe('Hello, Z');
  });

  it('works on any connection of the same server, and for the same retry twice', async () => {
    const server = askingServer();
    const [one, other] = [new Wire(), new Wire()];
    serve(server, one);
    serve(server, other);
    const first = await modern(one);
    expect(text(await retry(other, first, ACCEPTED))).toBe('Hello, Z');
    expect(text(await retry(one, first, ACCEPTED))).toBe('Hello, Z');
  });

  it('gives each run its own copy of an answer', async () => {
    const wire = connected(async (_, { requestInput }) => {
      const first = await requestInput('a', nameForm('a'));
      (first.content as { name: string }).name += '!';
      await requestInput('b', nameForm('b'));
      return first.content?.['name'] as string;
    });
    const accepted = { action: 'accept', content: { name: 'x' } };
    const second = await retry(wire, await modern(wire), { a: accepted });
    expect(text(await retry(wire, second, { b: accepted }))).toBe('x!');
  });

  it('leaves credit and counters as any call: nothing runs between the rounds', async () => {
    const wire = new Wire();
    const session = serve(askingServer(), wire);
    await modern(wire);
    expect(session.stats.running).toBe(0);
    await session.settled();
  });

  it('of a cancelled call sends nothing', async () => {
    let go = (): void => {};
    const wire = connected(async (_, { requestInput }) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return requestInput('name', nameForm('?')).then(() => 'unreached');
    });
    const line = modernLine();
    wire.feed(
      line,
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${JSON.parse(line).id}}}`,
    );
    go();
    await modern(wire, { method: 'server/discover', params: {} });
    expect(wire.sent).toEqual([]);
  });
});

describe('what a client answers', () => {
  it.each([
    ['nothing', {}],
    ['null', { name: null }],
    ['text', { name: 'Z' }],
    ['a list', { name: [] }],
    ['a wrapped result', { name: { method: 'elicitation/create', result: ACCEPTED.name } }],
    ['a JSON-RPC answer', { name: { jsonrpc: '2.0', id: 1, result: ACCEPTED.name } }],
    ['no action', { name: { content: { name: 'Z' } } }],
    ['an unknown action', { name: { action: 'ok', content: { name: 'Z' } } }],
    ['no content', { name: { action: 'accept' } }],
    ['a content that is no object', { name: { action: 'accept', content: ['Z'] } }],
    ['a content without the required field', { name: { action: 'accept', content: {} } }],
    ['a field of the wrong type', { name: { action: 'accept', content: { name: 7 } } }],
    ['a field that is no primitive', { name: { action: 'accept', content: { name: 'Z', more: {} } } }],
    ['null in a field', { name: { action: 'accept', content: { name: 'Z', more: null } } }],
    ['an answer to another key', { nom: ACCEPTED.name, __proto__: ACCEPTED }],
  ])('%s is no answer: the handler asks again', async (_, responses) => {
    const wire = connected();
    const second = await retry(wire, await modern(wire), responses);
    expect(Object.keys(second.result.inputRequests)).toEqual(['name']);
    expect(text(await retry(wire, second, ACCEPTED))).toBe('Hello, Z');
  });

  it('a number that no double holds is no answer', async () => {
    const wire = connected();
    const first = await modern(wire);
    const line = modernLine({
      params: { inputResponses: { name: 0 }, requestState: first.result.requestState },
    });
    wire.feed(line.replace('"name":0', '"name":{"action":"accept","content":{"name":"Z","n":1e400}}'));
    const [second] = await wire.takeWhen(1);
    expect(Object.keys(second.result.inputRequests)).toEqual(['name']);
  });

  it('content beside a refusal is left out, and unknown members and keys do no harm', async () => {
    let seen: unknown;
    const wire = connected(async (_, { requestInput }) => {
      seen = await requestInput('name', nameForm('?'));
      return 'ok';
    });
    await retry(wire, await modern(wire), {
      name: { action: 'decline', content: { name: 'Z' }, extra: 1 },
      other: 5,
    });
    expect(seen).toEqual({ action: 'decline', extra: 1 });
  });

  it.each([null, 5, 'x', []])('inputResponses %j are -32602', async (inputResponses) => {
    const wire = connected();
    const { requestState } = (await modern(wire)).result;
    const answer = await modern(wire, { params: { inputResponses, requestState } });
    expect(answer.error).toEqual({
      code: -32602,
      message: 'Invalid params: inputResponses must be an object',
    });
  });

  it('that nobody has asked for counts for nothing', async () => {
    const wire = connected();
    const unasked = await modern(wire, { params: { inputResponses: ACCEPTED } });
    expect(Object.keys(unasked.result.inputRequests)).toEqual(['name']);
    // Asked for one key, answered for the next one too.
    const steps = connected(async (_, { requestInput }) => {
      await requestInput('a', nameForm('a'));
      await requestInput('name', nameForm('b'));
      return 'both';
    });
    const second = await retry(steps, await modern(steps), { a: ACCEPTED.name, ...ACCEPTED });
    expect(Object.keys(second.result.inputRequests)).toEqual(['name']);
  });

  it('a client that has lost its capability in between is only asked for what it can', async () => {
    const wire = connected();
    const first = await modern(wire);
    expect(text(await retry(wire, first, ACCEPTED, { capabilities: {} }))).toBe('Hello, Z');
    expect((await retry(wire, first, {}, { capabilities: {} })).error.code).toBe(-32021);
  });
});

describe('a requestState that is not what was sent', () => {
  const refused = {
    code: -32602,
    message: 'Invalid or expired requestState',
    data: { reason: 'invalid_request_state' },
  };

  it.each([
    ['a number', () => 5],
    ['null', () => null],
    ['empty', () => ''],
    ['made up', () => 'st-1'],
    ['cut', (state: string) => state.slice(0, -1)],
    [
      'changed',
      (state: string) =>
        (state[40] === 'A' ? `${state.slice(0, 40)}B` : `${state.slice(0, 40)}A`) + state.slice(41),
    ],
    ['longer', (state: string) => `${state}A`],
    ['padded', (state: string) => `${state}=`],
    ['huge', () => 'A'.repeat(1_000_000)],
  ])('%s is refused, and the handler does not run', async (_, forge) => {
    let runs = 0;
    const wire = connected((args, context) => {
      runs++;
      return greet(args, context);
    });
    const { requestState } = (await modern(wire)).result;
    const answer = await modern(wire, {
      params: { inputResponses: ACCEPTED, requestState: forge(requestState) },
    });
    expect(answer.error).toEqual(refused);
    expect(runs).toBe(1);
  });

  it('belongs to its arguments, its tool and its server', async () => {
    const server = askingServer().registerTool('other', {}, greet);
    const wire = new Wire();
    serve(server, wire);
    const { requestState } = (await modern(wire, { params: { arguments: { who: 'a' } } })).result;
    const params = { arguments: { who: 'a' }, inputResponses: ACCEPTED, requestState };
    expect((await modern(wire, { params: { ...params, arguments: { who: 'b' } } })).error).toEqual(refused);
    expect((await modern(wire, { params: { ...params, name: 'other' } })).error).toEqual(refused);
    expect((await modern(connected(), { params })).error).toEqual(refused);
    expect(text(await modern(wire, { params }))).toBe('Hello, Z');
  });

  it('is refused by a tool that asks for nothing, too', async () => {
    const answer = await modern(
      connected(() => 'done'),
      { params: { requestState: 'x' } },
    );
    expect(answer.error).toEqual(refused);
  });

  it('belongs to the arguments as they came, whatever the handler does to them once it has asked', async () => {
    const wire = connected(async (args, { requestInput }) => {
      await requestInput('a', nameForm('a')).finally(() => {
        args['own'] = args;
      });
      await requestInput('b', nameForm('b'));
      return 'both';
    });
    const second = await retry(wire, await modern(wire), { a: ACCEPTED.name });
    expect(Object.keys(second.result.inputRequests)).toEqual(['b']);
    expect(text(await retry(wire, second, { b: ACCEPTED.name }))).toBe('both');
  });

  it('of a handler that has put its arguments into themselves before it asks is not made', async () => {
    const wire = connected(async (args, { requestInput }) => {
      args['own'] = args;
      await requestInput('a', nameForm('a'));
      return 'unreached';
    });
    const answer = await modern(wire, { params: { arguments: {} } });
    expect(answer.result.isError).toBe(true);
    expect(text(answer)).toContain('nested without end');
  });

  it('opens again in another process with the same keys', async () => {
    const options = { stateKeys: ['a secret of thirty-two bytes or so'] };
    const first = await modern(connected(undefined, options));
    expect(text(await retry(connected(undefined, options), first, ACCEPTED))).toBe('Hello, Z');
  });

  it('is no matter of a legacy call', async () => {
    const wire = connected(() => 'done');
    wire.feed(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","requestState":"x","inputResponses":5}}',
    );
    expect(text((await wire.takeWhen(2))[1])).toBe('done');
  });

  it('that would be too long is -32603 and says which limit', async () => {
    const wire = connected(
      async (_, { requestInput }) => {
        await requestInput('a', nameForm('a'));
        await requestInput('b', nameForm('b'));
        return 'both';
      },
      { maxStateBytes: 1024 },
    );
    const long = { a: { action: 'accept', content: { name: 'x'.repeat(2000) } } };
    const answer = await retry(wire, await modern(wire), long);
    expect(answer.error.code).toBe(-32603);
    expect(answer.error.message).toContain('maxStateBytes is 1024');
  });
});

describe('a handler that asks', () => {
  const again = { resultType: 'input_required', inputRequests: { name: nameForm('?') } };

  it('and swallows the rejection is answered input_required all the same', async () => {
    let code: unknown;
    const wire = connected(async (_, { requestInput }) => {
      await requestInput('name', nameForm('?')).catch((error) => {
        ({ code } = error);
      });
      return 'guessed';
    });
    expect((await modern(wire)).result).toMatchObject(again);
    expect(code).toBe('INPUT_REQUIRED');
  });

  it('and fails in another way is answered input_required: the rejection is why', async () => {
    const wire = connected(async (_, { requestInput }) => {
      try {
        await requestInput('name', nameForm('?'));
      } catch (error) {
        throw new TypeError('wrapped', { cause: error });
      }
      return 'unreached';
    });
    expect((await modern(wire)).result).toMatchObject(again);
  });

  it('and does not wait is answered input_required, and no rejection is left over', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const wire = connected((_, { requestInput }) => {
        void requestInput('name', nameForm('?'));
        return 'at once';
      });
      expect((await modern(wire)).result).toMatchObject(again);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('after it has settled is told that it is too late, and nothing is sent', async () => {
    let context: CallContext | undefined;
    const wire = connected((_, given) => {
      context = given;
      return 'done';
    });
    expect(text(await modern(wire))).toBe('done');
    await expect(context?.requestInput('name', nameForm('?'))).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(wire.sent).toEqual([]);
  });

  it.each([
    ['the key __proto__', '__proto__', nameForm('?')],
    ['no key', '', nameForm('?')],
    ['a key that is no text', 5, nameForm('?')],
    ['a key without end', 'k'.repeat(257), nameForm('?')],
    ['nothing', 'k', undefined],
    ['another method', 'k', { method: 'ping' }],
    ['params that are none', 'k', { method: 'roots/list', params: 5 }],
    [
      'a form without a message',
      'k',
      { method: 'elicitation/create', params: { requestedSchema: { type: 'object', properties: {} } } },
    ],
    ['an unknown mode', 'k', { method: 'elicitation/create', params: { message: 'm', mode: 'voice' } }],
    [
      'a page that is none',
      'k',
      { method: 'elicitation/create', params: { message: 'm', mode: 'url', url: '/relative' } },
    ],
    ['a conversation without messages', 'k', { method: 'sampling/createMessage', params: { maxTokens: 1 } }],
    [
      'a message without content',
      'k',
      { method: 'sampling/createMessage', params: { maxTokens: 1, messages: [{ role: 'user' }] } },
    ],
    ['no tokens', 'k', { method: 'sampling/createMessage', params: { maxTokens: 0, messages: [] } }],
    ['what JSON cannot hold', 'k', { method: 'roots/list', params: { _meta: { big: 1n } } }],
  ])('for %s learns that it may not', async (_, key, request) => {
    const wire = connected(async (_args, { requestInput }) => {
      const error = await requestInput(key as string, request as never).catch((thrown: unknown) => thrown);
      return (error as { code: string }).code;
    });
    expect(text(await modern(wire))).toBe('OPTION_INVALID');
  });

  it('twice with one key learns that it may not, as soon as the first is answered', async () => {
    const wire = connected(async (_, { requestInput }) => {
      await requestInput('name', nameForm('?'));
      await requestInput('name', nameForm('again?'));
      return 'unreached';
    });
    const answer = await retry(wire, await modern(wire), ACCEPTED);
    expect(answer.result.isError).toBe(true);
    expect(text(answer)).toContain('has asked with that key already');
  });

  it('with keys that objects have from birth is answered', async () => {
    const keys = ['toString', 'constructor', 'hasOwnProperty', 'a"b\\c\n', '🔑'];
    const wire = connected(async (_, { requestInput }) => {
      const all = await Promise.all(keys.map((key) => requestInput(key, nameForm(key))));
      return all.map(({ content }) => content?.['name']).join();
    });
    const first = await modern(wire);
    expect(Object.keys(first.result.inputRequests)).toEqual(keys);
    const second = await retry(wire, first, {});
    expect(Object.keys(second.result.inputRequests)).toEqual(keys);
    const responses = Object.fromEntries(
      keys.map((key, at) => [key, { action: 'accept', content: { name: `${at}` } }]),
    );
    expect(text(await retry(wire, second, responses))).toBe('0,1,2,3,4');
  });
});
