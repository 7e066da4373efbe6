import { McpServer, RpcError } from '@linewire/mcp';
import * as z from 'zod';

// The examples of docs/server.md: every block of that page stands here, letter by letter, and is run by server-page.test.ts.

const server = new McpServer(
  { name: 'notes', version: '1.0.0', title: 'Notes' },
  { instructions: 'Search before you write.', cache: { ttlMs: 60_000, cacheScope: 'private' } },
);

server.registerTool(
  'add',
  {
    description: 'Adds two numbers',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
    annotations: { readOnlyHint: true },
  },
  ({ a, b }) => `${a + b}`,
);

server.registerTool(
  'search',
  {
    inputSchema: z.object({ query: z.string().min(1), limit: z.number().int().default(10) }),
    outputSchema: z.object({ hits: z.array(z.string()) }),
  },
  async ({ query, limit }, { signal, progress, log }) => {
    log('debug', { query });
    progress(1, 2);
    const hits = await find(query, limit, signal);
    return { structuredContent: { hits } };
  },
);

server.registerTool('restore', {}, () => ({
  content: [{ type: 'text', text: 'There is no backup' }],
  isError: true,
}));

server.registerTool('pay', {}, () => {
  throw new RpcError(4020, 'Payment required', { plan: 'pro' });
});

server
  .registerResource('readme', 'notes://readme', { mimeType: 'text/plain' }, () => 'Read me first')
  .registerResource('logo', 'notes://logo', { mimeType: 'image/png' }, async () => new Uint8Array([137, 80]))
  .registerResourceTemplate(
    'note',
    'notes://{folder}/{id}{?rev}',
    {
      mimeType: 'text/markdown',
      cache: { ttlMs: 0, cacheScope: 'private' },
      complete: { folder: (value) => ['inbox', 'trash'].filter((name) => name.startsWith(value)) },
    },
    (_uri, { folder, id, rev }) => notes.get(`${folder}/${id}/${rev ?? 'latest'}`),
  );

server.registerPrompt(
  'summarise',
  {
    description: 'A summary of one note',
    arguments: [
      { name: 'note', required: true },
      { name: 'tone', description: 'kind or stern' },
    ],
  },
  ({ note, tone }) => `Summarise ${note} in a ${tone ?? 'plain'} tone.`,
);

server.registerPrompt(
  'translate',
  {
    argsSchema: z.object({ note: z.string(), language: z.enum(['en', 'de']) }),
    complete: { language: () => ['en', 'de'] },
  },
  ({ note, language }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Translate ${note} to ${language}.` } }],
  }),
);

/** What the page calls `change()`. */
function change(): void {
  server.removeTool('pay');
  server.registerTool('archive', {}, () => 'done');
  server.resourceUpdated('notes://inbox/1');
  server.log('warning', { disk: 'nearly full' }, 'storage');
}

/** Stands for the application behind the page. */
const notes: Map<string, string> = new Map([['inbox/1/latest', '# One']]);
async function find(query: string, limit: number, _signal: AbortSignal): Promise<string[]> {
  return [...notes.values()].filter((note) => note.includes(query)).slice(0, limit);
}

export { change, server };
