import fc from 'fast-check';
import { expect } from 'vitest';
import { serve } from '../../../src/index.ts';
import { Wire } from '../../support/wire.ts';
import type { Check } from '../check.ts';
import { Ledger } from '../ledger.ts';
import { type Act, mutatedConnections } from '../mutations.ts';
import { Stage } from '../stage.ts';
import { transcripts } from './transcripts.ts';

/** Long enough for any transcript's line but those that are meant to be too long. */
const MAX_FRAME_BYTES = 1500;
const PING = '{"jsonrpc":"2.0","id":"last ping","method":"ping"}';
const PONG = '{"jsonrpc":"2.0","id":"last ping","result":{}}';

interface Options {
  readonly maxInFlight: number;
  readonly batches: boolean;
  readonly inputTimeoutMs: number;
  readonly drainTimeoutMs: number;
}

const options: fc.Arbitrary<Options> = fc.record({
  maxInFlight: fc.constantFrom(1, 2, 256),
  batches: fc.boolean(),
  // Whatever is asked of this client may stay unanswered.
  inputTimeoutMs: fc.constant(5),
  drainTimeoutMs: fc.constant(10),
});

export const checks: readonly Check[] = [
  {
    title:
      'whatever the lines: the next ping is answered, each request once, nothing stays open, and every line is a message',
    rules: [
      'base.version',
      'base.one-outcome',
      'base.error-object',
      'base.codes',
      'base.notification-silent',
      'stdio.one-line',
      'stdio.only-messages',
      'stdio.split-anywhere',
      'stdio.end-answers',
    ],
    async run(patienceMs) {
      await fc.assert(
        fc.asyncProperty(mutatedConnections(transcripts), options, (acts, options) =>
          survive(acts, options, patienceMs),
        ),
        { interruptAfterTimeLimit: process.env['CI'] ? 30_000 : 2000, numRuns: 1_000_000 },
      );
    },
  },
];

async function survive(acts: readonly Act[], options: Options, patienceMs: number): Promise<void> {
  const stage = new Stage();
  const wire = new Wire({ maxFrameBytes: MAX_FRAME_BYTES });
  const ledger = new Ledger(MAX_FRAME_BYTES);
  const session = serve(stage.server, wire, options);
  const events = Object.values(stage.events);

  for (const act of acts) {
    if (act.kind === 'bytes') wire.feedBytes(Buffer.from(act.latin1, 'latin1'));
    else {
      events[act.pick % events.length]?.();
      await nextTurn();
    }
  }
  const spoken = acts.map((act) => (act.kind === 'bytes' ? act.latin1 : '')).join('');
  // The rest behind the last newline is ended by one that comes now.
  for (const line of spoken.split('\n')) ledger.client(Buffer.from(line, 'latin1'));
  wire.feed('', PING);
  ledger.client(Buffer.from(PING));

  await reached(() => wire.sent.includes(PONG), 'answer of the last ping', patienceMs);
  let isClosed = false;
  let isSettled = false;
  void session.closed.then(() => {
    isClosed = true;
  });
  wire.feedEnd();
  await reached(
    () => {
      stage.gate.open();
      return isClosed;
    },
    'end of the session',
    patienceMs,
  );
  void session.settled().then(() => {
    isSettled = true;
  });
  await reached(
    () => {
      stage.gate.open();
      return isSettled;
    },
    'end of its handlers',
    patienceMs,
  );
  for (const line of wire.sent) ledger.server(line);
  ledger.expectPaid();
  expect(session.stats.parked).toBe(0);
}

async function reached(condition: () => boolean, what: string, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > until) throw new Error(`There is no ${what}`);
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
