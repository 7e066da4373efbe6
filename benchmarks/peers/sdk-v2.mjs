// The official TypeScript SDK, version 2, as its quick start says: a factory, zod objects, serveStdio.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const numbers = z.object({ a: z.number(), b: z.number() });

serveStdio(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  server.registerTool('add', { inputSchema: numbers }, async ({ a, b }) => text(String(a + b)));
  server.registerTool('multiply', { inputSchema: numbers }, async ({ a, b }) => text(String(a * b)));
  server.registerTool('divide', { inputSchema: numbers }, async ({ a, b }) => {
    if (b === 0) return { ...text('Cannot divide by zero'), isError: true };
    return text(String(a / b));
  });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async (args) =>
    text(args.text),
  );
  return server;
});
