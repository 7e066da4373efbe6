import { expect, it } from 'vitest';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

// A slow machine would leave some frames for the next turn.
endlessTurns();

const WAITING = '{"jsonrpc":"2.0","id":"taken","method":"tools/call","params":{"name":"wait"}}';

/** What is answered without credit: nothing else bounds the number of these answers. */
const answeredForFree: Readonly<Record<string, (id: number) => string>> = {
  'a ping': (id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
  'a request whose id is taken': () => WAITING,
  'a malformed request': (id) => `{"jsonrpc":"2.0","id":${id},"method":5}`,
  'a request over the limit': (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"x","params":{"text":"${'y'.repeat(4096)}"}}`,
};
const COUNT = 1000;
/** Enough for a watchdog. */
const UNREAD = 256;

it.each(Object.entries(answeredForFree))(
  'of 1,000 times %s all but 256 wait unread while the client reads nothing, and are answered when it reads on',
  async (_what, line) => {
    const wire = new Wire({ maxFrameBytes: 4096 });
    const session = serve(exampleServer(), wire, { batches: true });
    wire.feed(INITIALIZE.replace('2025-11-25', '2025-03-26'), WAITING);
    wire.take();
    // The next answer fills the outbox.
    wire.full = true;
    wire.feed('{"jsonrpc":"2.0","id":"first","method":"ping"}');
    expect(wire.take()).toHaveLength(1);
    wire.feed(...Array.from({ length: COUNT }, (_, index) => line(index)));
    expect(wire.sent).toHaveLength(UNREAD);
    wire.drain();
    await wire.takeWhen(COUNT);
    expect(wire.isFull).toBe(false);
    await session.close();
  },
);

it('an array, whose answer may be long, waits unread while the client reads nothing', async () => {
  const wire = new Wire();
  const session = serve(exampleServer(), wire, { batches: true });
  wire.feed(INITIALIZE.replace('2025-11-25', '2025-03-26'));
  wire.take();
  wire.full = true;
  wire.feed('{"jsonrpc":"2.0","id":"first","method":"ping"}');
  wire.take();
  wire.feed('[{"jsonrpc":"2.0","id":2,"method":"ping"}]', '[{"jsonrpc":"2.0","id":3,"method":"ping"}]');
  expect(wire.sent).toHaveLength(0);
  wire.drain();
  await wire.takeWhen(2);
  await session.close();
});

it('a cancel is heard while the client reads nothing', async () => {
  const wire = new Wire();
  const session = serve(exampleServer(), wire);
  wire.feed(INITIALIZE, WAITING);
  wire.full = true;
  wire.feed('{"jsonrpc":"2.0","id":"first","method":"ping"}');
  wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"taken"}}');
  expect(session.stats.cancelled).toBe(1);
  await session.close();
});
