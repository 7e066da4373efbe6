import { describe, expect, it, vi } from 'vitest';
import { McpServer } from '../../src/server/mcp-server.ts';
import type { ServeOptions, ServerSession } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

function run(options?: ServeOptions): {
  gate: Gate;
  wire: Wire;
  session: ServerSession;
  closed: () => boolean;
} {
  const gate = new Gate();
  const wire = new Wire();
  const session = serve(exampleServer(gate), wire, options);
  let closed = false;
  void session.closed.then(() => {
    closed = true;
  });
  wire.feed(INITIALIZE);
  wire.take();
  return { gate, wire, session, closed: () => closed };
}

const wait = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"wait"}}`;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the end of input', () => {
  it('ends an idle session', async () => {
    const { wire, session } = run();
    wire.feedEnd();
    expect((await session.closed).kind).toBe('closed');
  });

  it('a last request without newline is answered', async () => {
    const { wire, session } = run();
    wire.feedBytes(new TextEncoder().encode('{"jsonrpc":"2.0","id":2,"method":"ping"}'));
    wire.feedEnd();
    await session.closed;
    expect(wire.take()).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it('T44: running and parked requests are answered before the session ends', async () => {
    const { gate, wire, session, closed } = run({ maxInFlight: 1 });
    wire.feed(wait(2), wait(3));
    wire.feedEnd();
    await turn();
    expect(closed()).toBe(false);
    gate.open('a');
    await wire.takeWhen(1);
    await turn();
    expect(closed()).toBe(false);
    gate.open('b');
    await session.closed;
    expect(wire.take()[0].result.content[0].text).toBe('b');
  });

  it('a cancelled call is not waited for', async () => {
    const { wire, session } = run();
    wire.feed(wait(2), '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
    wire.feedEnd();
    await session.closed;
    expect(wire.take()).toEqual([]);
  });

  it('drainTimeoutMs counts from the last answer; then what runs is aborted and answered -32603', async () => {
    vi.useFakeTimers();
    try {
      const { gate, wire, session, closed } = run({ drainTimeoutMs: 1000, maxInFlight: 2 });
      wire.feed(wait(2), wait(3), wait(4));
      wire.feedEnd();
      await vi.advanceTimersByTimeAsync(900);
      gate.open();
      await vi.advanceTimersByTimeAsync(900);
      expect(closed()).toBe(false);
      expect(gate.contexts).toHaveLength(3);
      await vi.advanceTimersByTimeAsync(200);
      await session.closed;
      const refused = { code: -32603, message: 'server shutting down' };
      expect(wire.take()).toEqual([
        { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: 'done' }] } },
        { jsonrpc: '2.0', id: 3, error: refused },
        { jsonrpc: '2.0', id: 4, error: refused },
      ]);
      expect(gate.contexts[1]?.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a reader that is slow does not let the answers that wait for it run out of time', async () => {
    vi.useFakeTimers();
    try {
      const { wire, closed } = run({ drainTimeoutMs: 100 });
      wire.full = true;
      const echo = '"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}';
      wire.feed(`{"jsonrpc":"2.0","id":1,${echo}`, `{"jsonrpc":"2.0","id":2,${echo}`);
      wire.feedEnd();
      await vi.advanceTimersByTimeAsync(5000);
      expect(closed()).toBe(false);
      wire.drain();
      await vi.advanceTimersByTimeAsync(0);
      expect(wire.take().map((answer) => answer.result.content[0].text)).toEqual(['x', 'x']);
      expect(closed()).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('the session ends only when the system has taken every byte', async () => {
    vi.useFakeTimers();
    try {
      const { wire, closed } = run();
      let flushed = (): void => {};
      wire.whenFlushed = new Promise((resolve) => {
        flushed = resolve;
      });
      wire.feedEnd();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(closed()).toBe(false);
      flushed();
      await vi.advanceTimersByTimeAsync(0);
      expect(closed()).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('close() answers what runs and what is parked, aborts, and takes no more requests', async () => {
    const { gate, wire, session } = run({ maxInFlight: 1 });
    wire.feed(wait(2), wait(3));
    await turn();
    expect(gate.contexts[0]?.signal.aborted).toBe(false);
    const closing = session.close();
    expect(wire.take().map((answer) => [answer.id, answer.error.code])).toEqual([
      [3, -32603],
      [2, -32603],
    ]);
    expect(gate.contexts[0]?.signal.aborted).toBe(true);
    await closing;
    gate.open('late');
    await session.settled();
    expect(wire.take()).toEqual([]);
    expect(session.stats.lateResults).toBe(1);
  });

  it('requests behind the one whose handler closes the session are not run', async () => {
    const wire = new Wire();
    const ran: string[] = [];
    const server = new McpServer({ name: 's', version: '1' }).registerTool('close', {}, () => {
      ran.push('close');
      void session.close();
      return 'closed';
    });
    const session = serve(server, wire);
    const call = '"method":"tools/call","params":{"name":"close"}}';
    wire.feed(INITIALIZE, `{"jsonrpc":"2.0","id":2,${call}`, `{"jsonrpc":"2.0","id":3,${call}`);
    await session.closed;
    expect(ran).toEqual(['close']);
  });

  it('a peer that goes away aborts what runs, and late results harm nobody', async () => {
    const { gate, wire, session } = run();
    wire.feed(wait(2));
    await wire.finish({ kind: 'peer-closed' });
    expect(gate.contexts[0]?.signal.aborted).toBe(true);
    gate.open();
    await session.settled();
    expect(wire.take()).toEqual([]);
  });
});
