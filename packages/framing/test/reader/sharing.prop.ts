import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, type FrameReader } from '../../src/index.ts';
import { eventOf, events, type FrameEvent, type Settings } from '../support/events.ts';
import { cutPositions, cuts, stream, streamAroundLimit } from '../support/streams.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

/** What a callback does: takes some frames, may pause or throw, and may feed another reader meanwhile. */
type Act = 'all' | 'none' | 'one' | 'half' | 'pause' | 'pause-one' | 'throw' | 'feed-all' | 'feed-one';

/** How a piece reaches its reader. `armed`: into a view that was reserved before others had their turns. */
type Feed = 'push' | 'commit' | 'armed';

interface Plan {
  readonly bytes: Uint8Array;
  /** Where the stream is cut; undefined: at every byte. */
  readonly fractions: readonly number[] | undefined;
  readonly settings: Settings;
  readonly acts: readonly Act[];
  readonly feeds: readonly Feed[];
}

const act = fc.constantFrom<Act>(
  'all',
  'none',
  'one',
  'half',
  'pause',
  'pause-one',
  'throw',
  'feed-all',
  'feed-all',
  'feed-one',
);

const settings: fc.Arbitrary<Settings> = fc
  .record({
    envelope: fc.constantFrom<'jsonrpc' | 'none'>('jsonrpc', 'jsonrpc', 'none'),
    validate: fc.constantFrom<'full' | 'envelope' | 'none'>('full', 'full', 'envelope', 'none'),
    maxFrameBytes: fc.constantFrom(1024, 10_000, 65_536),
    windowBytes: fc.constantFrom(4096, 4096, 8192, 262_144, 300_000),
    maxDepth: fc.constantFrom(3, 512, 100_000),
  })
  .map((chosen) => (chosen.validate === 'none' ? { ...chosen, envelope: 'none' } : chosen));

const plan: fc.Arbitrary<Plan> = fc.record({
  bytes: fc.oneof(stream, streamAroundLimit),
  fractions: fc.option(
    fc.array(cuts, { minLength: 1, maxLength: 2 }).map((lists) => lists.flat()),
    { nil: undefined },
  ),
  settings,
  acts: fc.array(act, { maxLength: 12 }),
  feeds: fc.array(fc.constantFrom<Feed>('push', 'commit', 'armed'), { minLength: 1, maxLength: 5 }),
});

/** Streams longer than this are not fed byte by byte. */
const bytewiseBytes = 600;

/** One reader and the stream it is fed, piece by piece. */
class Peer {
  readonly taken: FrameEvent[] = [];
  /** What must not happen: errors of its own, and batches that changed while another reader was fed. */
  readonly troubles: unknown[] = [];
  readonly #plan: Plan;
  readonly #others: () => readonly Peer[];
  readonly #reader: FrameReader;
  readonly #pieces: Uint8Array[] = [];
  #armed: Uint8Array | undefined;
  #fed = 0;
  #round = 0;
  #busy = false;

