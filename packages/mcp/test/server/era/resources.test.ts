import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../src/errors.ts';
import type { ResourceReturn } from '../../../src/server/api/resource.ts';
import { McpServer } from '../../../src/server/mcp-server.ts';
import { serve } from '../../../src/server/server-session.ts';
import { enter, eras, feedEach, line } from '../../support/era-requests.ts';
import { info, S } from '../../support/example-server.ts';
import { type Frame, Wire } from '../../support/wire.ts';

const bytes = new Uint8Array([9, 9, 0, 255, 16, 9]).subarray(2, 5);

function library(): McpServer {
  return new McpServer(info)
    .registerResource('one', 'mem://one', { mimeType: 'text/plain', title: 'One', size: 5 }, () => 'first')
    .registerResource('raw', 'mem://raw', { mimeType: 'image/png' }, () => Promise.resolve(bytes))
    .registerResourceTemplate(
      'note',
      'mem://notes/{id}',
      { description: 'a note', mimeType: 'text/markdown' },
      (uri, { id }) => `${uri} is ${id}`,
    );
}

function returning(value: () => ResourceReturn | Promise<ResourceReturn>): McpServer {
  return new McpServer(info).registerResource('r', 'mem://r', { mimeType: 'text/plain' }, value);
}

describe.each(eras)('resources, %s', (era) => {
  function served(server: McpServer): Wire {
    const wire = new Wire();
    serve(server, wire);
    enter(era, wire);
    return wire;
  }

  async function ask(server: McpServer, method: string, params: object): Promise<Frame> {
    const wire = served(server);
    feedEach(wire, line(era, 7, method, params));
    const [answer] = await wire.takeWhen(1);
    expect(answer.id).toBe(7);
    return answer;
  }

  /** What stands around the result in this era. */
  const around =
    era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: S } : {};

  it('resources/list shows what was registered, in that order, without what was left out', async () => {
    const { result } = await ask(library(), 'resources/list', {});
    expect(result).toEqual({
      resources: [
        { uri: 'mem://one', name: 'one', title: 'One', mimeType: 'text/plain', size: 5 },
        { uri: 'mem://raw', name: 'raw', mimeType: 'image/png' },
      ],
      ...around,
    });
  });

  it('resources/templates/list shows the templates', async () => {
    const { result } = await ask(library(), 'resources/templates/list', {});
    expect(result).toEqual({
      resourceTemplates: [
        {
          uriTemplate: 'mem://notes/{id}',
          name: 'note',
          description: 'a note',
          mimeType: 'text/markdown',
        },
      ],
      ...around,
    });
  });

  it.each([
    ['text', 'mem://one', { uri: 'mem://one', mimeType: 'text/plain', text: 'first' }],
    [
      'bytes as base64, of the view only',
      'mem://raw',
      { uri: 'mem://raw', mimeType: 'image/png', blob: 'AP8Q' },
    ],
    [
      'what a template reads',
      'mem://notes/a%20b',
      { uri: 'mem://notes/a%20b', mimeType: 'text/markdown', text: 'mem://notes/a%20b is a b' },
    ],
  ])('resources/read gives %s', async (_, uri, content) => {
    const { result } = await ask(library(), 'resources/read', { uri });
    expect(result).toEqual({ contents: [content], ...around });
  });

  it('several contents may have URIs, types and _meta of their own', async () => {
    const { result } = await ask(
      returning(() => ({
        contents: [
          { text: 'a' },
          { uri: 'mem://r/2', mimeType: 'x/y', blob: 'AAAA', _meta: { k: 1 } },
          { blob: bytes },
        ],
      })),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(result.contents).toEqual([
      { uri: 'mem://r', mimeType: 'text/plain', text: 'a' },
      { uri: 'mem://r/2', mimeType: 'x/y', blob: 'AAAA', _meta: { k: 1 } },
      { uri: 'mem://r', mimeType: 'text/plain', blob: 'AP8Q' },
    ]);
  });

  it('a list is several contents, one object is one', async () => {
    const list = await ask(
      returning(() => [{ text: 'a' }, { text: 'b' }]),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(list.result.contents.map((content: { text: string }) => content.text)).toEqual(['a', 'b']);
    const one = await ask(
      returning(() => ({ text: 'a' })),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(one.result.contents).toHaveLength(1);
  });

  it('_meta of a result is kept beside the server', async () => {
    const { result } = await ask(
      returning(() => ({ contents: [], _meta: { 'com.example/k': 1 } })),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(result._meta).toEqual({ 'com.example/k': 1, ...(era === 'modern' ? S : {}) });
    expect(result.resultType).toBe(era === 'modern' ? 'complete' : undefined);
  });

  it.each([
    ['no resource', library(), 'mem://none'],
    ['a resource whose reader finds nothing', returning(() => undefined), 'mem://r'],
    ['a resource that was removed', removed(), 'mem://one'],
  ])('%s of that URI is -32602 with the URI', async (_, server, uri) => {
    const { error } = await ask(server, 'resources/read', { uri });
    expect(error).toEqual({ code: -32602, message: `Resource not found: ${uri}`, data: { uri } });
  });

  it('a registered resource goes before a template, an earlier template before a later one', async () => {
    const server = new McpServer(info)
      .registerResourceTemplate('first', 'mem://{a}', {}, () => 'first template')
      .registerResourceTemplate('second', 'mem://{b}', {}, () => 'second template')
      .registerResource('exact', 'mem://x', {}, () => 'exact');
    const exact = await ask(server, 'resources/read', { uri: 'mem://x' });
    expect(exact.result.contents[0].text).toBe('exact');
    const other = await ask(server, 'resources/read', { uri: 'mem://y' });
    expect(other.result.contents[0].text).toBe('first template');
    server.removeResourceTemplate('mem://{a}');
    const later = await ask(server, 'resources/read', { uri: 'mem://y' });
    expect(later.result.contents[0].text).toBe('second template');
  });

  it.each([
    ['no uri', {}],
    ['a uri that is no string', { uri: 5 }],
  ])('%s is -32602', async (_, params) => {
    expect((await ask(library(), 'resources/read', params)).error.code).toBe(-32602);
  });

  it('an error that a reader throws is -32603 with its message, an RpcError is the answer', async () => {
    const plain = await ask(
      returning(() => {
        throw new Error('disk on fire');
      }),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(plain.error).toEqual({ code: -32603, message: 'disk on fire' });
    const chosen = await ask(
      returning(() => Promise.reject(new RpcError(1234, 'mine', { a: 1 }))),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(chosen.error).toEqual({ code: 1234, message: 'mine', data: { a: 1 } });
  });

  it.each([
    ['a number', 5],
    ['null', null],
    ['an object without text or blob', { uri: 'x' }],
    ['a list with something else in it', [{ text: 'a' }, 5]],
    ['contents that are none', { contents: ['a'] }],
    ['a member that JSON cannot hold', { text: 'a', _meta: { big: 1n } }],
  ])('a reader that returns %s is answered -32603 that names the resource', async (_, value) => {
    const { error } = await ask(
      returning(() => value as ResourceReturn),
      'resources/read',
      { uri: 'mem://r' },
    );
    expect(error.code).toBe(-32603);
    expect(error.message).toMatch(/^Resource mem:\/\/r returned an unusable result: /);
  });

  it('a progress token that is none is -32602, and the reader does not run', async () => {
    let reads = 0;
    const wire = served(returning(() => String(++reads)));
    feedEach(wire, line(era, 1, 'resources/read', { uri: 'mem://r' }, { progressToken: 1.5 }));
    expect(wire.take()[0].error.code).toBe(-32602);
    expect(reads).toBe(0);
  });

  it('a server without resources has none of their methods', () => {
    const wire = served(new McpServer(info));
    const methods = ['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe'];
    feedEach(wire, ...methods.map((method, id) => line(era, id, method)));
    expect(wire.take().map((answer) => answer.error.code)).toEqual(methods.map(() => -32601));
  });

  it('a server that offers them has empty lists, and knows no cursor', () => {
    const wire = served(new McpServer(info, { offers: ['resources', 'prompts', 'tools'] }));
    const lists = ['resources/list', 'resources/templates/list', 'prompts/list', 'tools/list'];
    feedEach(wire, ...lists.map((method, id) => line(era, id, method)));
    expect(wire.take().map(({ result }) => result)).toEqual([
      { resources: [], ...around },
      { resourceTemplates: [], ...around },
      { prompts: [], ...around },
      { tools: [], ...around },
    ]);
    feedEach(wire, ...lists.map((method, id) => line(era, id, method, { cursor: '' })));
    expect(wire.take().map(({ error }) => error.code)).toEqual(lists.map(() => -32602));
  });

  it('once there was a resource, the list stays when it is gone', async () => {
    const server = new McpServer(info).registerResource('r', 'mem://r', {}, () => '');
    server.removeResource('mem://r');
    expect((await ask(server, 'resources/list', {})).result.resources).toEqual([]);
  });

  it('pages follow each other by the cursor', async () => {
    const server = new McpServer(info, { pageSize: 2 });
    for (let n = 0; n < 5; n++) server.registerResource(`r${n}`, `mem://${n}`, {}, () => '');
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await ask(server, 'resources/list', cursor === undefined ? {} : { cursor });
      names.push(...result.resources.map((resource: { name: string }) => resource.name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(['r0', 'r1', 'r2', 'r3', 'r4']);
  });

  it.each(['', 'nope', 5, null, 't1'])('the cursor %j is -32602', async (cursor) => {
    expect((await ask(library(), 'resources/list', { cursor })).error).toEqual({
      code: -32602,
      message: 'Invalid params: unknown cursor',
    });
  });
});

describe('cache hints', () => {
  it('are those of the server, on all six methods', async () => {
    const server = new McpServer(info, {
      cache: { ttlMs: 5000, cacheScope: 'public' },
      offers: ['tools', 'prompts'],
    })
      .registerResource('r', 'mem://r', {}, () => 'x')
      .registerResourceTemplate('t', 'mem://t/{x}', {}, () => 'y');
    const wire = new Wire();
    serve(server, wire);
    const lists = [
      'server/discover',
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ];
    feedEach(wire, ...lists.map((method, id) => line('modern', id, method)));
    feedEach(
      wire,
      line('modern', 8, 'resources/read', { uri: 'mem://r' }),
      line('modern', 9, 'resources/read', { uri: 'mem://t/1' }),
    );
    const hints = wire.take().map(({ result: { ttlMs, cacheScope } }) => ({ ttlMs, cacheScope }));
    expect(hints).toEqual(Array(7).fill({ ttlMs: 5000, cacheScope: 'public' }));
  });

  it('of a resource go before those of the server', () => {
    const wire = new Wire();
    const cache = { ttlMs: 1, cacheScope: 'public' } as const;
    serve(
      new McpServer(info).registerResource('r', 'mem://r', { cache }, () => 'x'),
      wire,
    );
    feedEach(
      wire,
      line('modern', 1, 'resources/read', { uri: 'mem://r' }),
      line('modern', 2, 'resources/list'),
    );
    const [read, list] = wire.take();
    expect(read.result).toMatchObject(cache);
    expect(list.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it.each([
    { ttlMs: -1, cacheScope: 'public' },
    { ttlMs: 1.5, cacheScope: 'public' },
    { ttlMs: 1, cacheScope: 'all' },
  ])('%j is refused when it is given', (hint) => {
    const cache = hint as { ttlMs: number; cacheScope: 'public' };
    const invalid = expect.objectContaining({ code: 'OPTION_INVALID' });
    expect(() => new McpServer(info, { cache })).toThrow(invalid);
    expect(() => new McpServer(info).registerResource('r', 'r:', { cache }, () => '')).toThrow(invalid);
    expect(() => new McpServer(info).registerResourceTemplate('r', 'r:{a}', { cache }, () => '')).toThrow(
      invalid,
    );
  });
});

function removed(): McpServer {
  const server = library();
  expect(server.removeResource('mem://one')).toBe(true);
  expect(server.removeResource('mem://one')).toBe(false);
  return server;
}
