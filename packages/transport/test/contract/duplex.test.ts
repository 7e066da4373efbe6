import { describe, expect, test } from 'vitest';
import type { Duplex } from '../../src/index.ts';
import {
  type DuplexMaker,
  duplexMakers,
  type MakerOptions,
  type OpenDuplex,
} from '../support/duplex-makers.ts';
import { until } from '../support/process-state.ts';
import { record, request } from '../support/recorder.ts';

/** Opens a duplex, runs the test over it, and leaves nothing behind. */
async function withDuplex<Opened extends OpenDuplex>(
  opening: Promise<Opened>,
  run: (opened: Opened) => Promise<void>,
): Promise<void> {
  const opened = await opening;
  try {
    await run(opened);
  } finally {
    await opened.dispose();
  }
}

const texts = [
  '',
  'plain',
  'größer 漢字 🚀',
  '\u2028\u2029\u0085',
  '\\n "quoted" \u0000',
  'x'.repeat(70_000),
];
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends until the outbox is full. */
function fill(duplex: Duplex, text: string): number {
  let sent = 0;
  while (duplex.send(request(sent, text)) !== 0) sent++;
  return sent;
}

describe.each(duplexMakers)('$name', (maker: DuplexMaker) => {
  const echo = (options?: MakerOptions): Promise<OpenDuplex> => maker.openEcho(options);

  test('brings frames of every kind of text there and back, in order', async () => {
    await withDuplex(echo({ highWaterBytes: 16_000_000 }), async ({ duplex }) => {
      const { texts: back } = record(duplex);
      const sent = Array.from({ length: 300 }, (_, id) => request(id, texts[id % texts.length]));
      for (const frame of sent) expect(duplex.send(frame)).not.toBe(0);
      await until(() => back.length === sent.length);
      expect(back).toEqual(sent);
    });
  });

  test('brings a frame of 3 MB there and back', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      const { texts: back } = record(duplex);
      const frame = request(1, '漢'.repeat(1_000_000));
      duplex.send(frame);
      await until(() => back.length === 1);
      expect(back[0] === frame).toBe(true);
    });
  });

  test('keeps what was sent before it was started', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      duplex.send(request(1));
      await nextTurn();
      const { texts: back } = record(duplex);
      duplex.send(request(2));
      await until(() => back.length === 2);
      expect(back).toEqual([request(1), request(2)]);
    });
  });

  test('delivers nothing while it is paused, and all of it afterwards', async () => {
    await withDuplex(maker.openPair(), async ({ duplex, peer }) => {
      const { texts: got } = record(duplex);
      record(peer);
      duplex.pause();
      const sent = Array.from({ length: 200 }, (_, id) => request(id, 'y'.repeat(1000)));
      for (const frame of sent) peer.send(frame);
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      expect(got).toEqual([]);
      duplex.resume();
      await until(() => got.length === sent.length);
      expect(got).toEqual(sent);
    });
  });

  test('gives the frames again that were not consumed', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      const seen: string[] = [];
      record(duplex, {
        onFrames(batch) {
          seen.push(batch.text(0));
          // Whoever takes frames one by one asks for the next on a later turn.
          setImmediate(() => duplex.resume());
          return 1;
        },
      });
      const sent = Array.from({ length: 50 }, (_, id) => request(id));
      for (const frame of sent) duplex.send(frame);
      await until(() => seen.length === sent.length);
      expect(seen).toEqual(sent);
    });
  });

  test('bounds the unsent bytes for a peer that does not read, and goes on when it does', async () => {
    const highWaterBytes = 100_000;
    await withDuplex(maker.openPair({ highWaterBytes, lowWaterBytes: 10_000 }), async ({ duplex, peer }) => {
      const recording = record(duplex);
      const text = 'z'.repeat(10_000);
      let sent = 0;
      // Until it is still full after many turns: the buffers in between take some first.
      for (let fullTurns = 0; fullTurns < 50; fullTurns++) {
        const more = fill(duplex, text);
        if (more > 0) fullTurns = 0;
        sent += more;
        expect(duplex.queuedBytes).toBeLessThanOrEqual(highWaterBytes + text.length + 100);
        await nextTurn();
      }
      expect(duplex.isFull).toBe(true);
      const { texts: got } = record(peer);
      await until(() => got.length === sent);
      await until(() => !duplex.isFull);
      expect(recording.calls).toContain('drain');
      expect(duplex.send(request(-1))).not.toBe(0);
      await until(() => got.length === sent + 1);
    });
  });

  test('tells what became of a frame: written, and dropped when it was taken back', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      const { texts: back } = record(duplex);
      const kept = duplex.send(request(1));
      const gone = duplex.send(request(2));
      const aborted = duplex.send(request(3), { signal: AbortSignal.abort() });
      expect(duplex.withdraw(gone)).toBe(true);
      expect(await Promise.all([kept, gone, aborted].map((ticket) => duplex.settled(ticket)))).toEqual([
        'written',
        'dropped',
        'dropped',
      ]);
      await until(() => back.length === 1);
      expect(back).toEqual([request(1)]);
    });
  });

  test('gets everything that the peer still sends after end(), then its end, once', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      const { texts: back, calls } = record(duplex);
      for (let id = 0; id < 100; id++) duplex.send(request(id, 'w'.repeat(5000)));
      duplex.end();
      expect(() => duplex.send(request(0))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
      await until(() => calls.some((call) => call === 'end' || call.startsWith('close')));
      expect(back).toHaveLength(100);
      const { kind } = await duplex.close();
      expect(kind).toBe(maker.endedKind);
      expect(calls.filter((call) => call !== 'drain')).toEqual(['end', `close ${maker.endedKind}`]);
    });
  });

  test('writes what is queued when it is closed, and calls nobody after that', async () => {
    await withDuplex(maker.openPair(), async ({ duplex, peer }) => {
      const recording = record(duplex);
      const atPeer = record(peer, { onEnd: () => void peer.close() });
      const sent = Array.from({ length: 100 }, (_, id) => request(id, 'v'.repeat(5000)));
      for (const frame of sent) duplex.send(frame);
      const reason = await duplex.close();
      expect(reason.kind).toBe('closed');
      expect(await duplex.close()).toBe(reason);
      await until(() => atPeer.texts.length === sent.length);
      expect(atPeer.texts).toEqual(sent);
      expect(recording.calls.at(-1)).toBe('close closed');
      expect(recording.calls.filter((call) => call.startsWith('close'))).toHaveLength(1);
      expect(() => duplex.send(request(0))).toThrow(expect.objectContaining({ code: 'SEND_AFTER_CLOSE' }));
      expect(duplex.queuedBytes).toBe(0);
    });
  });

  test('does not lose what it wrote last when it is closed with bytes unread', async () => {
    await withDuplex(maker.openPair(), async ({ duplex, peer }) => {
      record(duplex);
      const atPeer = record(peer, { onEnd: () => void peer.close() });
      duplex.pause();
      for (let id = 0; id < 50; id++) peer.send(request(id, 'u'.repeat(1000)));
      await peer.flushed();
      for (let id = 0; id < 50; id++) duplex.send(request(id, 't'.repeat(10_000)));
      await duplex.close();
      await until(() => atPeer.calls.some((call) => call.startsWith('close')));
      expect(atPeer.texts).toHaveLength(50);
    });
  });

  test('closes in bounded time when the peer never reads, and settles every frame', async () => {
    await withDuplex(maker.openPair({ exitFlushMs: 50, highWaterBytes: 8_000_000 }), async ({ duplex }) => {
      record(duplex);
      const tickets = Array.from({ length: 60 }, (_, id) => duplex.send(request(id, 's'.repeat(100_000))));
      const outcomes = Promise.all(tickets.map((ticket) => duplex.settled(ticket)));
      await duplex.close();
      expect((await outcomes).at(-1)).not.toBe('written');
      expect(duplex.stats.droppedBytes).toBeGreaterThan(0);
      expect(duplex.queuedBytes).toBe(0);
    });
  });

  test('counts the same bytes on both sides', async () => {
    await withDuplex(maker.openPair(), async ({ duplex, peer }) => {
      record(duplex);
      const atPeer = record(peer);
      for (let id = 0; id < 20; id++) duplex.send(request(id, 'é'));
      await until(() => atPeer.texts.length === 20);
      expect(duplex.stats).toMatchObject({ framesOut: 20, framesIn: 0, stalls: 0, droppedBytes: 0 });
      expect(peer.stats).toMatchObject({ framesIn: 20, bytesIn: duplex.stats.bytesOut, faults: 0 });
    });
  });

  test('refuses bad use with a clear error, and goes on', async () => {
    await withDuplex(echo(), async ({ duplex }) => {
      const { texts: back } = record(duplex);
      const cyclic: Record<string, unknown> = {};
      cyclic['self'] = cyclic;
      expect(() => duplex.start({ onFrames() {} })).toThrow(
        expect.objectContaining({ code: 'ALREADY_STARTED' }),
      );
      expect(() => duplex.send('{}\n{}')).toThrow(expect.objectContaining({ code: 'SEND_NOT_ONE_FRAME' }));
      expect(() => duplex.send(cyclic)).toThrow(expect.objectContaining({ code: 'ENCODE_REFUSED' }));
      duplex.send(request(1));
      await until(() => back.length === 1);
    });
  });
});