  constructor(plan: Plan, others: () => readonly Peer[]) {
    this.#plan = plan;
    this.#others = others;
    const { bytes, fractions } = plan;
    const ends =
      fractions === undefined && bytes.length <= bytewiseBytes
        ? Array.from(bytes, (_, index) => index)
        : cutPositions(fractions ?? [0.3, 0.6], bytes.length);
    let from = 0;
    for (const end of [...ends, bytes.length]) {
      if (end > from) this.#pieces.push(bytes.slice(from, end));
      from = end;
    }
    this.#reader = createFrameReader({
      ...plan.settings,
      onFrames: (batch) => this.#onFrames(batch),
      onError: (error) => {
        if ((error as Error).message !== 'told to') this.troubles.push(error);
      },
    });
  }

  /** It can be fed now. */
  get isHungry(): boolean {
    return !this.#busy && this.#fed < this.#pieces.length;
  }

  /** Feeds the next piece. `isNested`: inside the callback of another reader. */
  feed(isNested: boolean): void {
    const piece = this.#pieces[this.#fed];
    if (piece === undefined) return;
    const feeds = this.#plan.feeds;
    const feed = feeds[this.#fed % feeds.length];
    if (feed === 'armed' && this.#armed === undefined && !isNested) {
      this.#armed = this.#reader.reserve();
      return;
    }
    // The window that was reserved may be the one in which the outer reader is at work.
    if (isNested && this.#armed !== undefined) return;
    this.#fed++;
    if (feed === 'push' && this.#armed === undefined) {
      this.#reader.push(piece);
      return;
    }
    const view = this.#armed ?? this.#reader.reserve();
    this.#armed = undefined;
    const landed = piece.subarray(0, view.length);
    view.set(landed);
    this.#reader.commit(landed.length);
    if (landed.length < piece.length) this.#reader.push(piece.subarray(landed.length));
  }

  finish(): void {
    this.#reader.end();
    for (let rest = 0; rest < this.#plan.acts.length + 50; rest++) this.#reader.resume();
  }

  #onFrames(batch: FrameBatch): number {
    const todo = this.#plan.acts[this.#round++] ?? 'all';
    const found = framesOf(batch);
    if (todo === 'feed-all' || todo === 'feed-one') {
      const views = found.map((_, index) => batch.frameView(index));
      const copies = views.map((view) => view.slice());
      this.#busy = true;
      for (const other of this.#others()) if (other.isHungry) other.feed(true);
      this.#busy = false;
      const isSame = isDeepStrictEqual([framesOf(batch), views.map((view) => view.slice())], [found, copies]);
      if (!isSame) this.troubles.push(`batch ${this.#round} changed while others were fed`);
    }
    const count = {
      all: batch.count,
      none: 0,
      one: 1,
      half: batch.count >> 1,
      pause: batch.count,
      'pause-one': 1,
      throw: 1,
      'feed-all': batch.count,
      'feed-one': 1,
    }[todo];
    this.taken.push(...found.slice(0, count));
    if (todo === 'pause' || todo === 'pause-one') this.#reader.pause();
    if (todo === 'throw') {
      batch.consumed = 0;
      throw new Error('told to');
    }
    return count;
  }
}

function framesOf(batch: FrameBatch): FrameEvent[] {
  return Array.from({ length: batch.count }, (_, index) => eventOf(batch, index));
}

/** Feeds the readers in the order of `turns`, over and over. */
function run(plans: readonly Plan[], turns: readonly number[]): Peer[] {
  const peers: Peer[] = [];
  for (const each of plans) {
    const peer: Peer = new Peer(each, () => peers.filter((other) => other !== peer));
    peers.push(peer);
  }
  for (let turn = 0; peers.some((peer) => peer.isHungry); turn++) {
    const hungry = peers.filter((peer) => peer.isHungry);
    hungry[(turns[turn % turns.length] as number) % hungry.length]?.feed(false);
  }
  for (const peer of peers) peer.finish();
  return peers;
}

describe(`readers of one thread (seed ${seed})`, () => {
  it.each([
    ['two', 2, 2],
    ['many', 3, 12],
  ])(
    'give what each of them gives alone, %s of them taking turns at any byte, whatever their callbacks do',
    (_name, minLength, maxLength) => {
      holds(
        fc.property(
          fc.array(plan, { minLength, maxLength }),
          fc.array(fc.nat(11), { minLength: 1, maxLength: 30 }),
          (plans, turns) => {
            const peers = run(plans, turns);
            for (const [index, { bytes, settings: chosen }] of plans.entries()) {
              expect(peers[index]?.troubles).toEqual([]);
              expect(peers[index]?.taken).toStrictEqual(events(bytes, chosen));
            }
          },
        ),
        5,
      );
    },
    timeBoxMs + 30_000,
  );
});
