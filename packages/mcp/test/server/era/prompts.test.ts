import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../src/errors.ts';
import { McpServer } from '../../../src/server/mcp-server.ts';
import { serve } from '../../../src/server/server-session.ts';
import { enter, eras, feedEach, line } from '../../support/era-requests.ts';
import { info, S } from '../../support/example-server.ts';
import { type Frame, Wire } from '../../support/wire.ts';

function promptServer(): McpServer {
  return new McpServer(info)
    .registerPrompt(
      'review',
      {
        title: 'Review',
        arguments: [
          { name: 'code', description: 'what to look at', required: true },
          { name: 'tone', complete: (value) => ['kind', 'stern'].filter((one) => one.startsWith(value)) },
        ],
      },
      ({ code, tone }) => `Review (${tone ?? 'plain'}): ${code}`,
    )
    .registerPrompt('bare', {}, () => ({
      description: 'of this result',
      messages: [{ role: 'assistant', content: { type: 'text', text: 'hm' } }],
      _meta: { 'com.example/k': 1 },
    }))
    .registerPrompt(
      'checked',
      {
        argsSchema: {
          type: 'object',
          properties: { lang: { type: 'string', enum: ['en', 'de'], description: 'the language' } },
          required: ['lang'],
        },
        complete: { lang: () => Promise.resolve(['en', 'de']) },
      },
      ({ lang }: { lang: string }) => lang,
    )
    .registerPrompt('boom', {}, () => {
      throw new Error('kaboom');
    })
    .registerPrompt('chosen', {}, () => Promise.reject(new RpcError(77, 'mine')))
    .registerPrompt('wrong', {}, () => 5 as unknown as string);
}

describe.each(eras)('prompts, %s', (era) => {
  async function ask(method: string, params: object): Promise<Frame> {
    const wire = new Wire();
    serve(promptServer(), wire);
    enter(era, wire);
    feedEach(wire, line(era, 7, method, params));
    return (await wire.takeWhen(1))[0];
  }

  const meta = era === 'modern' ? { resultType: 'complete', _meta: S } : {};

  it('prompts/list shows names and arguments, no functions', async () => {
    const { result } = await ask('prompts/list', {});
    expect(result.prompts.slice(0, 3)).toEqual([
      {
        name: 'review',
        title: 'Review',
        arguments: [{ name: 'code', description: 'what to look at', required: true }, { name: 'tone' }],
      },
      { name: 'bare' },
      { name: 'checked', arguments: [{ name: 'lang', description: 'the language', required: true }] },
    ]);
    expect(result.ttlMs).toBe(era === 'modern' ? 0 : undefined);
  });

  it('prompts/get: a string is one text message of the user', async () => {
    const { result } = await ask('prompts/get', { name: 'review', arguments: { code: 'x = 1' } });
    expect(result).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Review (plain): x = 1' } }],
      ...meta,
    });
  });

  it('prompts/get: messages, description and _meta go out as they are', async () => {
    const { result } = await ask('prompts/get', { name: 'bare' });
    expect(result).toEqual({
      description: 'of this result',
      messages: [{ role: 'assistant', content: { type: 'text', text: 'hm' } }],
      ...meta,
      _meta: { 'com.example/k': 1, ...(era === 'modern' ? S : {}) },
    });
  });

  it.each([
    ['an unknown prompt', { name: 'nope' }, 'Unknown prompt: nope'],
    ['a missing argument', { name: 'review' }, 'Missing argument of prompt review: code'],
    ['a missing argument by the schema', { name: 'checked' }, 'Missing argument of prompt checked: lang'],
    [
      'a value that does not fit the schema',
      { name: 'checked', arguments: { lang: 'fr' } },
      'Invalid arguments for prompt checked: lang must be one of "en", "de"',
    ],
    [
      'an argument that is no string',
      { name: 'review', arguments: { code: 5 } },
      'Invalid params: arguments must be an object of strings',
    ],
    [
      'arguments that are a list',
      { name: 'review', arguments: [] },
      'Invalid params: arguments must be an object of strings',
    ],
    ['no name', {}, 'Invalid params: name must be a string'],
  ])('prompts/get: %s is -32602', async (_, params, message) => {
    expect((await ask('prompts/get', params)).error).toEqual({ code: -32602, message });
  });

  it('prompts/get: an argument that only the prototype has is missing', async () => {
    const wire = new Wire();
    const server = new McpServer(info).registerPrompt(
      'p',
      { arguments: [{ name: 'toString', required: true }] },
      ({ toString: text }) => text,
    );
    serve(server, wire);
    enter(era, wire);
    feedEach(wire, line(era, 7, 'prompts/get', { name: 'p' }));
    expect(wire.take()[0].error.code).toBe(-32602);
  });

  it.each([
    ['boom', { code: -32603, message: 'kaboom' }],
    ['chosen', { code: 77, message: 'mine' }],
    [
      'wrong',
      {
        code: -32603,
        message:
          'Prompt wrong returned an unusable result: neither a string nor an object with a list of messages',
      },
    ],
  ])('prompts/get: what %s does wrong is an error', async (name, error) => {
    expect((await ask('prompts/get', { name })).error).toEqual(error);
  });

  it('a server without prompts has none of their methods, and no completions', () => {
    const wire = new Wire();
    serve(new McpServer(info), wire);
    enter(era, wire);
    const methods = ['prompts/list', 'prompts/get', 'completion/complete'];
    feedEach(wire, ...methods.map((method, id) => line(era, id, method)));
    expect(wire.take().map((answer) => answer.error.code)).toEqual(methods.map(() => -32601));
  });
});

