import { describe, expect, it } from 'vitest';
import type { ServerSession } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

/** Stops the server from inside of a call: `now` gives its result all the same, `later` is given up like any other call. */
function served(): { wire: Wire; session: ServerSession } {
  const wire = new Wire();
  let session: ServerSession | undefined;
  const server = exampleServer()
    .registerTool('now', {}, () => {
      void session?.close();
      return 'bye';
    })
    .registerTool('later', {}, async () => {
      await session?.close();
      return 'bye';
    });
  session = serve(server, wire);
  wire.feed(INITIALIZE);
  wire.take();
  return { wire, session };
}

const call = (id: number, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}`;

describe('a handler that closes its session', () => {
  it('is answered with what it returns at once', async () => {
    const { wire, session } = served();
    wire.feed(call(2, 'wait'), call(3, 'now'), call(4, 'wait'));
    await session.closed;
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'server shutting down' } },
      { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'bye' }] } },
    ]);
  });

  it('is answered that the server shuts down if it awaits', async () => {
    const { wire, session } = served();
    wire.feed(call(3, 'later'));
    await session.closed;
    expect(wire.take()).toEqual([
      { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'server shutting down' } },
    ]);
    await session.settled();
  });
});
