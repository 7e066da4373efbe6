import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameReader } from '../../src/index.ts';
import { events, land } from '../support/events.ts';
import { cutPositions, cuts, stream, streamAroundLimit } from '../support/streams.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

/** What a callback does with a batch: takes some frames, and may pause, set `consumed` or throw. */
type Act = 'all' | 'none' | 'one' | 'half' | 'pause' | 'pause-one' | 'throw' | 'throw-none';

const act: fc.Arbitrary<Act> = fc.constantFrom(
  'all',
  'none',
  'one',
  'half',
  'pause',
  'pause-one',
  'throw',
  'throw-none',
);
const settings = { windowBytes: 4096, maxFrameBytes: 10_000 } as const;

/** Starts and ends of the frames that were consumed, under a callback that follows `acts` and then takes all. */
function consumed(
  bytes: Uint8Array,
  fractions: readonly number[],
  acts: readonly Act[],
  lands: boolean,
): string[] {
  const taken: string[] = [];
  let round = 0;
  const reader: FrameReader = createFrameReader({
    ...settings,
    onFrames(batch) {
      const todo = acts[round++] ?? 'all';
      const count = {
        all: batch.count,
        none: 0,
        one: 1,
        half: batch.count >> 1,
        pause: batch.count,
        'pause-one': 1,
        throw: 1,
        'throw-none': 1,
      }[todo];
      const notes: string[] = [];
      for (let index = 0; index < count; index++)
        notes.push(`${batch.start(index)}-${batch.end(index)} ${batch.text(index)}`);
      taken.push(...notes);
      if (todo === 'pause' || todo === 'pause-one') reader.pause();
      if (todo === 'throw') batch.consumed = 0;
      if (todo === 'throw' || todo === 'throw-none') throw new Error('told to');
      return count;
    },
    onError() {},
  });
  let from = 0;
  for (const at of [...cutPositions(fractions, bytes.length), bytes.length]) {
    const piece = bytes.slice(from, at);
    from = at;
    if (piece.length === 0) continue;
    // Landing needs room: a peer that is told to stop resumes first.
    if (!lands) reader.push(piece);
    else {
      for (let tries = 0; reader.reserve().length < piece.length && tries < 50; tries++) reader.resume();
      if (reader.reserve().length < piece.length) reader.push(piece);
      else land(reader, piece);
    }
  }
  reader.end();
  for (let rest = 0; rest < acts.length + 50; rest++) reader.resume();
  return taken;
}

describe(`delivery (seed ${seed})`, () => {
  it(
    'gives every frame exactly once and in order, whatever callbacks hold, pause or throw',
    () => {
      holds(
        fc.property(
          fc.oneof(stream, streamAroundLimit),
          fc.array(cuts, { minLength: 1, maxLength: 2 }).map((lists) => lists.flat()),
          fc.array(act, { maxLength: 20 }),
          fc.boolean(),
          (bytes, fractions, acts, lands) => {
            const expected = events(bytes, settings).map(({ start, end, text }) => `${start}-${end} ${text}`);
            expect(consumed(bytes, fractions, acts, lands)).toEqual(expected);
          },
        ),
      );
    },
    timeBoxMs + 20_000,
  );
});
