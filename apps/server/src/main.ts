import { launcherForm, McpServer, serveStdio, type ToolResult } from '@linewire/mcp';

const version = '0.1.0';

const help = `linewire-server ${version}: an MCP server with a little of everything, over stdin and stdout.

  linewire-server                  serve; ends when stdin ends and everything is answered
  cat test.jsonl | linewire-server answer a file of messages
  linewire-server --help | --version

Native code and child processes cannot touch the wire when it is started so, whatever stdin and stdout are:
  ${launcherForm('linewire-server')}

Tools: add, multiply, divide (a, b), echo (text), slow (ms), big (bytes), ask, fail, count.
Resource: linewire://count, which the tool changes. Prompt: greet (name).
`;

const number = { type: 'number' } as const;
const string = { type: 'string' } as const;
const natural = { type: 'integer', minimum: 0 } as const;
const pair = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] } as const;
const one = <K extends string, S>(name: K, schema: S) =>
  ({ type: 'object', properties: { [name]: schema } as Record<K, S>, required: [name] }) as const;

const countUri = 'linewire://count';
let count = 0;

const server: McpServer = new McpServer({ name: 'linewire-server', version })
  .registerTool('add', { inputSchema: pair }, ({ a, b }) => `${a + b}`)
  .registerTool('multiply', { inputSchema: pair }, ({ a, b }) => `${a * b}`)
  .registerTool('divide', { inputSchema: pair }, ({ a, b }) =>
    b === 0 ? failed('Cannot divide by zero') : `${a / b}`,
  )
  .registerTool('echo', { inputSchema: one('text', string) }, ({ text }) => text)
  .registerTool('slow', { inputSchema: one('ms', natural) }, async ({ ms }, { signal, progress, log }) => {
    // Loaded by the first call: it would add 1.5 ms to every start.
    const { setTimeout: sleep } = await import('node:timers/promises');
    for (let third = 1; third <= 3; third++) {
      // Whole milliseconds that add up to `ms`; a longer timer than 24 days would fire at once.
      const stepMs = Math.round((ms * third) / 3) - Math.round((ms * (third - 1)) / 3);
      await sleep(Math.min(stepMs, 2 ** 31 - 1), undefined, { signal });
      progress(third, 3);
      log('info', `slow: ${third} of 3`);
    }
    return `waited ${ms} ms`;
  })
  // With what stands around it still below 64 MiB, the longest frame that most will read.
  .registerTool('big', { inputSchema: one('bytes', { ...natural, maximum: 6e7 }) }, ({ bytes }) =>
    'x'.repeat(bytes),
  )
  .registerTool('ask', {}, async (_none, { requestInput }) => {
    const requestedSchema = one('name', string);
    const params = { message: 'What is your name?', requestedSchema };
    const { action, content } = await requestInput('name', { method: 'elicitation/create', params });
    return action === 'accept' ? `Hello, ${content?.['name']}!` : failed('No name was given');
  })
  .registerTool('fail', {}, () => failed('failed, as it was asked to'))
  .registerTool('count', {}, () => {
    count++;
    server.resourceUpdated(countUri);
    return `${count}`;
  })
  .registerResource('count', countUri, { mimeType: 'text/plain' }, () => `${count}`)
  .registerPrompt('greet', { argsSchema: one('name', string) }, ({ name }) => `Say hello to ${name}.`);

function failed(why: string): ToolResult {
  return { content: [{ type: 'text', text: why }], isError: true };
}

const [option, ...more] = process.argv.slice(2);
if (option === undefined) serveStdio(server);
else if (more.length === 0 && /^(--help|-h)$/.test(option)) process.stdout.write(help);
else if (more.length === 0 && /^(--version|-v)$/.test(option)) process.stdout.write(`${version}\n`);
else {
  process.stderr.write(`linewire-server takes no arguments but --help and --version\n`);
  process.exitCode = 2;
}
