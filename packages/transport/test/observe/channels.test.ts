import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, test } from 'vitest';
import { type CloseMessage, type FrameMessage, memoryPair, type QueueMessage } from '../../src/index.ts';
import { until } from '../support/process-state.ts';
import { record, request } from '../support/recorder.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Keeps the messages of a channel while the test runs. */
function listenTo<Message>(name: string): Message[] {
  const messages: Message[] = [];
  const listener = (message: unknown): void => {
    messages.push(message as Message);
  };
  subscribe(name, listener);
  undo.push(() => unsubscribe(name, listener));
  return messages;
}

const sum = (messages: readonly FrameMessage[], key: 'frames' | 'bytes'): number =>
  messages.reduce((total, message) => total + message[key], 0);

describe('diagnostics_channel', () => {
  test('gets one message for each read and write, whose counts add up to the stats', async () => {
    const messages = listenTo<FrameMessage>('linewire:frame');
    const [left, right] = memoryPair();
    record(left);
    const { texts } = record(right);
    for (let round = 0; round < 3; round++) {
      for (let id = 0; id < 100; id++) left.send(request(id));
      await until(() => texts.length === (round + 1) * 100);
    }
    const written = messages.filter(({ direction }) => direction === 'out');
    const read = messages.filter(({ direction }) => direction === 'in');
    expect(written.length).toBeLessThanOrEqual(6);
    expect(sum(written, 'frames')).toBe(300);
    expect(sum(written, 'bytes')).toBe(left.stats.bytesOut);
    expect(sum(read, 'frames')).toBe(300);
    expect(sum(read, 'bytes')).toBe(right.stats.bytesIn);
    expect(new Set(messages.map(({ duplex }) => duplex))).toEqual(new Set(['memory']));
    // The two ends are told apart by their numbers.
    expect(new Set(written.map(({ id }) => id)).size).toBe(1);
    expect(written[0]?.id).not.toBe(read[0]?.id);
    await Promise.all([left.close(), right.close()]);
  });

  test('is told when the outbox fills up and drains, and how a duplex ended', async () => {
    const stalls = listenTo<QueueMessage>('linewire:stall');
    const drains = listenTo<QueueMessage>('linewire:drain');
    const closes = listenTo<CloseMessage>('linewire:close');
    const [left, right] = memoryPair({ highWaterBytes: 10_000, lowWaterBytes: 100 });
    record(left);
    record(right);
    while (left.send(request(1, 'x'.repeat(500))) !== 0);
    expect(stalls).toHaveLength(1);
    expect(stalls[0]?.queuedBytes).toBeGreaterThan(10_000);
    await until(() => drains.length === 1);
    expect(drains[0]?.queuedBytes).toBeLessThanOrEqual(100);
    expect(drains[0]?.id).toBe(stalls[0]?.id);
    left.end();
    await until(() => left.queuedBytes === 0);
    await left.close();
    await new Promise((resolve) => setImmediate(resolve));
    await right.close();
    expect(closes.map(({ reason, stats }) => [reason.kind, stats.framesOut > 0])).toEqual([
      ['closed', true],
      ['eof', false],
    ]);
  });

  test('is not spoken to while nobody listens', async () => {
    const before = listenTo<FrameMessage>('linewire:frame');
    undo.pop()?.();
    const [left, right] = memoryPair();
    record(left);
    const { texts } = record(right);
    left.send(request(1));
    await until(() => texts.length === 1);
    expect(before).toEqual([]);
    await Promise.all([left.close(), right.close()]);
    expect(left.stats).toMatchObject({ queuedBytes: 0, storedBytes: 0 });
  });
});
