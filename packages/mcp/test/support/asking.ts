import type { InputRequests } from '../../src/server/api/input.ts';
import type { McpServerOptions } from '../../src/server/api/server-options.ts';
import type { CallContext, ToolHandler } from '../../src/server/api/tool.ts';
import { McpServer } from '../../src/server/mcp-server.ts';
import { info } from './example-server.ts';
import type { Frame, Wire } from './wire.ts';

/** The form of the transcripts: one name. */
export function nameForm(message: string): InputRequests['elicitation/create'] {
  return {
    method: 'elicitation/create',
    params: {
      message,
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  };
}

/** Greets whoever the client names: the same code for both eras. */
export async function greet({ who }: { who?: string }, context: CallContext): Promise<string> {
  const { action, content } = await context.requestInput('name', nameForm(`Name for ${who}`));
  return action === 'accept' ? `Hello, ${content?.['name']}` : `You ${action}`;
}

/** A server of one tool, `ask`. */
export function askingServer(
  handler: ToolHandler<never> = greet as ToolHandler<never>,
  options: McpServerOptions = {},
): McpServer {
  return new McpServer(info, options).registerTool(
    'ask',
    {},
    handler as ToolHandler<Record<string, unknown>>,
  );
}

export const ALL_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

interface Request {
  readonly method?: string;
  readonly capabilities?: unknown;
  readonly params?: object;
}

let lastId = 100;

/** A modern request, by default of `ask`, as a line. */
export function modernLine({
  method = 'tools/call',
  capabilities = ALL_CAPABILITIES,
  params = {},
}: Request = {}): string {
  lastId++;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: lastId,
    method,
    params: { name: 'ask', _meta: meta, ...params },
  });
}

/** Sends it and waits for the answer. */
export async function modern(wire: Wire, request: Request = {}): Promise<Frame> {
  wire.feed(modernLine(request));
  const [answer] = await wire.takeWhen(1);
  return answer;
}

/** Comes back to an `input_required` answer with these responses, as a client should. */
export function retry(
  wire: Wire,
  answer: Frame,
  inputResponses: object | undefined,
  request: Request = {},
): Promise<Frame> {
  const { requestState } = answer.result;
  return modern(wire, { ...request, params: { ...request.params, inputResponses, requestState } });
}
