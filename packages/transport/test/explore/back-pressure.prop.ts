import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Errand, Peer, type PeerOptions } from './peer.ts';
import { type LinkClock, ScheduledLink } from './scheduled-link.ts';

/**
 * Two peers that ask each other, as a client and a legacy server do, over the real reader, credit and outbox. The scheduler decides what
 * happens next: which direction moves, by how many bytes, which handler settles, when the turn of the event loop ends.
 */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Steps of the longest exploration: far more than any needs that comes to its end. */
const MOST_STEPS = 20_000;

const small: PeerOptions = {
  maxInFlight: 2,
  queue: { highWaterBytes: 400, lowWaterBytes: 100, maxParkedBytes: 1500, reservedBytes: 64 * 1024 },
  padding: 20,
  refuses: true,
};

interface Script {
  readonly left: readonly Errand[];
  readonly right: readonly Errand[];
  readonly padding: number;
  readonly maxInFlight: number;
}

const errand: fc.Arbitrary<Errand> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Errand>('call') },
  { weight: 1, arbitrary: fc.constantFrom<Errand>('ping', 'note', 'cancel') },
);
const errands = fc.array(errand, { minLength: 10, maxLength: 60 });
const script: fc.Arbitrary<Script> = fc.record({
  left: errands,
  right: errands,
  padding: fc.constantFrom(0, 30, 150),
  maxInFlight: fc.constantFrom(1, 2, 5),
});

interface Outcome {
  readonly problems: string[];
  readonly refusals: number;
  readonly stalls: number;
}

async function explore(
  scheduler: fc.Scheduler,
  portions: Iterator<number>,
  { left, right, padding, maxInFlight }: Script,
  fault: Partial<PeerOptions> = {},
): Promise<Outcome> {
  let turnComes = false;
  const clock: LinkClock = {
    later: (label, action) => void scheduler.schedule(Promise.resolve(), label).then(action),
    portion: (most) => 1 + ((portions.next().value as number) % most),
  };
  const there = new ScheduledLink('there', clock);
  const back = new ScheduledLink('back', clock);
  const options: PeerOptions = { ...small, padding, maxInFlight, ...fault };
  const peers = [
    new Peer('left', left, options, clock, there, back),
    new Peer('right', right, options, clock, back, there),
  ];
  const isFree = (one: Errand): boolean => one !== 'call';
  for (const peer of peers) peer.allowFreeReplies([...left, ...right].filter(isFree).length);
  for (const peer of peers) peer.begin();
  for (let step = 0; step < MOST_STEPS; step++) {
    if (vi.getTimerCount() > 0 && !turnComes) {
      turnComes = true;
      clock.later('the turn ends', () => {
        turnComes = false;
        vi.runOnlyPendingTimers();
      });
    }
    if (scheduler.count() === 0) break;
    await scheduler.waitOne();
    for (const peer of peers) peer.check();
    if (peers.some((peer) => peer.problems.length > 0)) break;
  }
  // A duplex that has failed says so on the next tick.
  await new Promise((resolve) => process.nextTick(resolve));
  return {
    problems: peers.flatMap((peer) => [...peer.problems, ...peer.unfinished()]),
    refusals: peers.reduce((sum, peer) => sum + peer.refusals, 0),
    stalls: peers.reduce((sum, peer) => sum + peer.duplex.parked.stalls, 0),
  };
}

const portions = fc.infiniteStream(fc.nat(2000));

function property(fault?: Partial<PeerOptions>, seen: Outcome[] = []): fc.IAsyncProperty<unknown> {
  return fc.asyncProperty(fc.scheduler(), portions, script, async (scheduler, sizes, plan) => {
    const outcome = await explore(scheduler, sizes, plan, fault);
    seen.push(outcome);
    expect(outcome.problems).toEqual([]);
  });
}

test('whatever the order: nothing hangs, is lost, doubled or overtaken, and no queue outgrows its limits', async () => {
  const seen: Outcome[] = [];
  await fc.assert(property({}, seen), { numRuns: 200, interruptAfterTimeLimit: 8000 });
  // The rule was needed: requests were refused.
  expect(seen.some((outcome) => outcome.refusals > 0)).toBe(true);
}, 60_000);

test.each([
  [
    'the reserved quota removed the connection closes',
    { queue: { ...small.queue, reservedBytes: 0 } },
    'closed',
  ],
  ['no refusals at all two peers wait for each other for ever', { refuses: false }, 'unanswered'],
])(
  'with %s, which this exploration finds',
  async (_, fault, problem) => {
    const seen: Outcome[] = [];
    const details = await fc.check(property(fault, seen), { numRuns: 400, endOnFailure: true, seed: 1 });
    expect(details.failed).toBe(true);
    expect(seen.at(-1)?.problems.join('; ')).toContain(problem);
  },
  60_000,
);
