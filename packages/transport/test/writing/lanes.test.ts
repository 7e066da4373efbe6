import { beforeEach, describe, expect, test, vi } from 'vitest';
import { waterMarks } from '../../src/limits.ts';
import { Outbox } from '../../src/writing/outbox.ts';
import { TestSink } from '../support/test-sink.ts';

let sink: TestSink;
let heard: string[];
let outbox: Outbox;

function open(marks: { highWaterBytes?: number; lowWaterBytes?: number; reservedBytes?: number } = {}): void {
  sink = new TestSink();
  const calls: string[] = [];
  heard = calls;
  outbox = new Outbox(
    {
      drained: () => calls.push('drained'),
      allWritten: () => calls.push('all written'),
      failed: (error) => calls.push(`failed ${(error as { code?: string }).code}`),
    },
    waterMarks(marks),
  );
  outbox.attach(sink);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The sink keeps a first chunk, so that what is sent from now on waits. */
function occupySink(): void {
  sink.busy = true;
  outbox.sendEncoded('first');
  outbox.flush();
}

/** The sink has written its chunk and takes all the rest. */
function freeSink(): void {
  sink.busy = false;
  outbox.written();
}

beforeEach(() => open());

describe('two lanes', () => {
  test('go out replies first, each lane in its order', () => {
    for (const [index, lane] of (['request', 'reply', 'request', 'reply'] as const).entries())
      outbox.send(`"${lane} ${index}"`, { lane });
    outbox.flush();
    expect(sink.writes).toEqual(['"reply 1"\n"reply 3"\n"request 0"\n"request 2"\n']);
  });

  test('are decided each time the sink is free: a reply passes the requests that still wait, and none that is on its way', () => {
    occupySink();
    const big = 'x'.repeat(70_000);
    outbox.send(`"1${big}"`);
    outbox.send(`"2${big}"`);
    outbox.written();
    outbox.sendEncoded('"reply"');
    outbox.written();
    outbox.written();
    expect(sink.writes.map((chunk) => chunk.slice(0, 7).trim())).toEqual([
      'first',
      '"1xxxxx',
      '"reply"',
      '"2xxxxx',
    ]);
  });

  test('share one write when both are short', () => {
    outbox.beginBatch();
    outbox.send('"é"');
    outbox.sendEncoded('"reply"');
    outbox.endBatch(false);
    expect(sink.writes).toEqual(['"reply"\n"é"\n']);
  });

  test('keep their order where both together are more than one write holds', () => {
    const requests = [1, 2, 3].map((at) => `"${at}${'ก'.repeat(27_000)}"`);
    const reply = `"${'x'.repeat(60_000)}"`;
    outbox.sendWith({
      writeInto(target, at) {
        for (const request of requests) outbox.send(request);
        target.set(Buffer.from(reply), at);
        return at + reply.length;
      },
      text: () => reply,
    });
    outbox.flush();
    expect(sink.text).toBe([reply, ...requests, ''].join('\n'));
  });

  test('take text, bytes and values; bytes are copied', () => {
    const bytes = Buffer.from('"ü"');
    outbox.send(bytes);
    outbox.send({ a: [1, 'ü', '\n'] });
    outbox.send(new Uint8Array([49]), { lane: 'reply' });
    outbox.sendEncoded('"encoded"', 'request');
    bytes.fill(0);
    outbox.flush();
    expect(sink.text).toBe('1\n"ü"\n{"a":[1,"ü","\\n"]}\n"encoded"\n');
  });

  test('give every frame a ticket of its own, and the sum of frames is exact', () => {
    const tickets = [
      outbox.send('1'),
      outbox.sendEncoded('2'),
      outbox.send('3', { lane: 'reply' }),
      outbox.sendWith({ writeInto: () => -1, text: () => '4' }),
      outbox.send('5', { signal: AbortSignal.abort() }),
      outbox.send('6'),
    ];
    expect(tickets.every((ticket) => Number.isInteger(ticket) && ticket > 0)).toBe(true);
    expect(new Set(tickets).size).toBe(tickets.length);
    expect(outbox.framesOut).toBe(5);
    expect(outbox.withdraw(tickets[5] ?? 0)).toBe(true);
    expect(outbox.framesOut).toBe(4);
  });
});

describe('a request that is taken back', () => {
  test('is never sent and no longer counted, wherever it stands and whatever its script', () => {
    occupySink();
    const texts = Array.from({ length: 3000 }, (_, index) => `"${index}${'é'.repeat(index % 90)}"`);
    const tickets = texts.map((text) => outbox.send(text));
    const before = outbox.queuedBytes;
    const gone = new Set([0, 1, 17, 1500, 1501, 2998, 2999]);
    for (const index of gone) expect(outbox.withdraw(tickets[index] as number)).toBe(true);
    const bytes = [...gone].reduce((sum, index) => sum + Buffer.byteLength(texts[index] as string) + 1, 0);
    expect(outbox.queuedBytes).toBe(before - bytes);
    freeSink();
    const left = texts.filter((_, index) => !gone.has(index));
    expect(sink.text).toBe(`first\n${left.join('\n')}\n`);
    expect(outbox.queuedBytes).toBe(0);
  });

  test('is found also behind many thousands that have left while others waited', async () => {
    open({ highWaterBytes: 2 ** 30 });
    occupySink();
    const tickets = Array.from({ length: 30_000 }, (_, index) => outbox.send(`"${index}"`.padEnd(40, ' ')));
    const gone = new Set<number>();
    for (let index = tickets.length - 1; outbox.queuedBytes > 200_000; index -= 7) {
      expect(outbox.withdraw(tickets[index] as number)).toBe(true);
      gone.add(index);
      outbox.written();
    }
    freeSink();
    const numbers = sink.text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => Number(JSON.parse(line)));
    expect(numbers).toEqual(tickets.map((_, index) => index).filter((index) => !gone.has(index)));
    expect(gone.size).toBeGreaterThan(10);
  });

  test('settles as dropped, once; its neighbours as written', async () => {
    occupySink();
    const tickets = ['1', '2', '3'].map((frame) => outbox.send(frame)) as [number, number, number];
    const outcomes = Promise.all(tickets.map((ticket) => outbox.settled(ticket)));
    expect(outbox.withdraw(tickets[1])).toBe(true);
    expect(outbox.withdraw(tickets[1])).toBe(false);
    freeSink();
    expect(await outcomes).toEqual(['written', 'dropped', 'written']);
    expect(await outbox.settled(tickets[1])).toBe('dropped');
  });

  test('cannot be one that the sink has, a reply, or no frame at all', () => {
    occupySink();
    const reply = outbox.sendEncoded('1');
    const request = outbox.send('2');
    for (const none of [0, -2, reply, request + 2, 2.5, Number.NaN])
      expect(outbox.withdraw(none)).toBe(false);
    outbox.written();
    expect(sink.writes).toEqual(['first\n', '1\n2\n']);
    expect(outbox.withdraw(request)).toBe(false);
  });

  test('lets the outbox drain, on the next turn and not from inside the call', async () => {
    open({ highWaterBytes: 20, lowWaterBytes: 10 });
    occupySink();
    const ticket = outbox.send('x'.repeat(30));
    expect(outbox.isFull).toBe(true);
    await nextTurn();
    outbox.withdraw(ticket);
    expect(heard).toEqual([]);
    await nextTurn();
    expect(heard).toEqual(['drained']);
    expect(outbox.send('1')).toBeGreaterThan(0);
  });

  test('can be the last one that an end waits for', async () => {
    occupySink();
    const ticket = outbox.send('2');
    outbox.end();
    const emptied = outbox.emptied();
    expect(outbox.withdraw(ticket)).toBe(true);
    freeSink();
    await emptied;
    expect([sink.calls, heard, sink.text]).toEqual([['end'], ['all written'], 'first\n']);
  });

  test('is told truly after the peer has died: what never left can be sent again elsewhere', async () => {
    occupySink();
    const left = outbox.send('1');
    outbox.written();
    const behind = outbox.send('2');
    const dropped = outbox.send('3');
    outbox.withdraw(dropped);
    outbox.failed(new Error('EPIPE'));
    expect([left, behind, dropped].map((ticket) => outbox.withdraw(ticket))).toEqual([false, true, false]);
    expect(await Promise.all([left, behind, dropped].map((ticket) => outbox.settled(ticket)))).toEqual([
      'peer-closed',
      'peer-closed',
      'dropped',
    ]);
  });
});