describe.each(eras)('completions, %s', (era) => {
  function completing(): McpServer {
    return promptServer()
      .registerResource('fixed', 'mem://fixed', {}, () => '')
      .registerResourceTemplate(
        'page',
        'mem://{book}/{page}',
        {
          complete: {
            page: (value, { arguments: known, signal }) => [`${known['book']}:${value}:${signal.aborted}`],
            book: () => Array.from({ length: 250 }, (_, n) => `b${n}`),
          },
        },
        () => '',
      )
      .registerPrompt(
        'bad',
        {
          arguments: [
            {
              name: 'a',
              complete: () => {
                throw new Error('no idea');
              },
            },
            { name: 'b', complete: () => [5] as unknown as string[] },
            { name: 'holes', complete: () => Object.assign(new Array<string>(3), { 1: 'x' }) },
            { name: 'hundred', complete: () => Array.from({ length: 100 }, String) },
          ],
        },
        () => '',
      );
  }

  async function ask(ref: unknown, argument: unknown, context?: unknown): Promise<Frame> {
    const wire = new Wire();
    serve(completing(), wire);
    enter(era, wire);
    feedEach(
      wire,
      line(era, 7, 'completion/complete', { ref, argument, ...(context === undefined ? {} : { context }) }),
    );
    return (await wire.takeWhen(1))[0];
  }

  const review = { type: 'ref/prompt', name: 'review' };
  const page = { type: 'ref/resource', uri: 'mem://{book}/{page}' };

  it('of a prompt argument come from its function', async () => {
    const { result } = await ask(review, { name: 'tone', value: 's' });
    expect(result).toEqual({
      completion: { values: ['stern'] },
      ...(era === 'modern' ? { resultType: 'complete', _meta: S } : {}),
    });
  });

  it('of an argument of a schema may be a promise', async () => {
    const { result } = await ask({ type: 'ref/prompt', name: 'checked' }, { name: 'lang', value: '' });
    expect(result.completion.values).toEqual(['en', 'de']);
  });

  it('of a template variable know the variables that have values', async () => {
    const { result } = await ask(page, { name: 'page', value: '1' }, { arguments: { book: 'moby' } });
    expect(result.completion.values).toEqual(['moby:1:false']);
  });

  it('are a hundred at most, and say how many there are', async () => {
    const { result } = await ask(page, { name: 'book', value: '' });
    expect(result.completion.values).toHaveLength(100);
    expect(result.completion).toMatchObject({ total: 250, hasMore: true });
    const whole = await ask({ type: 'ref/prompt', name: 'bad' }, { name: 'hundred', value: '' });
    expect(whole.result.completion).toEqual({ values: Array.from({ length: 100 }, String) });
  });

  it.each([
    ['an argument without suggestions', review, 'code'],
    ['an argument that there is none of', review, 'toString'],
    ['a resource that is no template', { type: 'ref/resource', uri: 'mem://fixed' }, 'x'],
  ])('of %s are none', async (_, ref, name) => {
    expect((await ask(ref, { name, value: '' })).result.completion).toEqual({ values: [] });
  });

  it.each([
    ['an unknown prompt', { type: 'ref/prompt', name: 'nope' }, { name: 'a', value: '' }],
    ['another kind of ref', { type: 'ref/tool', name: 'x' }, { name: 'a', value: '' }],
    ['no ref', undefined, { name: 'a', value: '' }],
    ['no argument', review, undefined],
    ['a value that is no string', review, { name: 'tone', value: 5 }],
  ])('%s is -32602', async (_, ref, argument) => {
    expect((await ask(ref, argument)).error.code).toBe(-32602);
  });

  it('an unknown resource is -32602 with the URI', async () => {
    const { error } = await ask({ type: 'ref/resource', uri: 'zz:' }, { name: 'a', value: '' });
    expect(error).toMatchObject({ code: -32602, data: { uri: 'zz:' } });
  });

  it('a context of the wrong form is -32602', async () => {
    const { error } = await ask(page, { name: 'page', value: '' }, { arguments: { book: 5 } });
    expect(error.code).toBe(-32602);
  });

  it('a function that throws, or gives something else, is -32603', async () => {
    const bad = { type: 'ref/prompt', name: 'bad' };
    expect((await ask(bad, { name: 'a', value: '' })).error).toEqual({ code: -32603, message: 'no idea' });
    for (const name of ['b', 'holes']) expect((await ask(bad, { name, value: '' })).error.code).toBe(-32603);
  });

  it('are advertised when anything has a function for them', () => {
    const wire = new Wire();
    const server = new McpServer(info).registerPrompt('p', { arguments: [{ name: 'a' }] }, () => '');
    serve(server, wire);
    const capabilities = (): Frame => {
      feedEach(wire, line('modern', 1, 'server/discover'));
      return wire.take().at(-1).result.capabilities;
    };
    expect(capabilities().completions).toBeUndefined();
    server.registerPrompt('q', { arguments: [{ name: 'a', complete: () => [] }] }, () => '');
    expect(capabilities().completions).toEqual({});
  });
});

