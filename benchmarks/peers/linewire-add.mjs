// linewire through its public API: one tool whose arguments are checked by its schema.
//   node linewire-add.mjs sync | async
import { McpServer, serveStdio } from '@linewire/mcp';

const inputSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
};
// The name that the expected answers of the benchmarks hold.
const server = new McpServer({ name: 'linewire-server', version: '0.1.0' });
server.registerTool(
  'add',
  { inputSchema },
  process.argv[2] === 'async' ? async ({ a, b }) => String(a + b) : ({ a, b }) => String(a + b),
);
serveStdio(server);
