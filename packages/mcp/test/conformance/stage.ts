import {
  type CallContext,
  McpServer,
  type McpServerOptions,
  type ToolDefinition,
  type ToolReturn,
} from '../../src/index.ts';
import { Gate, info } from '../support/example-server.ts';

/** The options of the server, and `bare`: it offers nothing. */
export interface StageOptions extends Pick<McpServerOptions, 'instructions' | 'pageSize' | 'logging'> {
  readonly bare?: boolean;
}

/** The server of the transcripts, and what can be made to happen at it. */
export class Stage {
  readonly server: McpServer;
  readonly gate: Gate = new Gate();
  /** Names of the tools that ran. */
  readonly ran: string[] = [];
  private addedTools = 0;

  constructor({ bare = false, ...options }: StageOptions = {}) {
    this.server = new McpServer(info, options);
    if (bare) return;
    this.addPlainTools();
    this.addAskingTools();
    this.tool('meta', () => ({ content: [], _meta: { 'com.example/x': 1 } }));
    addResources(this.server);
    addPrompts(this.server);
  }

  /** What the `*` lines of a transcript name. */
  readonly events: Readonly<Record<string, () => void>> = {
    'the gate opens': () => this.gate.open(),
    'a tool is added': () => {
      this.server.registerTool(`later ${this.addedTools++}`, {}, () => 'later');
    },
    'mem://a changes': () => this.server.resourceUpdated('mem://a'),
    'mem://other changes': () => this.server.resourceUpdated('mem://other'),
    'the server logs': () => {
      this.server.log('debug', 'too low');
      this.server.log('warning', 'high enough', 'x');
    },
  };

  private tool(
    name: string,
    handler: (args: Record<string, string>, context: CallContext) => ToolReturn | Promise<ToolReturn>,
    definition: ToolDefinition = {},
  ): void {
    this.server.registerTool(name, definition, (args, context) => {
      this.ran.push(name);
      return handler(args as Record<string, string>, context);
    });
  }

  private addPlainTools(): void {
    this.tool('echo', ({ text = '' }) => text, { inputSchema: objectOf('text', 'string') });
    this.tool('boom', () => {
      throw new Error('kaboom');
    });
    this.tool('wait', this.gate.handler);
    this.tool('slow', async (args, context) => {
      context.progress(1, 3);
      context.log('debug', 'low');
      context.log('info', 'step 1', 'lab');
      context.progress(1, 3);
      context.progress(0.5, 3);
      context.progress(2, 3);
      await this.gate.handler(args, context);
      context.progress(3, 3);
      context.log('error', 'step 2', 'lab');
      // By then it is answered.
      setImmediate(() => {
        context.progress(4, 4);
        context.log('emergency', 'too late');
      });
      return 'slow';
    });
    this.tool('sum', () => ({ structuredContent: { sum: 3 } }), { outputSchema: objectOf('sum', 'number') });
  }

  private addAskingTools(): void {
    this.tool('ask', async ({ who }, context) => {
      const { action, content } = await context.requestInput('name', {
        method: 'elicitation/create',
        params: { message: `Name for ${who}`, requestedSchema: objectOf('name', 'string') },
      });
      return `${action} ${content?.['name']}`;
    });
    this.tool('sample', async (_, context) => {
      const { content } = await context.requestInput('text', {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
      });
      return (content as unknown as { text: string }).text;
    });
    this.tool('roots', async (_, context) => {
      const { roots } = await context.requestInput('roots', { method: 'roots/list' });
      return roots.map(({ uri }) => uri).join();
    });
  }
}

type OneMember = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'number' }>>;
  readonly required: readonly string[];
};

/** The schema of an object with one member. */
function objectOf(name: string, type: 'string' | 'number'): OneMember {
  return { type: 'object', properties: { [name]: { type } }, required: [name] };
}

function addResources(server: McpServer): void {
  server
    .registerResource('a', 'mem://a', { mimeType: 'text/plain' }, () => 'text of a')
    .registerResource('b', 'mem://b', {}, () => new Uint8Array([1, 2, 3]))
    .registerResource('broken', 'mem://broken', {}, () => {
      throw new Error('no disk');
    })
    .registerResourceTemplate(
      'note',
      'note://{id}',
      { complete: { id: () => ['one', 'two'] } },
      (_, { id }) => `note ${id}`,
    );
}

function addPrompts(server: McpServer): void {
  const names = Array.from({ length: 150 }, (_, n) => `n${n}`);
  server.registerPrompt(
    'greet',
    { arguments: [{ name: 'who', required: true, complete: () => names }] },
    ({ who }) => `Greet ${who}`,
  );
}
