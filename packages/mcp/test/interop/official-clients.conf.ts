import { fileURLToPath } from 'node:url';
import {
  Client as ClientV2,
  LOG_LEVEL_META_KEY,
  type ClientOptions as OptionsV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The official clients against a real process of ours: needs a build.

const command = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/interop-server.mjs', import.meta.url))],
};
const about = { name: 'interop', version: '1.0.0' };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
/** Of a wait for what was sent already. */
const bounded = { timeout: 10_000 };
const multiByte = 'naïve – ไทย – 漢字 – 👩‍👩‍👧‍👦 –    – "quoted" \\ \n';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
  readonly timeout?: number;
}
interface CallResult {
  readonly content: { type: string; text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** What the tests ask of a client, whatever its version. */
interface Peer {
  /** Of the server. */
  readonly pid: number;
  readonly era: 'legacy' | 'modern';
  call(name: string, args?: object, options?: CallOptions): Promise<CallResult>;
  /** A call that wants logs at this level or above: for the session (legacy), or for this request (modern). */
  callAtLevel(level: 'warning', name: string): Promise<unknown>;
  listTools(): Promise<string[]>;
  read(uri: string): Promise<unknown[]>;
  prompt(name: string, args: Record<string, string>): Promise<unknown[]>;
  complete(ref: object, argument: { name: string; value: string }): Promise<string[]>;
  instructions(): string | undefined;
  /** What came: names of notifications with what tells them apart. */
  readonly heard: string[];
  /** Asks to hear of changes of the tools and of one resource. */
  subscribe(uri: string): Promise<void>;
  close(): Promise<void>;
}

const answers = {
  elicit: { action: 'accept', content: { name: 'Ada' } },
  sample: { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } },
  roots: { roots: [{ uri: 'file:///home' }] },
} as const;

async function v1(): Promise<Peer> {
  const client = new ClientV1(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => ({ ...answers.elicit }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({ ...answers.sample }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...answers.roots.roots] }));
  const heard: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(`log ${params.level} ${JSON.stringify(params.data)}`);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.push('tools');
  });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(`updated ${params.uri}`);
  });
  const transport = new StdioV1(command);
  await client.connect(transport);
  return {
    pid: transport.pid as number,
    era: 'legacy',
    heard,
    callAtLevel: async (level, name) => {
      await client.setLoggingLevel(level);
      return client.callTool({ name });
    },
    call: async (name, args = {}, options = {}) =>
      (await client.callTool(
        { name, arguments: args as Record<string, unknown> },
        undefined,
        options,
      )) as CallResult,
    listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (ref, argument) =>
      (await client.complete({ ref: ref as { type: 'ref/prompt'; name: string }, argument })).completion
        .values,
    instructions: () => client.getInstructions(),
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

function v2(mode: NonNullable<OptionsV2['versionNegotiation']>['mode'], era: Peer['era']) {
  return async (): Promise<Peer> => {
    const client = new ClientV2(about, {
      capabilities,
      versionNegotiation: { mode },
    } as OptionsV2);
    client.setRequestHandler('elicitation/create', () => ({ ...answers.elicit }));
    client.setRequestHandler('sampling/createMessage', () => ({ ...answers.sample }));
    client.setRequestHandler('roots/list', () => ({ roots: [...answers.roots.roots] }));
    const heard: string[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(`log ${params.level} ${JSON.stringify(params.data)}`);
    });
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      heard.push('tools');
    });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(`updated ${params.uri}`);
    });
    const transport = new StdioV2(command);
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(era);
    return {
      pid: transport.pid as number,
      era,
      heard,
      callAtLevel: async (level, name) => {
        if (era === 'modern') return client.callTool({ name, _meta: { [LOG_LEVEL_META_KEY]: level } });
        await client.setLoggingLevel(level);
        return client.callTool({ name });
      },
      call: async (name, args = {}, options = {}) =>
        (await client.callTool({ name, arguments: args as Record<string, unknown> }, options)) as CallResult,
      listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      read: async (uri) => (await client.readResource({ uri })).contents,
      prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
      complete: async (ref, argument) =>
        (await client.complete({ ref: ref as { type: 'ref/prompt'; name: string }, argument })).completion
          .values,
      instructions: () => client.getInstructions(),
      subscribe: async (uri) => {
        if (era === 'legacy') await client.subscribeResource({ uri });
        else await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
      },
      close: () => client.close(),
    };
  };
}

