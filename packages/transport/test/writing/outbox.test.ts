import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waterMarks } from '../../src/limits.ts';
import { Outbox } from '../../src/writing/outbox.ts';
import { TestSink } from '../support/test-sink.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let sink: TestSink;
let heard: string[];

beforeEach(() => {
  sink = new TestSink();
  heard = [];
});

function createOutbox(highWaterBytes?: number, lowWaterBytes?: number): Outbox {
  return new Outbox(
    {
      drained: () => heard.push('drained'),
      allWritten: () => heard.push('flushed'),
      failed: (error) => heard.push(`failed: ${error.message}`),
    },
    waterMarks({ highWaterBytes, lowWaterBytes }),
  );
}

function createAttached(highWaterBytes?: number, lowWaterBytes?: number): Outbox {
  const outbox = createOutbox(highWaterBytes, lowWaterBytes);
  outbox.attach(sink);
  return outbox;
}

afterEach(() => expect(sink.calls.filter((call) => call === 'end').length).toBeLessThan(2));

describe('an outbox', () => {
  test('writes the frames of one turn together, on the next turn', async () => {
    const outbox = createAttached();
    outbox.send('{"a":1}');
    outbox.send('{"b":2}');
    expect(sink.writes).toEqual([]);
    await nextTurn();
    expect(sink.writes).toEqual(['{"a":1}\n{"b":2}\n']);
  });

  test('writes the frames of one read batch together, when it ends, and not later', () => {
    const outbox = createAttached();
    outbox.beginBatch();
    outbox.send('1');
    outbox.send('2');
    expect(sink.writes).toEqual([]);
    outbox.endBatch(false);
    expect(sink.writes).toEqual(['1\n2\n']);
  });

  test('lets the frames of a batch that is held wait for those that follow in the same turn, but not for the next', async () => {
    const outbox = createAttached();
    outbox.beginBatch();
    outbox.send('1');
    outbox.endBatch(true);
    expect(sink.writes).toEqual([]);
    outbox.beginBatch();
    outbox.send('2');
    outbox.endBatch(false);
    expect(sink.writes).toEqual(['1\n2\n']);
    outbox.beginBatch();
    outbox.send('3');
    outbox.endBatch(true);
    await nextTurn();
    expect(sink.writes).toEqual(['1\n2\n', '3\n']);
  });

  test('writes at once what flush() asks for', () => {
    const outbox = createAttached();
    outbox.send('1');
    outbox.flush();
    expect(sink.writes).toEqual(['1\n']);
  });

  test('does not wait for the end of the batch when 64 Ki characters have gathered', () => {
    const outbox = createAttached();
    outbox.beginBatch();
    for (let index = 0; index < 70; index++) outbox.send('x'.repeat(1023));
    expect(sink.writes).toEqual([`${'x'.repeat(1023)}\n`.repeat(64)]);
  });

  test('keeps the order of small and huge frames', async () => {
    const outbox = createAttached();
    const huge = 'é'.repeat(300_000);
    for (const frame of ['1', huge, '2', huge, '3']) outbox.send(frame);
    await nextTurn();
    expect(sink.writes.join('')).toBe(`1\n${huge}\n2\n${huge}\n3\n`);
  });

  test('hands over one chunk at a time and lets the rest gather meanwhile', () => {
    const outbox = createAttached();
    sink.busy = true;
    outbox.send('1');
    outbox.flush();
    outbox.send('2');
    outbox.flush();
    outbox.send('3');
    outbox.flush();
    expect(sink.writes).toEqual(['1\n']);
    outbox.written();
    expect(sink.writes).toEqual(['1\n', '2\n3\n']);
  });

  test('never writes over a chunk that the sink still keeps', () => {
    const outbox = createAttached();
    const kept: Buffer[] = [];
    sink.write = (chunk) => kept.push(chunk) < 0;
    outbox.send('first');
    outbox.flush();
    const other = createOutbox();
    const otherSink = new TestSink();
    other.attach(otherSink);
    other.send('second');
    other.flush();
    expect(kept.map(String)).toEqual(['first\n']);
    expect(otherSink.writes).toEqual(['second\n']);
  });

  test('counts queued bytes exactly: gathering, sealed and kept by the sink, in any script', () => {
    const outbox = createAttached();
    sink.busy = true;
    let expected = 0;
    for (const frame of ['abc', 'é', 'กำ', '🧪', '\ud800', 'x'.repeat(70_000), 'ü'.repeat(70_000), 'z']) {
      outbox.send(frame);
      expected += Buffer.byteLength(frame) + 1;
      expect(outbox.queuedBytes).toBe(expected);
    }
    for (let left = expected; left > 0; left = outbox.queuedBytes) {
      outbox.written();
      expect(outbox.queuedBytes).toBeLessThan(left);
    }
    expect(Buffer.byteLength(sink.writes.join(''))).toBe(expected);
  });

  test('is full exactly when the queued bytes are above high water; then replies are taken all the same, and requests are not', () => {
    const outbox = createAttached(10, 0);
    sink.busy = true;
    outbox.send('é12');
    expect(outbox.queuedBytes).toBe(5);
    outbox.send('1234');
    expect(outbox.isFull).toBe(false);
    expect(outbox.send('')).toBeGreaterThan(0);
    expect(outbox.isFull).toBe(true);
    expect(outbox.queuedBytes).toBe(11);
    expect(outbox.send('1')).toBe(0);
    expect(outbox.queuedBytes).toBe(11);
    expect(outbox.sendEncoded('2')).toBeGreaterThan(0);
    expect(outbox.queuedBytes).toBe(13);
    expect(outbox.stalls).toBe(1);
  });

  test('tells once that it has drained, at low water', async () => {
    const outbox = createAttached(10, 4);
    sink.busy = true;
    outbox.send('12345678');
    outbox.flush();
    outbox.sendEncoded('1234');
    expect(outbox.isFull).toBe(true);
    outbox.sendEncoded('1');
    await nextTurn();
    expect(heard).toEqual([]);
    outbox.written();
    expect(heard).toEqual([]);
    expect(outbox.isFull).toBe(true);
    outbox.written();
    expect(heard).toEqual(['drained']);
    expect(outbox.isFull).toBe(false);
    expect(outbox.stalls).toBe(1);
  });

  test('tells that it has drained also when the sink takes everything at once', async () => {
    const outbox = createAttached(0);
    outbox.send('1');
    expect(outbox.isFull).toBe(true);
    await nextTurn();
    expect(heard).toEqual(['drained']);
    outbox.beginBatch();
    outbox.send('2');
    expect(outbox.isFull).toBe(true);
    outbox.endBatch(false);
    await nextTurn();
    expect(heard).toEqual(['drained', 'drained']);
  });

  test('refuses a frame with a newline and queues nothing of it', () => {
    const outbox = createAttached();
    expect(() => outbox.send('{"a":\n1}')).toThrow(
      expect.objectContaining({ code: 'SEND_NOT_ONE_FRAME', actual: 5 }),
    );
    expect(() => outbox.send('{}\n')).toThrow(expect.objectContaining({ code: 'SEND_NOT_ONE_FRAME' }));
    expect(outbox.queuedBytes).toBe(0);
    expect(outbox.framesOut).toBe(0);
  });

  test('queues nothing of a frame that is too long for a string, and goes on', async () => {
    const outbox = createAttached();
    outbox.send('1');
    outbox.sendEncoded('2');
    const huge = 'x'.repeat(2 ** 29 - 24);
    expect(() => outbox.send(huge)).toThrow(RangeError);
    expect(() => outbox.sendEncoded(huge)).toThrow(RangeError);
    const last = outbox.send('3');
    outbox.flush();
    expect(sink.writes.join('')).toBe('2\n1\n3\n');
    expect(await outbox.settled(last)).toBe('written');
  });

  test('takes frames before it has a sink', () => {
    const outbox = createOutbox();
    outbox.send('1');
    outbox.flush();
    expect(outbox.queuedBytes).toBe(2);
    outbox.attach(sink);
    expect(sink.writes).toEqual(['1\n']);
  });

  test('ends its sink when the last byte is written, and takes no more from end() on', () => {
    const outbox = createAttached();
    sink.busy = true;
    outbox.send('1');
    outbox.end();
    expect(() => outbox.send('2')).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
    expect([sink.calls, heard]).toEqual([[], []]);
    outbox.written();
    expect([sink.calls, heard]).toEqual([['end'], ['flushed']]);
  });

  test('drops what is queued when the sink fails, tells it once on its own tick, and drops what still comes', async () => {
    const outbox = createAttached();
    sink.busy = true;
    outbox.send('1');
    outbox.flush();
    outbox.send('22');
    outbox.failed(new Error('EPIPE'));
    outbox.failed(new Error('again'));
    expect(heard).toEqual([]);
    const late = [outbox.send('333'), outbox.sendEncoded('4444')];
    await nextTurn();
    expect(heard).toEqual(['failed: EPIPE']);
    expect([outbox.queuedBytes, outbox.droppedBytes]).toEqual([0, 2 + 3 + 4 + 5]);
    for (const ticket of late) {
      expect(ticket).toBeGreaterThan(0);
      expect(await outbox.settled(ticket)).toBe('peer-closed');
    }
  });

  test('survives a sink that fails inside its write', async () => {
    const outbox = createAttached();
    sink.write = () => {
      outbox.failed(new Error('ENOSPC'));
      return false;
    };
    outbox.send('x'.repeat(70_000));
    expect(outbox.queuedBytes).toBe(0);
    await nextTurn();
    expect(heard).toEqual(['failed: ENOSPC']);
  });

  test('gives everything the system does not have to the last flush, in order, once', () => {
    const outbox = createAttached();
    sink.busy = true;
    sink.sentToSystem = 3;
    outbox.send('12345');
    outbox.flush();
    outbox.send('x'.repeat(70_000));
    outbox.send('end');
    expect(Buffer.concat(outbox.takeUnsent()).toString()).toBe(`45\n${'x'.repeat(70_000)}\nend\n`);
    expect(outbox.takeUnsent()).toEqual([]);
    expect(outbox.queuedBytes).toBe(0);
  });
});

describe('emptied()', () => {
  test('settles at once when nothing is queued', async () => {
    await createAttached().emptied();
  });

  test('settles when a busy sink has taken the last byte, and not before', async () => {
    const outbox = createAttached();
    sink.busy = true;
    outbox.send('{}');
    let settled = false;
    const waiting = outbox.emptied().then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    outbox.written();
    await waiting;
    expect(outbox.queuedBytes).toBe(0);
  });

  test('settles when the peer is gone and the rest is dropped', async () => {
    const outbox = createAttached();
    sink.busy = true;
    outbox.send('{}');
    const waiting = outbox.emptied();
    outbox.failed(new Error('EPIPE'));
    await waiting;
  });
});
