import { type Fault, throughFaults } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DuplexMaker, duplexMakers } from '../support/duplex-makers.ts';
import { record, request } from '../support/recorder.ts';

const FRAME_COUNT = 30;
const sent = Array.from({ length: FRAME_COUNT }, (_, id) => request(id, 'é'.repeat((id * 37) % 400)));
const byteCount = sent.reduce((sum, frame) => sum + Buffer.byteLength(frame) + 1, 0);

const at = fc.nat(byteCount);
const harmless: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at }),
  fc.record({ kind: fc.constant('wait' as const), at, turns: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('delay' as const), at, ms: fc.integer({ min: 1, max: 3 }) }),
);
const harmful: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('stuck' as const, 'end' as const, 'die' as const), at }),
  fc.record({
    kind: fc.constant('break' as const),
    at,
    code: fc.constantFrom('EPIPE' as const, 'ECONNRESET' as const),
  }),
  fc.record({
    kind: fc.constant('garbage' as const),
    at,
    // None of them can be inside a good frame.
    bytes: fc.constantFrom('\n', '\r\n', 'noise\n', '\u00ff', '\u0000'),
  }),
);

type OpenWire = NonNullable<DuplexMaker['openWire']>;

/** Sends the frames to a peer that sends everything back, with faults on both ways, ends, and waits for what comes; then closes. */
async function exchange(openWire: OpenWire, toPeer: readonly Fault[], fromPeer: readonly Fault[]) {
  const opened = await openWire({ exitFlushMs: 100 });
  const { duplex, wire } = opened;
  try {
    const faulty = throughFaults(wire, { toLeft: toPeer, toRight: fromPeer });
    faulty.on('error', () => {});
    faulty.pipe(faulty);
    const recording = record(duplex);
    const tickets = sent.map((frame) => duplex.send(frame));
    const outcomes = Promise.all(tickets.map((ticket) => duplex.settled(ticket)));
    duplex.end();
    const isOver = (): boolean => recording.calls.length > 0;
    const mayHang = [...toPeer, ...fromPeer].some(({ kind }) => kind === 'stuck');
    // Faults take a few ms each; a link that is stuck never says so.
    for (let waitedMs = 0; !isOver() && waitedMs < (mayHang ? 60 : 5000); waitedMs += 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await duplex.close();
    return { ...recording, outcomes: await outcomes, stats: duplex.stats, queuedBytes: duplex.queuedBytes };
  } finally {
    await opened.dispose();
  }
}

const makers = duplexMakers.flatMap(({ name, openWire }) => (openWire ? [{ name, openWire }] : []));

describe.each(makers)('$name', ({ name, openWire }) => {
  // Each run of the child starts a process.
  const numRuns = name.includes('child') ? 8 : 40;

  test('loses and changes nothing over a link that cuts, waits and delays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(harmless, { maxLength: 12 }),
        fc.array(harmless, { maxLength: 12 }),
        async (toPeer, fromPeer) => {
          const { texts, calls, outcomes } = await exchange(openWire, toPeer, fromPeer);
          expect(texts).toEqual(sent);
          expect(calls[0]).toBe('end');
          expect(outcomes).toEqual(sent.map(() => 'written'));
        },
      ),
      { numRuns },
    );
  });

  test('ends in order, settles every frame and makes up none, whatever the link does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(harmless, harmful), { maxLength: 4 }),
        fc.array(fc.oneof(harmless, harmful), { maxLength: 4 }),
        async (toPeer, fromPeer) => {
          const { texts, kinds, calls, outcomes, queuedBytes, stats } = await exchange(
            openWire,
            toPeer,
            fromPeer,
          );
          const good = texts.filter((_, index) => kinds[index] === 'request');
          // In order, none twice: garbage may spoil a frame, and an end cuts off the rest.
          expect(good).toEqual(sent.filter((frame) => good.includes(frame)));
          const isNoisy = [...toPeer, ...fromPeer].some(({ kind }) => kind === 'garbage');
          if (!isNoisy) expect(good).toEqual(sent.slice(0, good.length));
          expect(calls.at(-1)).toMatch(/^close /);
          expect(calls.filter((call) => call.startsWith('close'))).toHaveLength(1);
          expect(calls.filter((call) => call === 'end').length).toBeLessThanOrEqual(1);
          expect(outcomes).toHaveLength(FRAME_COUNT);
          expect(queuedBytes).toBe(0);
          expect(stats.framesIn).toBe(texts.length);
        },
      ),
      { numRuns },
    );
  });
});