describe('a signal or a deadline of a send', () => {
  test('takes back a request that still waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      occupySink();
      const controller = new AbortController();
      const aborted = outbox.send('1', { signal: controller.signal });
      const late = outbox.send('2', { timeoutMs: 50 });
      const kept = outbox.send('3', { signal: new AbortController().signal, timeoutMs: 5000 });
      controller.abort();
      await vi.advanceTimersByTimeAsync(50);
      freeSink();
      expect(sink.text).toBe('first\n3\n');
      expect(await Promise.all([aborted, late, kept].map((ticket) => outbox.settled(ticket)))).toEqual([
        'dropped',
        'dropped',
        'written',
      ]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each(['written', 'written with a reply', 'withdrawn', 'released'])(
    'leaves no listener and no timer when the request is %s',
    (how) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        occupySink();
        const { signal } = new AbortController();
        const added = vi.spyOn(signal, 'addEventListener');
        const removed = vi.spyOn(signal, 'removeEventListener');
        const tickets = Array.from({ length: 20 }, () => outbox.send('1', { signal, timeoutMs: 1000 }));
        if (how === 'written with a reply') outbox.sendEncoded('2');
        if (how.startsWith('written')) freeSink();
        else if (how === 'withdrawn') for (const ticket of tickets) outbox.withdraw(ticket);
        else outbox.release();
        // One for all of them: runtimes warn from eleven listeners on.
        expect(added).toHaveBeenCalledTimes(1);
        expect(removed).toHaveBeenCalledTimes(1);
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('that was over before queues nothing', async () => {
    const ticket = outbox.send('1', { signal: AbortSignal.abort() });
    expect(ticket).toBeGreaterThan(0);
    expect([outbox.queuedBytes, outbox.framesOut]).toEqual([0, 0]);
    expect(await outbox.settled(ticket)).toBe('dropped');
  });
});

describe('settled()', () => {
  test('is told when the system has all bytes of the frame, not when the sink has them', async () => {
    sink.busy = true;
    const ticket = outbox.sendEncoded('1');
    outbox.flush();
    let outcome: string | undefined;
    void outbox.settled(ticket).then((told) => {
      outcome = told;
    });
    await nextTurn();
    expect(outcome).toBe(undefined);
    outbox.written();
    await nextTurn();
    expect(outcome).toBe('written');
  });

  test('is peer-closed for all that waits when the peer dies, in both lanes, and for what is sent after', async () => {
    occupySink();
    const tickets = [outbox.sendEncoded('1'), outbox.send('2')];
    const early = tickets.map((ticket) => outbox.settled(ticket));
    outbox.failed(new Error('EPIPE'));
    tickets.push(outbox.send('3'), outbox.sendEncoded('4'));
    expect(await Promise.all([...early, ...tickets.map((ticket) => outbox.settled(ticket))])).toEqual(
      Array.from({ length: 6 }, () => 'peer-closed'),
    );
  });

  test('is dropped for what waits when this side ends, but never for bytes that the system may have', async () => {
    sink.busy = true;
    const kept = outbox.sendEncoded('1');
    outbox.flush();
    const waits = outbox.sendEncoded('2');
    const request = outbox.send('3');
    const asked = outbox.settled(waits);
    outbox.release();
    expect(await asked).toBe('dropped');
    expect(await Promise.all([kept, waits, request].map((ticket) => outbox.settled(ticket)))).toEqual([
      'peer-closed',
      'dropped',
      'dropped',
    ]);
  });

  test('is not told of a reply that only gathered behind the chunk that was written', async () => {
    occupySink();
    const first = outbox.sendEncoded('x'.repeat(60_000));
    // Has no place behind it, whatever it is made of.
    const second = outbox.sendEncoded('x'.repeat(70_000));
    const told: string[] = [];
    void outbox.settled(first).then(() => told.push('first'));
    void outbox.settled(second).then(() => told.push('second'));
    outbox.written();
    outbox.written();
    await nextTurn();
    expect([told, sink.writes.length]).toEqual([['first'], 3]);
    outbox.written();
    await nextTurn();
    expect(told).toEqual(['first', 'second']);
  });

  test('can be asked in any order, many times, before and after', async () => {
    occupySink();
    const tickets = Array.from({ length: 50 }, () => outbox.send('1'));
    const asked = [...tickets]
      .reverse()
      .flatMap((ticket) => [outbox.settled(ticket), outbox.settled(ticket)]);
    freeSink();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['written']));
    expect(await outbox.settled(tickets[0] as number)).toBe('written');
  });

  test('refuses a number that is no ticket, and 0 was not sent', async () => {
    outbox.send('1');
    expect(await outbox.settled(0)).toBe('dropped');
    for (const none of [-1, 1, 4, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => outbox.settled(none)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  });
});

describe('the reserved quota', () => {
  test('lets refusals out above high water, up to its bytes, and is free again when they are written', () => {
    open({ highWaterBytes: 10, lowWaterBytes: 0, reservedBytes: 12 });
    occupySink();
    outbox.sendEncoded('12345');
    expect(outbox.isFull).toBe(true);
    expect([outbox.sendReserved('refusal'), outbox.sendReserved('ref')]).toEqual([true, true]);
    expect(outbox.queuedBytes).toBe(6 + 6 + 8 + 4);
    outbox.written();
    outbox.sendEncoded('1234567890');
    outbox.written();
    expect(outbox.sendReserved('again')).toBe(true);
    expect(heard).toEqual([]);
  });

  test('is not touched below high water, nor by what has only gathered', () => {
    open({ highWaterBytes: 10, lowWaterBytes: 0, reservedBytes: 0 });
    outbox.beginBatch();
    for (let index = 0; index < 100; index++) expect(outbox.sendReserved('refusal')).toBe(true);
    outbox.endBatch(false);
    expect(sink.text).toBe('refusal\n'.repeat(100));
  });

  test('fails the outbox as OVERLOADED when it is used up, and drops the rest', async () => {
    open({ highWaterBytes: 10, lowWaterBytes: 0, reservedBytes: 7 });
    occupySink();
    const waits = outbox.sendEncoded('12345');
    expect(outbox.sendReserved('refusal')).toBe(false);
    expect(heard).toEqual([]);
    expect(outbox.sendReserved('')).toBe(false);
    await nextTurn();
    expect(heard).toEqual(['failed OVERLOADED']);
    expect(sink.calls).toContain('release');
    expect(await outbox.settled(waits)).toBe('peer-closed');
    expect(outbox.queuedBytes).toBe(0);
  });
});

describe('bad use', () => {
  test.each([
    ['two frames in one text', '{}\n{}', undefined, 'SEND_NOT_ONE_FRAME'],
    ['two frames in bytes', Buffer.from('{}\n{}'), undefined, 'SEND_NOT_ONE_FRAME'],
    ['bytes that end in a newline, as a reply', Buffer.from('{}\n'), { lane: 'reply' }, 'SEND_NOT_ONE_FRAME'],
    ['a number', 5, undefined, 'OPTION_INVALID'],
    ['null', null, undefined, 'OPTION_INVALID'],
    ['nothing', undefined, undefined, 'OPTION_INVALID'],
    ['a function', () => '{}', undefined, 'OPTION_INVALID'],
    ['an ArrayBuffer', new ArrayBuffer(2), undefined, 'OPTION_INVALID'],
    ['words of 16 bits', new Uint16Array(2), undefined, 'OPTION_INVALID'],
    ['a cycle', cycle(), undefined, 'ENCODE_REFUSED'],
    ['a BigInt', { a: [1n] }, undefined, 'ENCODE_REFUSED'],
    ['NaN', { a: Number.NaN }, undefined, 'ENCODE_REFUSED'],
    ['a lane that does not exist', '{}', { lane: 'fast' }, 'OPTION_INVALID'],
    ['a signal that is none', '{}', { signal: {} }, 'OPTION_INVALID'],
    [
      'a reply with a signal',
      '{}',
      { lane: 'reply', signal: new AbortController().signal },
      'OPTION_INVALID',
    ],
    ['a reply with a deadline', '{}', { lane: 'reply', timeoutMs: 1 }, 'OPTION_INVALID'],
    ['a deadline below 0', '{}', { timeoutMs: -1 }, 'OPTION_RANGE'],
    ['a deadline that is no integer', '{}', { timeoutMs: 0.5 }, 'OPTION_RANGE'],
  ])('%s is refused with its code, and nothing is queued', async (_, frame, options, code) => {
    expect(() => outbox.send(frame as string, options as object | undefined)).toThrow(
      expect.objectContaining({ code }),
    );
    expect([outbox.queuedBytes, outbox.framesOut]).toEqual([0, 0]);
    outbox.send('1');
    outbox.flush();
    expect(sink.text).toBe('1\n');
  });

  test('the place of a newline and the path of a value are named', () => {
    expect(() => outbox.send(Buffer.from('"é\n"'))).toThrow(/byte 3 of 5/);
    expect(() => outbox.send({ a: [{ b: 1n }] })).toThrow(/a\[0\]\.b|\/a\/0\/b/);
    expect(() => outbox.sendEncoded('1', 'fast' as 'reply')).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });

  test('after the end every way of sending is SEND_AFTER_CLOSE, whatever the frame', () => {
    outbox.end();
    const after = expect.objectContaining({ code: 'SEND_AFTER_CLOSE' });
    for (const frame of ['1', '1\n2', Buffer.from('1'), { a: 1n }, 5 as unknown as string]) {
      expect(() => outbox.send(frame)).toThrow(after);
      expect(() => outbox.send(frame, { lane: 'reply' })).toThrow(after);
    }
    expect(() => outbox.sendEncoded('1')).toThrow(after);
    expect(() => outbox.sendEncoded('1', 'request')).toThrow(after);
    expect(() => outbox.sendReserved('1')).toThrow(after);
    expect(() => outbox.sendWith({ writeInto: () => 0, text: () => '' })).toThrow(after);
  });

  test('a value whose own code ends the outbox is refused, and one that fills it gets no place', () => {
    open({ highWaterBytes: 100, lowWaterBytes: 0 });
    sink.busy = true;
    const filling = { toJSON: () => `${outbox.sendEncoded('x'.repeat(200))}` };
    expect(outbox.send(filling)).toBe(0);
    open();
    const ending = { toJSON: () => `${outbox.end()}` };
    expect(() => outbox.send(ending)).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
    expect(sink.text).toBe('');
  });
});

describe('the memory of an outbox', () => {
  test('is not kept by one whose first frame was refused', () => {
    const bad = {
      writeInto: (): number => {
        throw new Error('no JSON');
      },
      text: () => '',
    };
    const before = process.memoryUsage().arrayBuffers;
    const outboxes = Array.from({ length: 200 }, () => {
      open();
      expect(() => outbox.sendWith(bad)).toThrow('no JSON');
      return outbox;
    });
    // With a slab each it would be 50 MiB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    expect(outboxes).toHaveLength(200);
  });

  test('for waiting requests is little more than their bytes', () => {
    open({ highWaterBytes: 2 ** 30 });
    occupySink();
    const frame = 'x'.repeat(1000);
    const before = process.memoryUsage().arrayBuffers;
    for (let index = 0; index < 20_000; index++) outbox.send(frame);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * 1024 * 1024);
    freeSink();
    expect(sink.text.length).toBe(6 + 20_000 * 1001);
  });
});

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
