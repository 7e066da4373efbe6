import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { ToolReturn } from '../../../src/server/api/tool.ts';
import { McpServer } from '../../../src/server/mcp-server.ts';
import { serve } from '../../../src/server/server-session.ts';
import { enter, eras, feedEach, line } from '../../support/era-requests.ts';
import { info, S } from '../../support/example-server.ts';
import { type Frame, Wire } from '../../support/wire.ts';

const sumOutput = {
  type: 'object',
  properties: { sum: { type: 'number' } },
  required: ['sum'],
} as const;

describe.each(eras)('tools, %s', (era) => {
  async function ask(server: McpServer, method: string, params: object): Promise<Frame> {
    const wire = new Wire();
    serve(server, wire);
    enter(era, wire);
    feedEach(wire, line(era, 7, method, params));
    return (await wire.takeWhen(1))[0];
  }

  const call = (server: McpServer, args: object = {}) =>
    ask(server, 'tools/call', { name: 't', arguments: args });

  it('tools/list shows all that a definition says', async () => {
    const server = new McpServer(info)
      .registerTool(
        't',
        {
          title: 'T',
          description: 'does t',
          inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
          outputSchema: sumOutput,
          annotations: { readOnlyHint: true },
          icons: [{ src: 'data:,' }],
          _meta: { 'com.example/k': 1 },
        },
        () => ({ structuredContent: { sum: 1 } }),
      )
      .registerTool('bare', {}, () => '');
    const { result } = await ask(server, 'tools/list', {});
    expect(result.tools).toEqual([
      {
        name: 't',
        title: 'T',
        description: 'does t',
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        outputSchema: sumOutput,
        annotations: { readOnlyHint: true },
        icons: [{ src: 'data:,' }],
        _meta: { 'com.example/k': 1 },
      },
      { name: 'bare', inputSchema: { type: 'object' } },
    ]);
  });

  it('an output schema whose root is no object is for modern clients only, and so is what it describes', async () => {
    const server = new McpServer(info).registerTool('t', { outputSchema: { type: 'array' } }, () => ({
      structuredContent: [1, 2],
    }));
    const list = await ask(server, 'tools/list', {});
    expect(list.result.tools[0].outputSchema).toEqual(era === 'modern' ? { type: 'array' } : undefined);
    const { result } = await call(server);
    expect(result.content).toEqual([{ type: 'text', text: '[1,2]' }]);
    expect(result.structuredContent).toEqual(era === 'modern' ? [1, 2] : undefined);
  });

  it('structuredContent alone gets its JSON text as content', async () => {
    const server = new McpServer(info).registerTool('t', { outputSchema: sumOutput }, () => ({
      structuredContent: { sum: 3 },
      _meta: { 'com.example/k': 1 },
    }));
    const { result } = await call(server);
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
      _meta: { 'com.example/k': 1, ...(era === 'modern' ? S : {}) },
      ...(era === 'modern' ? { resultType: 'complete' } : {}),
    });
  });

  it('content beside structuredContent goes out as it is', async () => {
    const content = [{ type: 'text', text: 'three' }];
    const server = new McpServer(info).registerTool('t', { outputSchema: sumOutput }, async () => ({
      content,
      structuredContent: { sum: 3 },
    }));
    expect((await call(server)).result).toMatchObject({ content, structuredContent: { sum: 3 } });
  });

  it.each([
    ['does not fit', { structuredContent: { sum: 'x' } }, 'structuredContent.sum must be a number'],
    ['is of another type', { structuredContent: 5 }, 'structuredContent must be an object'],
    ['is missing', { content: [] }, 'structuredContent is missing, which its outputSchema describes'],
    ['is a string', 'three', 'structuredContent is missing, which its outputSchema describes'],
  ])('a result that %s is -32603 with the path', async (_, returned, why) => {
    for (const handler of [() => returned as ToolReturn<never>, async () => returned as ToolReturn<never>]) {
      const server = new McpServer(info).registerTool('t', { outputSchema: sumOutput }, handler);
      const { error } = await call(server);
      expect(error).toEqual({ code: -32603, message: `Tool t returned an unusable result: ${why}` });
    }
  });

  it('a result that comes from a thenable whose then gives nothing back is held to the output schema too', async () => {
    const server = new McpServer(info);
    for (const [name, sum] of Object.entries({ good: 3, bad: 'x' })) {
      const then = (resolve: (value: object) => void): void => {
        resolve({ structuredContent: { sum } });
      };
      server.registerTool(name, { outputSchema: sumOutput }, () => ({ then }) as never);
    }
    const good = await ask(server, 'tools/call', { name: 'good' });
    expect(good.result.structuredContent).toEqual({ sum: 3 });
    const bad = await ask(server, 'tools/call', { name: 'bad' });
    expect(bad.error.message).toBe(
      'Tool bad returned an unusable result: structuredContent.sum must be a number',
    );
  });

  it('a result with isError is not held to the output schema', async () => {
    const server = new McpServer(info).registerTool('t', { outputSchema: sumOutput }, () => ({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    }));
    expect((await call(server)).result).toMatchObject({ isError: true });
  });

  it('structuredContent needs no output schema', async () => {
    const server = new McpServer(info).registerTool('t', {}, () => ({ structuredContent: { a: 1 } }));
    expect((await call(server)).result).toMatchObject({
      structuredContent: { a: 1 },
      content: [{ type: 'text', text: '{"a":1}' }],
    });
  });

  it('a schema of a library judges the arguments, and the handler gets what it made of them', async () => {
    const server = new McpServer(info).registerTool(
      't',
      { inputSchema: z.object({ n: z.number().default(4), s: z.string().transform((s) => s.length) }) },
      ({ n, s }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        expectTypeOf(s).toEqualTypeOf<number>();
        return `${n + s}`;
      },
    );
    expect((await call(server, { s: 'abc' })).result.content[0].text).toBe('7');
    const { result } = await call(server, { s: 5 });
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^Invalid arguments for tool t: s /);
    const list = await ask(server, 'tools/list', {});
    expect(list.result.tools[0].inputSchema.properties.s).toEqual({ type: 'string' });
  });

  it('a schema that has to wait makes the call wait', async () => {
    const inputSchema = z.object({ s: z.string().refine(async (s) => s === 'good', 'is bad') });
    const server = new McpServer(info).registerTool('t', { inputSchema }, ({ s }) => s);
    expect((await call(server, { s: 'good' })).result.content[0].text).toBe('good');
    expect((await call(server, { s: 'evil' })).result).toMatchObject({ isError: true });
  });

  it('a call that is cancelled while its arguments are judged never begins', async () => {
    let release: (value: boolean) => void = () => {};
    let begun = 0;
    const inputSchema = z.object({
      s: z.string().refine(() => new Promise<boolean>((open) => (release = open))),
    });
    const server = new McpServer(info).registerTool('t', { inputSchema }, () => String(++begun));
    const wire = new Wire();
    const session = serve(server, wire);
    enter(era, wire);
    feedEach(
      wire,
      line(era, 7, 'tools/call', { name: 't', arguments: { s: 'x' } }),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}',
    );
    release(true);
    await session.settled();
    expect(begun).toBe(0);
    expect(wire.sent).toEqual([]);
  });

  it('a schema of a library for results may change them, and refuses', async () => {
    const outputSchema = z.object({ sum: z.number(), unit: z.string().default('m') });
    const server = new McpServer(info).registerTool(
      't',
      { inputSchema: z.object({ sum: z.unknown() }), outputSchema },
      ({ sum }) => ({ structuredContent: { sum: sum as number } }),
    );
    expect((await call(server, { sum: 1 })).result.structuredContent).toEqual({ sum: 1, unit: 'm' });
    expect((await call(server, { sum: 'x' })).error.message).toMatch(
      /^Tool t returned an unusable result: structuredContent\.sum /,
    );
  });
});

