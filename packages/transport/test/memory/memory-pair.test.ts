import type { FrameBatch } from '@linewire/framing';
import { describe, expect, test } from 'vitest';
import { type CloseReason, type Duplex, memoryPair } from '../../src/index.ts';
import { until } from '../support/process-state.ts';

/** Starts a duplex and keeps the texts of its frames and the names of its other calls. */
function listen(duplex: Duplex): { texts: string[]; calls: string[] } {
  const texts: string[] = [];
  const calls: string[] = [];
  duplex.start({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) texts.push(batch.text(index));
    },
    onEnd: () => calls.push('end'),
    onDrain: () => calls.push('drain'),
    onClose: (reason) => calls.push(`close ${reason.kind}`),
  });
  return { texts, calls };
}

const request = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a memory pair', () => {
  test('delivers the frames of both ends, in order, never inside send()', async () => {
    const [left, right] = memoryPair();
    const atLeft = listen(left);
    const atRight = listen(right);
    for (let id = 0; id < 1000; id++) {
      left.send(request(id));
      right.send(request(-id));
    }
    expect(atRight.texts).toEqual([]);
    await until(() => atRight.texts.length === 1000 && atLeft.texts.length === 1000);
    expect(atRight.texts.at(-1)).toBe(request(999));
    expect(atLeft.texts.at(-1)).toBe(request(-999));
    expect(left.stats).toMatchObject({
      framesIn: 1000,
      framesOut: 1000,
      faults: 0,
      bytesIn: right.stats.bytesOut,
    });
  });

  test('keeps what is sent before the other end has started', async () => {
    const [left, right] = memoryPair();
    left.send(request(1));
    await nextTurn();
    const { texts } = listen(right);
    await until(() => texts.length === 1);
  });

  test('carries bad frames as faults', async () => {
    const [left, right] = memoryPair();
    const kinds: string[] = [];
    right.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) kinds.push(batch.kind(index));
      },
    });
    left.send('noise');
    left.send(request(1));
    await until(() => kinds.length === 2);
    expect(kinds).toEqual(['fault', 'request']);
  });

  test('lets the bytes pile up at the sender while the receiver has paused, and drains after', async () => {
    const [left, right] = memoryPair({ highWaterBytes: 100_000, lowWaterBytes: 50_000 });
    const atLeft = listen(left);
    const atRight = listen(right);
    right.pause();
    const frame = `{"jsonrpc":"2.0","method":"x","params":{"t":"${'x'.repeat(5000)}"}}`;
    let sent = 0;
    for (let turn = 0; turn < 50; turn++) {
      while (left.send(frame) > 0) sent++;
      await nextTurn();
      if (left.queuedBytes > 100_000) break;
    }
    await nextTurn();
    expect(atRight.texts).toEqual([]);
    expect(left.queuedBytes).toBeGreaterThan(100_000);
    expect(left.isFull).toBe(true);
    expect(left.send(frame)).toBe(0);
    atLeft.calls.length = 0;
    right.resume();
    await until(() => atRight.texts.length === sent);
    expect(atLeft.calls).toEqual(['drain']);
    expect(left.isFull).toBe(false);
    expect(left.queuedBytes).toBe(0);
  });

  test('gives the frames that were not consumed again, after resume()', async () => {
    const [left, right] = memoryPair();
    const batches: string[][] = [];
    right.start({
      onFrames(batch: FrameBatch) {
        batches.push(Array.from({ length: batch.count }, (_, index) => batch.idText(index) ?? ''));
        return 1;
      },
    });
    for (let id = 0; id < 3; id++) left.send(request(id));
    left.end();
    await until(() => batches.length === 1);
    await nextTurn();
    right.resume();
    right.resume();
    expect(batches).toEqual([['0', '1', '2'], ['1', '2'], ['2']]);
  });

  test('goes on at once for an owner that pauses and resumes inside one callback', async () => {
    const [left, right] = memoryPair();
    const ids: string[] = [];
    right.start({
      onFrames(batch) {
        right.pause();
        ids.push(batch.idText(0) ?? '');
        right.resume();
        return 1;
      },
    });
    for (let id = 0; id < 3; id++) left.send(request(id));
    await until(() => ids.length === 1);
    left.send(request(3));
    for (let turn = 0; turn < 3; turn++) {
      right.resume();
      await nextTurn();
    }
    expect(ids).toEqual(['0', '1', '2', '3']);
  });

  test('tells the end only after the last frame was consumed', async () => {
    const [left, right] = memoryPair();
    const calls: string[] = [];
    right.start({
      onFrames(batch: FrameBatch) {
        calls.push(batch.idText(0) ?? '');
        right.pause();
        return 1;
      },
      onEnd: () => calls.push('end'),
    });
    left.send(request(1));
    left.send(request(2));
    void left.close();
    await until(() => calls.length === 1);
    await nextTurn();
    await nextTurn();
    right.resume();
    await until(() => calls.length === 2);
    await nextTurn();
    right.resume();
    await until(() => calls.length === 3);
    expect(calls).toEqual(['1', '2', 'end']);
  });

  test('writes the answers that are sent while a batch is delivered in one piece', async () => {
    const [left, right] = memoryPair();
    let batches = 0;
    const { texts } = listenCounting(left, () => batches++);
    right.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++)
          right.send(`{"jsonrpc":"2.0","id":${batch.idText(index)},"result":{}}`);
      },
    });
    for (let id = 0; id < 100; id++) left.send(request(id));
    await until(() => texts.length === 100);
    expect(batches).toBe(1);
  });

  test('ends for the other end with end(), which may still answer', async () => {
    const [left, right] = memoryPair();
    const atLeft = listen(left);
    const atRight = listen(right);
    left.send(request(1));
    left.end();
    await until(() => atRight.calls.includes('end'));
    expect(atRight.texts).toEqual([request(1)]);
    right.send('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(await right.close()).toEqual({ kind: 'eof' });
    await until(() => atLeft.calls.includes('end'));
    expect(atLeft.texts).toHaveLength(1);
    expect(await left.close()).toEqual({ kind: 'eof' });
    expect(atLeft.calls).toEqual(['end', 'close eof']);
  });

  test('tells an end that sends to a closed one that its peer is gone, once', async () => {
    const [left, right] = memoryPair();
    const { calls } = listen(left);
    listen(right);
    expect(await right.close()).toEqual({ kind: 'closed' });
    await until(() => calls.includes('end'));
    left.send(request(1));
    const reason: CloseReason = await left.closed;
    expect(reason).toMatchObject({ kind: 'peer-closed', error: { code: 'PEER_CLOSED' } });
    expect(calls).toEqual(['end', 'close peer-closed']);
    expect(() => left.send(request(2))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
  });

  test('delivers answers before requests that wait, and tells what became of both', async () => {
    const [left, right] = memoryPair();
    const { texts } = listen(right);
    const asked = left.send(request(1));
    const withdrawn = left.send(request(2));
    const answered = left.sendEncoded('{"jsonrpc":"2.0","id":9,"result":{}}');
    expect(left.withdraw(withdrawn)).toBe(true);
    expect(await Promise.all([asked, withdrawn, answered].map((ticket) => left.settled(ticket)))).toEqual([
      'written',
      'dropped',
      'written',
    ]);
    await until(() => texts.length === 2);
    expect(texts).toEqual(['{"jsonrpc":"2.0","id":9,"result":{}}', request(1)]);
  });

  test('settles every frame that waits when the other end closes without reading it', async () => {
    const [left, right] = memoryPair();
    listen(left);
    listen(right);
    right.pause();
    const big = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { t: 'x'.repeat(200_000) } });
    const outcomes = Promise.all(
      [left.send(big), left.send(big), left.send(big), left.sendEncoded(big)].map((ticket) =>
        left.settled(ticket),
      ),
    );
    await until(() => right.stats.bytesIn > 0);
    await right.close();
    expect((await left.closed).kind).toBe('peer-closed');
    const told = await outcomes;
    expect(told.filter((outcome) => outcome === 'written').length).toBeLessThan(4);
    expect(new Set(told.filter((outcome) => outcome !== 'written'))).toEqual(new Set(['peer-closed']));
  });

  test('closes as OVERLOADED when a peer that does not read makes even the reserved quota full', async () => {
    const [left, right] = memoryPair({ highWaterBytes: 1000, reservedBytes: 5000 });
    const { calls } = listen(left);
    const atRight = listen(right);
    right.pause();
    left.sendEncoded(JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { t: 'x'.repeat(100_000) } }));
    await until(() => right.stats.bytesIn > 0);
    left.sendEncoded(JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { t: 'x'.repeat(2000) } }));
    expect(left.isFull).toBe(true);
    const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"overloaded"}}';
    let sent = 0;
    while (sent < 1000 && left.sendReserved(refusal)) sent++;
    expect(sent).toBeGreaterThan(0);
    expect(sent * (refusal.length + 1)).toBeLessThanOrEqual(5000);
    expect((sent + 1) * (refusal.length + 1)).toBeGreaterThan(5000);
    expect(await left.closed).toMatchObject({ kind: 'error', error: { code: 'OVERLOADED' } });
    expect(calls.filter((call) => call !== 'drain')).toEqual(['close error']);
    right.resume();
    await until(() => atRight.calls.includes('end'));
  });

  test('goes on with the frames behind one whose owner threw', async () => {
    const errors: unknown[] = [];
    const [left, right] = memoryPair({ onError: (error) => errors.push(error) });
    const ids: string[] = [];
    right.start({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) {
          ids.push(batch.idText(index) ?? '');
          if (ids.length === 2) throw new Error('a bug of the owner');
        }
      },
    });
    for (let id = 0; id < 4; id++) left.send(request(id));
    await until(() => ids.length === 4);
    left.send(request(4));
    await until(() => ids.length === 5);
    expect(ids).toEqual(['0', '1', '2', '3', '4']);
    expect(errors).toHaveLength(1);
  });

  test('can be closed inside a batch, and delivers nothing after it', async () => {
    const [left, right] = memoryPair();
    const calls: string[] = [];
    right.start({
      onFrames(batch) {
        calls.push(batch.idText(0) ?? '');
        void right.close();
        return 1;
      },
      onEnd: () => calls.push('end'),
      onClose: () => calls.push('close'),
    });
    left.send(request(1));
    left.send(request(2));
    await right.closed;
    await nextTurn();
    expect(calls).toEqual(['1', 'close']);
  });

  test('cannot be started twice', () => {
    const [left] = memoryPair();
    listen(left);
    expect(() => left.start({ onFrames() {} })).toThrow(expect.objectContaining({ code: 'ALREADY_STARTED' }));
  });
});

function listenCounting(duplex: Duplex, counted: () => void): { texts: string[] } {
  const texts: string[] = [];
  duplex.start({
    onFrames(batch) {
      counted();
      for (let index = 0; index < batch.count; index++) texts.push(batch.text(index));
    },
  });
  return { texts };
}