const clients: readonly [string, () => Promise<Peer>][] = [
  ['v1', v1],
  ['v2, handshake', v2('legacy', 'legacy')],
  ['v2, probing', v2('auto', 'modern')],
  ['v2, pinned', v2({ pin: '2026-07-28' }, 'modern')],
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(clients)('the official client %s', (_name, open) => {
  let peer: Peer;
  beforeEach(async () => {
    peer = await open();
  });
  afterEach(() => peer.close());

  it('lists and calls tools', async () => {
    expect(await peer.listTools()).toEqual(expect.arrayContaining(['echo', 'sum', 'ask']));
    expect((await peer.call('echo', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }]);
    const { structuredContent, content } = await peer.call('sum', { numbers: [1, 2, 3.5] });
    expect(structuredContent).toEqual({ sum: 6.5 });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({ sum: 6.5 });
    expect(peer.instructions()).toBe('Ask politely.');
  });

  it('reads resources, templates, prompts and completions', async () => {
    expect(await peer.read('mem://note')).toMatchObject([{ uri: 'mem://note', text: 'first' }]);
    expect(await peer.read('mem://bytes')).toMatchObject([{ blob: 'AQL/' }]);
    expect(await peer.read('mem://rows/7')).toMatchObject([{ uri: 'mem://rows/7', text: 'row 7' }]);
    await expect(peer.read('mem://none')).rejects.toMatchObject({ code: -32602 });
    expect(await peer.prompt('greet', { name: 'Bo' })).toEqual([
      { role: 'user', content: { type: 'text', text: 'Say hello to Bo.' } },
    ]);
    await expect(peer.prompt('greet', {})).rejects.toMatchObject({ code: -32602 });
    const prompt = { type: 'ref/prompt', name: 'greet' };
    expect(await peer.complete(prompt, { name: 'name', value: 'A' })).toEqual(['A!']);
    const row = { type: 'ref/resource', uri: 'mem://rows/{id}' };
    expect(await peer.complete(row, { name: 'id', value: '12' })).toEqual(['12', '123']);
  });

  it('gets the errors of tools as results, and those of the protocol as errors', async () => {
    expect(await peer.call('fail')).toMatchObject({ isError: true, content: [{ text: 'kaboom' }] });
    expect(await peer.call('echo', { text: 5 })).toMatchObject({ isError: true });
    await expect(peer.call('nope')).rejects.toMatchObject({ code: -32602 });
    await expect(peer.call('refuse')).rejects.toMatchObject({ code: 4242, data: { why: 'closed' } });
  });

  it('hears progress and logs', async () => {
    const seen: number[] = [];
    const call = peer.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    // These clients drop progress that comes in one read with the answer, so the tool waits to be let go.
    await expect.poll(() => seen, bounded).toEqual([1, 2, 3]);
    await peer.call('letGo');
    expect((await call).content).toMatchObject([{ text: 'done' }]);
    expect(seen).toEqual([1, 2, 3]);
    // A modern client asks for logs per request, which this one did not.
    const logs = [1, 2, 3].map((step) => `log info {"step":${step}}`);
    await expect.poll(() => peer.heard, bounded).toEqual(peer.era === 'legacy' ? logs : []);
  });

  it('hears logs from the level on that it asked for', async () => {
    await peer.callAtLevel('warning', 'mutter');
    await expect.poll(() => peer.heard, bounded).toEqual(['log warning "two"', 'log error "three"']);
  });

  it('cancels: the handler is told, and nothing comes back', async () => {
    const controller = new AbortController();
    const call = peer.call('hang', {}, { signal: controller.signal });
    await peer.call('echo', { text: 'running' });
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await peer.call('aborted')).content[0]?.text, bounded).toBe('1');
  });

  it('gets a thousand answers at once', async () => {
    const calls = Array.from({ length: 1000 }, (_, i) => peer.call('echo', { text: `${i}` }));
    const texts = (await Promise.all(calls)).map((result) => result.content[0]?.text);
    expect(texts).toEqual(Array.from({ length: 1000 }, (_, i) => `${i}`));
  });

  it('gets 5 MB and all kinds of characters back', async () => {
    const big = 'é'.repeat(2_500_000);
    expect((await peer.call('echo', { text: big })).content[0]?.text === big).toBe(true);
    expect((await peer.call('echo', { text: multiByte })).content[0]?.text).toBe(multiByte);
  });

  it('is asked, and answers', async () => {
    expect((await peer.call('ask')).content[0]?.text).toBe('hello Ada');
    expect((await peer.call('askTwice')).content[0]?.text).toBe('sampled');
  });

  it('hears of changes that it subscribed to', async () => {
    await peer.subscribe('mem://note');
    await peer.call('write', { text: 'second' });
    await peer.call('grow');
    await expect.poll(() => [...peer.heard].sort(), bounded).toEqual(['tools', 'updated mem://note']);
    expect(await peer.read('mem://note')).toMatchObject([{ text: 'second' }]);
    expect(await peer.listTools()).toContain('grown');
  });

  it('closes in milliseconds, also with subscriptions open', async () => {
    await peer.subscribe('mem://note');
    const start = performance.now();
    await peer.close();
    // It would send SIGTERM after 2,000 ms.
    expect(performance.now() - start).toBeLessThan(1900);
    expect(isAlive(peer.pid)).toBe(false);
  });

  it('closes with a call under way: SIGTERM is enough', async () => {
    const call = peer.call('wait').catch(() => 'ended');
    await peer.call('echo', { text: 'running' });
    const start = performance.now();
    await peer.close();
    // What was accepted may be answered after the end of input, so the client waits for 2,000 ms; SIGKILL would come at 4,000.
    expect(performance.now() - start).toBeLessThan(3900);
    expect(isAlive(peer.pid)).toBe(false);
    expect(await call).toBe('ended');
  });
});