const makersWithWires = duplexMakers.flatMap(({ name, openWire }) => (openWire ? [{ name, openWire }] : []));

describe.each(makersWithWires)('$name, with a peer of bare bytes', ({ openWire }) => {
  test('reads what is cut anywhere: between the bytes of a character, around CR and LF', async () => {
    await withDuplex(openWire(), async ({ duplex, wire }) => {
      const { texts: got } = record(duplex);
      for (const byte of Buffer.from(
        '{"jsonrpc":"2.0","method":"ä🚀"}\r\n\n{"jsonrpc":"2.0","method":"b"}\n',
      )) {
        wire.write(Uint8Array.of(byte));
        await nextTurn();
      }
      await until(() => got.length === 2);
      expect(got).toEqual(['{"jsonrpc":"2.0","method":"ä🚀"}', '{"jsonrpc":"2.0","method":"b"}']);
      expect(duplex.stats.blankFrames).toBe(1);
    });
  });

  test('tells bad frames as faults, and goes on behind them', async () => {
    await withDuplex(openWire(), async ({ duplex, wire }) => {
      const { kinds } = record(duplex);
      wire.write('noise\n{"jsonrpc":"2.0","method":"b"}\n\u001b[31m\n{"jsonrpc":"1.0"}\n');
      await until(() => kinds.length === 4);
      expect(kinds).toEqual(['fault', 'notification', 'fault', 'invalid']);
    });
  });

  test('tells half a frame at the end as a fault, then the end', async () => {
    await withDuplex(openWire(), async ({ duplex, wire }) => {
      const { kinds, calls } = record(duplex);
      wire.end('{"jsonrpc":"2.0","method":"b"}\n{"jsonrpc":"2.0","meth');
      await until(() => calls.includes('end'));
      expect(kinds).toEqual(['notification', 'fault']);
      await duplex.close();
    });
  });

  test('ends when the peer is destroyed while it is being written to, and settles every frame', async () => {
    await withDuplex(openWire({ exitFlushMs: 500 }), async ({ duplex, wire }) => {
      const { calls } = record(duplex);
      const tickets = Array.from({ length: 50 }, (_, id) => duplex.send(request(id, 'r'.repeat(100_000))));
      const outcomes = Promise.all(
        tickets.filter((ticket) => ticket !== 0).map((ticket) => duplex.settled(ticket)),
      );
      await nextTurn();
      wire.destroy();
      // A peer that goes without a word shows itself at the next write; frames that are sent then are dropped.
      const sending = setInterval(() => {
        if (calls.at(-1)?.startsWith('close')) return;
        try {
          duplex.send(request(0));
        } catch {
          // It has closed since.
        }
      }, 5);
      try {
        const { kind } = await duplex.closed;
        expect(['peer-closed', 'exit']).toContain(kind);
      } finally {
        clearInterval(sending);
      }
      // With the system, or lost with the peer; none of them waits for ever.
      expect(await outcomes).not.toContain('dropped');
      expect(calls.filter((call) => call.startsWith('close'))).toHaveLength(1);
    });
  });
});
