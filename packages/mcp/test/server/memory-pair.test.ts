import { memoryPair } from '@linewire/transport';
import { describe, expect, it } from 'vitest';
import { ClientSession } from '../../src/client/client-session.ts';
import { serve } from '../../src/server/server-session.ts';
import { exampleServer, Gate, INITIALIZE } from '../support/example-server.ts';

// Both of our ends over a pair in memory: nothing above the duplex may assume a process.

const HELLO = (JSON.parse(INITIALIZE) as { params: Record<string, unknown> }).params;

describe('server and client over a memory pair', () => {
  it('shake hands, call, cancel, and end when the client closes', async () => {
    const [near, far] = memoryPair();
    const gate = new Gate();
    const server = serve(exampleServer(gate), far);
    const client = new ClientSession(near, {});
    await client.request('initialize', HELLO);
    client.notify('notifications/initialized');

    const calls = Array.from({ length: 600 }, (_, n) =>
      client.request('tools/call', { name: 'echo', arguments: { text: `${n} 🧪` } }),
    );
    const texts = (await Promise.all(calls)).map(
      (result) => (result['content'] as { text: string }[])[0]?.text,
    );
    expect(texts).toEqual(Array.from({ length: 600 }, (_, n) => `${n} 🧪`));

    const controller = new AbortController();
    const cancelled = client.request('tools/call', { name: 'wait' }, { signal: controller.signal });
    await until(() => gate.contexts.length === 1);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(() => gate.contexts[0]?.signal.aborted === true);

    const last = client.request('tools/call', { name: 'wait' });
    await until(() => gate.contexts.length === 2);
    await client.close();
    await expect(last).rejects.toMatchObject({ code: 'PEER_CLOSED' });
    // The call of the closed client still runs; its handler is waited for, then the server ends by itself.
    gate.open();
    gate.open();
    await server.closed;
    await server.settled();
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
