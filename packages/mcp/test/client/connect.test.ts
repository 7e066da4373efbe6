import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ConnectOptions, McpClient } from '../../src/client/client-types.ts';
import { connect } from '../../src/client/connect.ts';

/** A server of a few lines; each test changes what it does with a request. */
function script(onRequest: string, before = ''): Pick<ConnectOptions, 'command' | 'args'> {
  const source = `
    ${before}
    const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    const answer = (id, result) => say({ jsonrpc: '2.0', id, result });
    const hello = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      ${onRequest}
    }).on('close', () => process.exit(0));
  `;
  return { command: process.execPath, args: ['-e', source] };
}

const HELLO = `if (method === 'initialize') return answer(id, hello);`;

async function using(options: ConnectOptions, body: (client: McpClient) => Promise<void>): Promise<void> {
  const client = await connect(options);
  try {
    await body(client);
  } finally {
    await client.close();
  }
}

describe('connect', () => {
  it('shakes hands, lists all pages, calls and pings', async () => {
    const server = script(`${HELLO}
      if (method === 'ping') return answer(id, {});
      if (method === 'tools/list') {
        return answer(id, params?.cursor === 'two' ? { tools: [{ name: 'b', inputSchema: {} }] } : { tools: [{ name: 'a', inputSchema: {} }], nextCursor: 'two' });
      }
      answer(id, { content: [{ type: 'text', text: JSON.stringify(params) }] });`);
    await using(server, async (client) => {
      expect(client.serverInfo).toEqual({ name: 's', version: '1' });
      expect(client.protocolVersion).toBe('2025-11-25');
      expect((await client.listTools()).map((tool) => tool.name)).toEqual(['a', 'b']);
      const result = await client.callTool('t', { x: '🧪' });
      expect(result.content).toEqual([{ type: 'text', text: '{"name":"t","arguments":{"x":"🧪"}}' }]);
      await client.ping();
    });
  });

  it('close() is done in well under the time-outs with a server that leaves at the end of its input', async () => {
    const client = await connect(script(HELLO));
    const started = performance.now();
    const reason = await client.close();
    expect(performance.now() - started).toBeLessThan(1500);
    expect(reason.exitCode).toBe(0);
  });

  it('a server that dies rejects the call with its exit code and its last words', async () => {
    const server = script(`${HELLO} process.stderr.write('out of cheese\\n'); process.exit(7);`);
    const client = await connect(server);
    await expect(client.callTool('t')).rejects.toMatchObject({
      code: 'PEER_CLOSED',
      exitCode: 7,
      stderrTail: 'out of cheese\n',
    });
    await expect(client.ping()).rejects.toMatchObject({ code: 'PEER_CLOSED' });
  });

  it.each([
    ['speaks another version', `answer(id, { ...hello, protocolVersion: '2099-01-01' });`],
    ['does not say its name', `answer(id, { ...hello, serverInfo: {} });`],
    ['answers with an error', `say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } });`],
    ['exits', `process.exit(1);`],
    ['says nothing in time', ``],
  ])(
    'a server that %s is HANDSHAKE_FAILED, and is ended before the promise rejects',
    async (_, onRequest) => {
      await expect(connect({ ...script(onRequest), requestTimeoutMs: 1000 })).rejects.toMatchObject({
        code: 'HANDSHAKE_FAILED',
      });
    },
  );

  it('a command that does not exist is named', async () => {
    await expect(connect({ command: 'no-such-command-here' })).rejects.toThrow(/no-such-command-here/);
  });

  it('a server that hands out the same cursor for ever is not asked for ever', async () => {
    await using(script(`${HELLO} answer(id, { tools: [], nextCursor: 'again' });`), async (client) => {
      await expect(client.listTools()).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
    });
  });

  it('banners before and between the answers do no harm', async () => {
    const noise = script(
      `console.log('\\u001b[32mlistening\\u001b[0m'); ${HELLO} answer(id, {});`,
      `console.log('starting'); console.log('');`,
    );
    await using(noise, async (client) => {
      await client.ping();
      expect(client.stats.faults).toBe(3);
    });
  });

  it('1,000 calls at once all get their own answer', async () => {
    const server = script(
      `${HELLO} answer(id, { content: [{ type: 'text', text: String(params.arguments.n) }] });`,
    );
    await using(server, async (client) => {
      const results = await Promise.all(Array.from({ length: 1000 }, (_, n) => client.callTool('t', { n })));
      expect(results.map((result) => result.content[0]?.['text'])).toEqual(
        Array.from({ length: 1000 }, (_, n) => String(n)),
      );
    });
  });

  it('a rejected call that nobody awaits does not end the host', () => {
    // In a process of its own, where an unhandled rejection would be the end.
    const dist = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
    const { command, args } = script(`${HELLO} process.exit(1);`);
    const host = `
      const { connect } = await import(${JSON.stringify(dist)});
      const client = await connect(${JSON.stringify({ command, args })});
      client.callTool('t'); client.ping(); client.listTools();
      await client.closed;
      await new Promise((resolve) => setTimeout(resolve, 50));
      console.log('alive');
    `;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', host], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe('alive\n');
  });
});
