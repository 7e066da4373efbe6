import { McpServer } from '../../src/index.ts';
import { Gate, info } from '../support/example-server.ts';

/** A context whose later members are there or not yet. */
interface FullContext {
  readonly signal: AbortSignal;
  progress(value: number, total?: number, message?: string): void;
  log?(level: string, data: unknown, logger?: string): void;
  requestInput?(key: string, request: object): Promise<unknown>;
}

type Reader<Result> = (...args: never[]) => Result | Promise<Result>;

/** What a whole server can be told. Members are missing as long as nobody has built them. */
interface FullServer {
  registerTool(
    name: string,
    definition: object,
    handler: (args: Record<string, string>, context: FullContext) => unknown,
  ): FullServer;
  registerResource?(name: string, uri: string, definition: object, read: Reader<unknown>): FullServer;
  registerResourceTemplate?(
    name: string,
    template: string,
    definition: object,
    read: Reader<unknown>,
  ): FullServer;
  registerPrompt?(name: string, definition: object, handler: Reader<unknown>): FullServer;
  resourceUpdated?(uri: string): void;
  log?(level: string, data: unknown, logger?: string): void;
}

/** The options of the server, and `bare`: it offers nothing. */
export interface StageOptions {
  readonly bare?: boolean;
  readonly instructions?: string;
  readonly pageSize?: number;
  readonly logging?: boolean;
}

/** The server of the transcripts, and what can be made to happen at it. */
export class Stage {
  readonly server: McpServer;
  readonly gate: Gate = new Gate();
  /** Names of the tools that ran. */
  readonly ran: string[] = [];
  private addedTools = 0;

  constructor(options: StageOptions = {}) {
    const { bare = false, ...rest } = options;
    this.server = new McpServer(info, rest);
    if (bare) return;
    const server = this.server as unknown as FullServer;
    this.addTools(server);
    addResources(server);
    addPrompts(server);
  }

  /** What the `*` lines of a transcript name. */
  readonly events: Readonly<Record<string, () => void>> = {
    'the gate opens': () => this.gate.open(),
    'a tool is added': () => {
      this.server.registerTool(`later ${this.addedTools++}`, {}, () => 'later');
    },
    'mem://a changes': () => (this.server as unknown as FullServer).resourceUpdated?.('mem://a'),
    'mem://other changes': () => (this.server as unknown as FullServer).resourceUpdated?.('mem://other'),
    'the server logs': () => {
      (this.server as unknown as FullServer).log?.('debug', 'too low');
      (this.server as unknown as FullServer).log?.('warning', 'high enough', 'x');
    },
  };

  private addTools(server: FullServer): void {
    const tool = (
      name: string,
      handler: (args: Record<string, string>, context: FullContext) => unknown,
      definition = {},
    ): void => {
      server.registerTool(name, definition, (args, context) => {
        this.ran.push(name);
        return handler(args, context);
      });
    };
    const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    tool('echo', (args) => args['text'], { inputSchema: text });
    tool('boom', () => {
      throw new Error('kaboom');
    });
    tool('wait', (args, context) => this.gate.handler(args, context as never));
    tool('slow', async (_, context) => {
      context.progress(1, 3);
      context.log?.('debug', 'low');
      context.log?.('info', 'step 1', 'lab');
      context.progress(1, 3);
      context.progress(0.5, 3);
      context.progress(2, 3);
      await this.gate.handler({}, context as never);
      context.progress(3, 3);
      context.log?.('error', 'step 2', 'lab');
      // By then it is answered.
      setImmediate(() => {
        context.progress(4, 4);
        context.log?.('emergency', 'too late');
      });
      return 'slow';
    });
    const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    tool('sum', () => ({ structuredContent: { sum: 3 } }), { outputSchema: sum });
    tool('ask', async ({ who }, context) => {
      const { action, content } = await ask<Elicited>(context, 'name', {
        method: 'elicitation/create',
        params: { message: `Name for ${who}`, requestedSchema: NAME_FORM },
      });
      return `${action} ${content?.name}`;
    });
    tool('sample', async (_, context) => {
      const { content } = await ask<{ content: { text: string } }>(context, 'text', {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
      });
      return content.text;
    });
    tool('roots', async (_, context) => {
      const { roots } = await ask<{ roots: { uri: string }[] }>(context, 'roots', { method: 'roots/list' });
      return roots.map(({ uri }) => uri).join();
    });
    tool('meta', () => ({ content: [], _meta: { 'com.example/x': 1 } }));
  }
}

interface Elicited {
  readonly action: string;
  readonly content?: { readonly name: string };
}

const NAME_FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

async function ask<Answer>(context: FullContext, key: string, request: object): Promise<Answer> {
  if (context.requestInput === undefined) throw new Error('nobody can be asked yet');
  return (await context.requestInput(key, request)) as Answer;
}

function addResources(server: FullServer): void {
  server.registerResource?.('a', 'mem://a', { mimeType: 'text/plain' }, () => 'text of a');
  server.registerResource?.('b', 'mem://b', {}, () => new Uint8Array([1, 2, 3]));
  server.registerResource?.('broken', 'mem://broken', {}, () => {
    throw new Error('no disk');
  });
  server.registerResourceTemplate?.(
    'note',
    'note://{id}',
    { complete: { id: () => ['one', 'two'] } },
    (_uri: string, { id }: { id: string }) => `note ${id}`,
  );
}

function addPrompts(server: FullServer): void {
  const names = Array.from({ length: 150 }, (_, n) => `n${n}`);
  server.registerPrompt?.(
    'greet',
    { arguments: [{ name: 'who', required: true, complete: () => names }] },
    ({ who }: { who: string }) => `Greet ${who}`,
  );
}
