import { type JsonSchemaObject, launcherForm, McpServer, serveStdio, type ToolResult } from '@linewire/mcp';

const version = '0.1.0';

const help = `linewire-server ${version}: an MCP server with five small tools, over stdin and stdout.

  linewire-server                  serve; ends when stdin ends and everything is answered
  cat test.jsonl | linewire-server answer a file of messages
  linewire-server --help | --version

Native code and child processes cannot touch the wire when it is started so, whatever stdin and stdout are:
  ${launcherForm('linewire-server')}

Tools: add, multiply, divide (a, b), echo (text), slow (ms).
`;

const pair = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
} as const satisfies JsonSchemaObject;

const server: McpServer = new McpServer({ name: 'linewire-server', version })
  .registerTool('add', { inputSchema: pair }, ({ a, b }) => `${a + b}`)
  .registerTool('multiply', { inputSchema: pair }, ({ a, b }) => `${a * b}`)
  .registerTool('divide', { inputSchema: pair }, ({ a, b }) =>
    b === 0 ? failed('Cannot divide by zero') : `${a / b}`,
  )
  .registerTool(
    'echo',
    { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
    ({ text }) => text,
  )
  .registerTool(
    'slow',
    {
      inputSchema: {
        type: 'object',
        properties: { ms: { type: 'integer', minimum: 0 } },
        required: ['ms'],
      },
    },
    async ({ ms }, { signal, progress }) => {
      // Loaded by the first call: it would add 1.5 ms to every start.
      const { setTimeout: sleep } = await import('node:timers/promises');
      for (let third = 1; third <= 3; third++) {
        // Whole milliseconds that add up to `ms`; a longer timer than 24 days would fire at once.
        const stepMs = Math.round((ms * third) / 3) - Math.round((ms * (third - 1)) / 3);
        await sleep(Math.min(stepMs, 2 ** 31 - 1), undefined, { signal });
        progress(third, 3);
      }
      return `waited ${ms} ms`;
    },
  );

function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

const [option, ...more] = process.argv.slice(2);
if (option === undefined) {
  serveStdio(server);
} else if (more.length === 0 && (option === '--help' || option === '-h')) {
  process.stdout.write(help);
} else if (more.length === 0 && (option === '--version' || option === '-v')) {
  process.stdout.write(`${version}\n`);
} else {
  process.stderr.write(`linewire-server takes no arguments but --help and --version\n`);
  process.exitCode = 2;
}