describe('registering', () => {
  const invalid = expect.objectContaining({ code: 'OPTION_INVALID' });
  const server = promptServer();

  it.each([
    ['a prompt without a name', () => server.registerPrompt('', {}, () => '')],
    ['a prompt without a handler', () => server.registerPrompt('x', {}, 5 as never)],
    [
      'an argument twice',
      () => server.registerPrompt('x', { arguments: [{ name: 'a' }, { name: 'a' }] }, () => ''),
    ],
    [
      'a completer for an argument that there is none of',
      () =>
        server.registerPrompt('x', { argsSchema: { type: 'object' }, complete: { a: () => [] } }, () => ''),
    ],
    [
      'a completer that is none',
      () => server.registerResourceTemplate('x', 'x:{a}', { complete: { a: 5 as never } }, () => ''),
    ],
    ['a resource without a URI', () => server.registerResource('x', '', {}, () => '')],
    ['a resource without a reader', () => server.registerResource('x', 'x:', {}, 5 as never)],
    ['a template that is none', () => server.registerResourceTemplate('x', 'x:{a*}', {}, () => '')],
    ['an offer of something else', () => new McpServer(info, { offers: ['tasks' as 'tools'] })],
    ['a page size of nothing', () => new McpServer(info, { pageSize: 0 })],
  ])('%s is refused', (_, register) => {
    expect(register).toThrow(invalid);
  });

  it('the same URI or name twice is refused, and free again after its removal', () => {
    const taken = expect.objectContaining({ code: 'ALREADY_REGISTERED' });
    const twice = new McpServer(info);
    const kinds = [
      [() => twice.registerPrompt('p', {}, () => ''), () => twice.removePrompt('p')],
      [() => twice.registerResource('r', 'r:', {}, () => ''), () => twice.removeResource('r:')],
      [
        () => twice.registerResourceTemplate('t', 't:{a}', {}, () => ''),
        () => twice.removeResourceTemplate('t:{a}'),
      ],
    ] as const;
    for (const [register, remove] of kinds) {
      expect(remove()).toBe(false);
      expect(register()).toBe(twice);
      expect(register).toThrow(taken);
      expect(remove()).toBe(true);
      expect(register()).toBe(twice);
    }
  });
});