describe('a prompt whose arguments a library describes', () => {
  it('gets what the library made of them; others are -32602', async () => {
    const server = new McpServer(info).registerPrompt(
      'p',
      {
        argsSchema: z.object({ count: z.string().transform(Number).describe('how many') }),
        complete: { count: () => ['1', '2'] },
      },
      ({ count }) => {
        expectTypeOf(count).toEqualTypeOf<number>();
        return `${count + 1}`;
      },
    );
    const wire = new Wire();
    serve(server, wire);
    feedEach(
      wire,
      line('modern', 1, 'prompts/list'),
      line('modern', 2, 'prompts/get', { name: 'p', arguments: { count: '4' } }),
      line('modern', 3, 'prompts/get', { name: 'p' }),
      line('modern', 4, 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'count', value: '' },
      }),
    );
    const [list, made, missing, completion] = await wire.takeWhen(4);
    expect(list.result.prompts[0].arguments).toEqual([
      { name: 'count', description: 'how many', required: true },
    ]);
    expect(made.result.messages[0].content.text).toBe('5');
    expect(missing.error.code).toBe(-32602);
    expect(completion.result.completion.values).toEqual(['1', '2']);
  });
});

describe('the types of a server', () => {
  it('follow from what is registered', () => {
    const server = new McpServer(info);
    server.registerTool(
      'typed',
      {
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'string' } },
          required: ['a'],
        },
        outputSchema: sumOutput,
      },
      (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string }>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        return { structuredContent: { sum: args.a } };
      },
    );
    // @ts-expect-error: sum is a number
    server.registerTool('wrong', { outputSchema: sumOutput }, () => ({ structuredContent: { sum: 'x' } }));
    server.registerTool('open', {}, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
      return '';
    });
    server.registerPrompt('p', { arguments: [{ name: 'a', required: true }, { name: 'b' }] }, (values) => {
      expectTypeOf(values.a).toEqualTypeOf<string>();
      expectTypeOf(values.b).toEqualTypeOf<string | undefined>();
      return '';
    });
    expect(server.removeTool('typed')).toBe(true);
  });
});
