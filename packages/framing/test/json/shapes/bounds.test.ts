import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DecoderSlot } from '../../../src/json/shapes/decoder-slot.ts';
import { bytesOf } from '../../support/events.ts';
import { SlotTrial } from '../../support/slots.ts';

const MAX_MEMBERS = 256;

/** Writes texts into one piece of memory and decodes them, without a comparison: for tests that need millions. */
class Feeder {
  readonly slot = new DecoderSlot();
  readonly #memory = Buffer.alloc(1 << 17);

  feed(text: string): unknown {
    const end = this.#memory.write(text, 'latin1');
    return this.slot.decode(this.#memory, 0, end, true);
  }
}

const good = '{"name":"search","arguments":{"query":"abc","limit":10}}';

/** How many of `count` good texts are hits, when a slot has been fed something else before. */
function hitsAfter(feeder: Feeder, count: number): number {
  const { hits } = feeder.slot.stats();
  for (let fed = 0; fed < count; fed++) expect(feeder.feed(good)).toEqual(JSON.parse(good));
  return feeder.slot.stats().hits - hits;
}

/** The n-th number of a sequence that never repeats in 2^32 steps and never looks alike. */
const mixed = (index: number): string => (Math.imul(index, 0x9e3779b1) >>> 0).toString(36);

/** Traffic that no slot can gain from; each text is another one. */
const hostile: readonly (readonly [string, (index: number) => string])[] = [
  ['a new name', (index) => `{"k${index}":1}`],
  ['a new name behind a known one', (index) => `{"a":{"b":1},"k${mixed(index)}":1}`],
  ['a new name deep inside', (index) => `{"a":[{"b":{"c":[{"k${mixed(index)}":[1]}]}}]}`],
  [
    'a new name at the very end',
    (index) => `{"a":1,"b":"some text that is walked each time","c":[1,2,3],"${mixed(index)}":0}`,
  ],
  ['another count of spaces', (index) => `{"a":${' '.repeat(index % 100)}1}`],
  [
    'another spelling of one name',
    (index) => `{"\\u00${(0x61 + (index % 26)).toString(16)}${mixed(index)}":1}`,
  ],
  [
    'another nesting',
    (index) =>
      `${'['.repeat(index % 64)}${'{"a":'.repeat(index % 7)}1${'}'.repeat(index % 7)}${']'.repeat(index % 64)}`,
  ],
  ['white space in front, which no shape has', (index) => ` {"a":${index}}`],
  ['a name that objects inherit', (index) => `{"a":1,"toString":${index}}`],
  [
    'names that hash alike in naive tables',
    (index) => `{"${'AaBB'.repeat(1 + (index % 4))}${'BBAa'.repeat(index % 5)}":${index},"${index}":1}`,
  ],
];

describe.each(hostile)('60,000 texts with %s', (_, text) => {
  const count = 60_000;

  it('are soon no longer walked, and what was learned of them is bounded', () => {
    const feeder = new Feeder();
    for (let index = 0; index < count; index++) feeder.feed(text(index));
    const { hits, misses, passed, members } = feeder.slot.stats();
    expect(hits + misses + passed).toBe(count);
    expect(members).toBeLessThanOrEqual(MAX_MEMBERS);
    // What can be learned is: then there is nothing to complain of.
    if (hits < count / 2) {
      expect(passed).toBeGreaterThan(0.9 * count);
    }
  });

  it('leave a slot that knew good ones able to read those again, once the pause is over', () => {
    const feeder = new Feeder();
    expect(hitsAfter(feeder, 5)).toBe(4);
    for (let index = 0; index < 3000; index++) feeder.feed(text(index));
    // The pauses so far were of 1,024 and 2,048 texts.
    for (let index = 0; index < 4096; index++) feeder.feed(good);
    expect(hitsAfter(feeder, 100)).toBe(100);
  });
});

describe('a slot', () => {
  it('has learned no more than 256 members after 1,000,000 texts, each of another shape', () => {
    const feeder = new Feeder();
    for (let index = 0; index < 1_000_000; index++) {
      feeder.feed(`{"${mixed(index)}":{"${mixed(index + 1)}":1}}`);
      // Hits in between keep learning on.
      if (index < 10_000) feeder.feed('{}');
    }
    const { members, passed, misses } = feeder.slot.stats();
    expect(members).toBeLessThanOrEqual(MAX_MEMBERS);
    expect(passed).toBeGreaterThan(980_000);
    expect(misses).toBeLessThan(20_000);
  });

  it('stops walking, and pauses longer each time, when late misses take turns with hits', () => {
    const feeder = new Feeder();
    const walked: number[] = [];
    const late = `{"a":"${'x'.repeat(1000)}","b":`;
    for (let index = 0; index < 50_000; index++) {
      feeder.feed(`{"a":"${'x'.repeat(100)}","b":1}`);
      feeder.feed(`${late}{"k${index}":1}}`);
      if (index % 10_000 === 9_999) walked.push(feeder.slot.stats().misses);
    }
    const { members, misses, passed } = feeder.slot.stats();
    expect(members).toBeLessThanOrEqual(MAX_MEMBERS);
    expect(misses).toBeLessThan(1000);
    expect(passed).toBeGreaterThan(98_000);
  });

  it('charges a late miss more than an early one, when nothing is left to be learned', () => {
    for (const [walked, most] of [
      [1000, 20],
      [10, 200],
    ] as const) {
      const feeder = new Feeder();
      const hit = `{"a":"${'x'.repeat(100)}"}`;
      feeder.feed(hit);
      feeder.feed(`{"z":{${Array.from({ length: 300 }, (_, index) => `"k${index}":0`).join()}}}`);
      feeder.feed(hit);
      expect(feeder.slot.stats().members).toBe(MAX_MEMBERS);
      const { misses } = feeder.slot.stats();
      for (let index = 0; index < 190; index++) {
        feeder.feed(hit);
        feeder.feed(`{"a":"${'x'.repeat(walked)}","unknown":1}`);
      }
      expect(feeder.slot.stats().misses - misses).toBeLessThan(most);
      if (walked < 100) expect(feeder.slot.stats().passed).toBe(0);
    }
  });

  it('charges what is walked in vain to what hits have earned: walking goes on while it pays', () => {
    const feeder = new Feeder();
    const long = `{"a":"${'x'.repeat(2000)}","b":1}`;
    for (let index = 0; index < 20_000; index++) {
      feeder.feed(long);
      feeder.feed('[0]'.padEnd(4 + (index % 3)));
      feeder.feed('{"c":x}'.slice(0, 5).concat(`${index}}`));
    }
    expect(feeder.slot.stats().passed).toBe(0);
    expect(feeder.slot.stats().hits).toBeGreaterThan(19_990);
  });

  it('charges lessons that teach nothing: a long text whose shape is known, but not found, is soon no longer walked', () => {
    const feeder = new Feeder();
    // Long strings with escapes are left to the runtime, whatever is known of their place.
    const long = `{"s":"\\n${'x'.repeat(20_000)}\\n","a":1}`;
    feeder.feed(long);
    feeder.feed('{"a":"some text"}');
    for (let index = 0; index < 1000; index++) {
      feeder.feed(long);
      for (let hit = 0; hit < 5; hit++) feeder.feed('{"a":"some text that earns a little"}');
    }
    const { hits, misses, passed } = feeder.slot.stats();
    expect(hits).toBeGreaterThan(3);
    expect(misses).toBeLessThan(20);
    expect(passed).toBeGreaterThan(5900);
  });

  it('learns a part of an object with a million keys, and no more of it when it comes again', () => {
    const feeder = new Feeder();
    const small = (from: number): string =>
      `{${Array.from({ length: 3000 }, (_, index) => `"k${from + index}":0`).join()}}`;
    for (let round = 0; round < 50; round++) feeder.feed(small(round * 3000));
    expect(feeder.slot.stats().members).toBeLessThanOrEqual(MAX_MEMBERS);

    const text = `{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join()}}`;
    const memory = bytesOf(`${text}        `);
    const slot = new DecoderSlot();
    expect(Object.keys(slot.decode(memory, 0, text.length, true) as object).length).toBe(1_000_000);
    expect(slot.stats()).toEqual({ hits: 0, misses: 1, passed: 0, members: MAX_MEMBERS });
  });

  it('learns 16 levels, and nothing of what is nested deeper', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
    for (const [levels, hits] of [
      [15, 3],
      [16, 3],
      [17, 0],
      [100, 0],
    ] as const) {
      const trial = new SlotTrial();
      for (let round = 0; round < 4; round++) trial.feed(nested(levels));
      expect(trial.stats).toMatchObject({ hits, members: Math.min(levels, 16) });
    }
  });

  it('has a choice of 8 names at one point of an object: others are not learned', () => {
    const trial = new SlotTrial();
    for (let round = 0; round < 3; round++) {
      for (let name = 0; name < 20; name++) trial.feedAll([`{"a":1,"k${name}":1}`, '{"a":1}']);
    }
    expect(trial.stats.members).toBe(1 + 8);
  });

  it('learns names of about a hundred bytes, not longer ones', () => {
    for (const [length, members] of [
      [124, 1],
      [125, 0],
    ] as const) {
      const trial = new SlotTrial();
      trial.feedAll([`{"${'x'.repeat(length)}":1}`, `{"${'x'.repeat(length)}":2}`]);
      expect(trial.stats).toMatchObject({ hits: members, members });
    }
  });

  it('is not slower than linear in the names of an object: 256 of them are compared once each', () => {
    const trial = new SlotTrial();
    const text = `{${Array.from({ length: 200 }, (_, index) => `"k${index}":${index}`).join()}}`;
    for (let round = 0; round < 3; round++) trial.feed(text);
    expect(trial.stats).toEqual({ hits: 2, misses: 1, passed: 0, members: 200 });
  });

  it('learns the shapes that come after many that could not be learned', () => {
    const feeder = new Feeder();
    for (let index = 0; index < 5000; index++) feeder.feed(` {"a":${index}}`);
    for (let index = 0; index < 10_000; index++) feeder.feed(good);
    expect(hitsAfter(feeder, 100)).toBe(100);
  });

  it('keeps the heap as it was, whatever it is fed', () => {
    const feeder = new Feeder();
    const round = (from: number): void => {
      for (let index = from; index < from + 100_000; index++) {
        feeder.feed(
          `{"name":"${mixed(index)}","text":"${mixed(index)} and some more of it, ${index}","k${index}":1}`,
        );
        feeder.feed(`{"name":"${mixed(index)}","text":"x"}`);
      }
    };
    round(0);
    const before = heapAfterCollection();
    round(100_000);
    expect(heapAfterCollection() - before).toBeLessThan(1_000_000);
  });
});

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
