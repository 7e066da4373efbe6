// The official TypeScript SDK, version 1, as its quick start says: McpServer, zod shapes, StdioServerTransport.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const numbers = { a: z.number(), b: z.number() };

server.registerTool('add', { inputSchema: numbers }, async ({ a, b }) => text(String(a + b)));
server.registerTool('multiply', { inputSchema: numbers }, async ({ a, b }) => text(String(a * b)));
server.registerTool('divide', { inputSchema: numbers }, async ({ a, b }) => {
  if (b === 0) return { ...text('Cannot divide by zero'), isError: true };
  return text(String(a / b));
});
server.registerTool('echo', { inputSchema: { text: z.string() } }, async (args) => text(args.text));

await server.connect(new StdioServerTransport());
