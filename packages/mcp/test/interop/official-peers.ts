import { fileURLToPath } from 'node:url';
import {
  Client as ClientV2,
  LOG_LEVEL_META_KEY,
  type McpSubscription,
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
import { expect } from 'vitest';

const command = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/interop-server.mjs', import.meta.url))],
};
const about = { name: 'interop', version: '1.0.0' };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };

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

type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
interface Listed {
  readonly name: string;
  readonly [member: string]: unknown;
}
type Page = { readonly nextCursor?: string | undefined } & { readonly [Kind in ListKind]?: unknown };

async function allPages(
  kind: ListKind,
  fetch: (cursor: string | undefined) => Promise<Page>,
): Promise<Listed[]> {
  const items: Listed[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetch(cursor);
    items.push(...(page[kind] as Listed[]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** What the tests ask of a client, whatever its version. */
export interface Peer {
  /** Of the server. */
  readonly pid: number;
  readonly era: 'legacy' | 'modern';
  call(name: string, args?: object, options?: CallOptions): Promise<CallResult>;
  /** A call that wants logs at this level or above: for the session (legacy), or for this request (modern). */
  callAtLevel(level: 'warning', name: string): Promise<unknown>;
  /** All pages, which version 2 fetches itself. */
  list(kind: ListKind): Promise<Listed[]>;
  read(uri: string): Promise<unknown[]>;
  prompt(name: string, args: Record<string, string>): Promise<unknown[]>;
  complete(ref: object, argument: { name: string; value: string }): Promise<string[]>;
  instructions(): string | undefined;
  /** What came: names of notifications with what tells them apart. */
  readonly heard: string[];
  /** Asks to hear of changes of the tools and of one resource. */
  subscribe(uri: string): Promise<void>;
  /** Takes the last `subscribe` back. */
  unsubscribe(uri: string): Promise<void>;
  close(): Promise<void>;
}

const answers = {
  elicit: (message: string) =>
    message === 'Name?'
      ? { action: 'accept' as const, content: { name: 'Ada' } }
      : { action: 'decline' as const },
  sample: (prompt: unknown) => ({
    role: 'assistant' as const,
    model: 'm',
    content: { type: 'text' as const, text: `sampled ${JSON.stringify(prompt)}` },
  }),
  roots: { roots: [{ uri: 'file:///home' }] },
} as const;

async function v1(askable = true): Promise<Peer> {
  const client = new ClientV1(about, { capabilities: askable ? capabilities : {} });
  if (askable) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answers.elicit(params.message));
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) =>
      answers.sample(params.messages[0]?.content),
    );
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...answers.roots.roots] }));
  }
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
    list: (kind) =>
      allPages(kind, (cursor) => {
        const params = cursor === undefined ? undefined : { cursor };
        if (kind === 'tools') return client.listTools(params);
        if (kind === 'resources') return client.listResources(params);
        if (kind === 'prompts') return client.listPrompts(params);
        return client.listResourceTemplates(params);
      }),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (ref, argument) =>
      (await client.complete({ ref: ref as { type: 'ref/prompt'; name: string }, argument })).completion
        .values,
    instructions: () => client.getInstructions(),
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
    },
    unsubscribe: async (uri) => {
      await client.unsubscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

function v2(mode: NonNullable<NonNullable<OptionsV2['versionNegotiation']>['mode']>, era: Peer['era']) {
  return async (askable = true): Promise<Peer> => {
    const client = new ClientV2(about, {
      capabilities: askable ? capabilities : {},
      versionNegotiation: { mode },
    });
    if (askable) {
      client.setRequestHandler('elicitation/create', ({ params }) => answers.elicit(params.message));
      client.setRequestHandler('sampling/createMessage', ({ params }) =>
        answers.sample(params.messages[0]?.content),
      );
      client.setRequestHandler('roots/list', () => ({ roots: [...answers.roots.roots] }));
    }
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
    let feed: McpSubscription | undefined;
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
      list: (kind) =>
        allPages(kind, (cursor) => {
          const params = cursor === undefined ? undefined : { cursor };
          if (kind === 'tools') return client.listTools(params);
          if (kind === 'resources') return client.listResources(params);
          if (kind === 'prompts') return client.listPrompts(params);
          return client.listResourceTemplates(params);
        }),
      read: async (uri) => (await client.readResource({ uri })).contents,
      prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
      complete: async (ref, argument) =>
        (await client.complete({ ref: ref as { type: 'ref/prompt'; name: string }, argument })).completion
          .values,
      instructions: () => client.getInstructions(),
      subscribe: async (uri) => {
        if (era === 'legacy') await client.subscribeResource({ uri });
        else feed = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
      },
      unsubscribe: async (uri) => {
        if (era === 'legacy') await client.unsubscribeResource({ uri });
        else await feed?.close();
      },
      close: () => client.close(),
    };
  };
}

/** By name; each starts a server of its own. One that is not askable has no capability. */
export const clients: readonly [string, (askable?: boolean) => Promise<Peer>][] = [
  ['v1', v1],
  ['v2, handshake', v2('legacy', 'legacy')],
  ['v2, probing', v2('auto', 'modern')],
  ['v2, pinned', v2({ pin: '2026-07-28' }, 'modern')],
];
