import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

describe('options of a session', () => {
  it.each([
    'maxInFlight',
    'drainTimeoutMs',
    'inputTimeoutMs',
    'maxWaitingRequests',
    'maxBatchMessages',
    'maxBatchAnswerBytes',
  ] as const)('%s is refused at construction when it is out of range', (name) => {
    for (const value of [limits[name].min - 1, limits[name].max + 1, 1.5]) {
      const options: ServeOptions = { [name]: value };
      expect(() => serve(exampleServer(), new Wire(), options)).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }),
      );
    }
  });

  it.each(['measureLatency', 'batches'])('%s must be true or false', (name) => {
    expect(() => serve(exampleServer(), new Wire(), { [name]: 'yes' })).toThrow(
      `${name} must be true or false, not yes`,
    );
  });

  it('legacy must be one of its two words', () => {
    const options = { legacy: 'rejected' } as unknown as ServeOptions;
    expect(() => serve(exampleServer(), new Wire(), options)).toThrow(
      "legacy must be 'serve' or 'reject', not rejected",
    );
  });

  it('a report that throws loses no frame', () => {
    const wire = new Wire();
    const uncaught: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
    const restore = (): void => {
      process.removeAllListeners('uncaughtException');
      for (const listener of others) process.on('uncaughtException', listener);
    };
    const broken = new Error('broken');
    serve(exampleServer(), wire, {
      onReport: () => {
        throw broken;
      },
    });
    wire.feed('noise', '{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect(wire.take().map((frame) => frame.id)).toEqual([1]);
    return new Promise<void>((resolve) => setImmediate(resolve)).finally(restore).then(() => {
      expect(uncaught).toEqual([broken]);
    });
  });
});

describe('the distribution of times', () => {
  const call = (id: number, name: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"text":"x"}}}`;

  it('is there when it is asked for, and counts answered calls whether their handlers await or not', async () => {
    const gate = new Gate();
    const wire = new Wire();
    const session = serve(exampleServer(gate), wire, { measureLatency: true });
    expect(session.stats.latency).toEqual({ count: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 });
    wire.feed(INITIALIZE, call(2, 'wait'));
    expect(gate.waiting).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    gate.open();
    await wire.takeWhen(2);
    wire.feed(call(3, 'echo'));
    wire.feed(call(4, 'boom'));
    // Given up: it has no time.
    wire.feed(call(5, 'wait'));
    wire.feed('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}');
    gate.open();
    await session.settled();
    const { latency } = session.stats;
    expect(latency?.count).toBe(3);
    expect(latency?.max).toBeGreaterThanOrEqual(19);
    expect(latency?.p50).toBeGreaterThan(0);
    expect(latency?.p50).toBeLessThanOrEqual(latency?.max as number);
    expect(latency?.p999).toBe(latency?.max);
  });

  it('is not there otherwise', () => {
    expect(serve(exampleServer(), new Wire()).stats.latency).toBeUndefined();
  });
});
