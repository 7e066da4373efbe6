// tmcp with its zod adapter and stdio transport, as its README says.
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { tool } from 'tmcp/utils';
import { z } from 'zod';

const server = new McpServer(
  { name: 'tmcp', version: '1.0.0', description: 'Four tools' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
const numbers = z.object({ a: z.number(), b: z.number() });

server.tool({ name: 'add', description: 'a + b', schema: numbers }, async ({ a, b }) =>
  tool.text(String(a + b)),
);
server.tool({ name: 'multiply', description: 'a * b', schema: numbers }, async ({ a, b }) =>
  tool.text(String(a * b)),
);
server.tool({ name: 'divide', description: 'a / b', schema: numbers }, async ({ a, b }) =>
  b === 0 ? tool.error('Cannot divide by zero') : tool.text(String(a / b)),
);
server.tool({ name: 'echo', description: 'the text', schema: z.object({ text: z.string() }) }, async (args) =>
  tool.text(args.text),
);

new StdioTransport(server).listen();
