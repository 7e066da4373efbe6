import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../../src/json/shapes/allowance.ts';
import { learn } from '../../../src/json/shapes/learn.ts';
import { type Member, type Members, Place } from '../../../src/json/shapes/place.ts';
import { MISS, walk } from '../../../src/json/shapes/walk.ts';
import { bytesOf } from '../../support/events.ts';

/** A place that has learned texts as they came, as a slot's root does. */
class Watched {
  readonly root = new Place();
  readonly allowance: Allowance = { members: 256, objectBytes: 4096 };

  feed(text: string): void {
    const memory = bytesOf(`${text}        `);
    const end = memory.length - 8;
    if (walk(this.root, memory, 0, end, false) === MISS) learn(this.root, memory, 0, end, this.allowance);
  }

  feedAll(values: readonly string[]): void {
    for (const value of values) this.feed(`{"s":"${value}"}`);
  }

  /** The strings that are known by heart. */
  get texts(): string[] {
    return membersOf(this.root.members).flatMap(({ text }) => text ?? []);
  }

  /** The objects that are known by heart. */
  get objects(): object[] {
    return membersOf(this.root.members).flatMap(({ object }) => object?.make() ?? []);
  }

  /** How many those are. To make one is to use it, which counts. */
  get objectCount(): number {
    return membersOf(this.root.members).filter(({ object }) => object !== undefined).length;
  }

  /** Members of which it is still to be seen whether their values come again. */
  get watched(): string[] {
    return membersOf(this.root.members).flatMap(({ name, value }) => (value.watch ? name : []));
  }
}

function membersOf(members: Members): Member[] {
  const found: Member[] = [];
  for (let member = members.first; member !== undefined; member = member.next) {
    found.push(member, ...membersOf(member.value.members));
    if (!member.isKnown) found.push(...membersOf(member.following));
  }
  return found;
}

const unlike = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('a place where strings stand', () => {
  it('knows one by heart that comes again among the last 4', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'a', 'b', 'a', 'c']);
    expect(watched.texts).toEqual(['a']);
    watched.feedAll(['d', 'e', 'f', 'g', 'b', 'c', 'd']);
    expect(watched.texts).toEqual(['a']);
    watched.feedAll(['b']);
    expect(watched.texts.toSorted()).toEqual(['a', 'b']);
  });

  it('knows 4 by heart at most, and is then watched no more', () => {
    const watched = new Watched();
    watched.feedAll(['first', ...unlike(3).flatMap((text) => [text, text])]);
    expect(watched.watched).toEqual(['s']);
    watched.feedAll(unlike(10).flatMap((text) => [text, text]));
    expect(watched.texts.toSorted()).toEqual(['text 0', 'text 1', 'text 2', 'text 3']);
    expect(watched.watched).toEqual([]);
  });

  it('counts them for each of the members that can stand at one point', () => {
    const watched = new Watched();
    for (const name of ['s', 't']) {
      for (const text of ['first', ...unlike(10).flatMap((each) => [each, each])])
        watched.feed(`{"${name}":"${text}"}`);
    }
    expect(watched.texts.length).toBe(8);
    expect(watched.watched).toEqual([]);
  });

  it('is watched no more after 32 in a row that were all new', () => {
    const watched = new Watched();
    watched.feedAll(['first', ...unlike(31), 'text 30', ...unlike(31)]);
    expect(watched.watched).toEqual(['s']);
    watched.feedAll(['the last straw', 'a', 'a', 'a']);
    expect(watched.texts).toEqual(['text 30']);
    expect(watched.watched).toEqual([]);
  });

  it('knows none by heart that is longer than 64 bytes with its quotes', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'x'.repeat(62), 'x'.repeat(62)]);
    expect(watched.texts).toEqual(['x'.repeat(62)]);
    const other = new Watched();
    other.feedAll(['first', 'x'.repeat(63), 'x'.repeat(63), 'x'.repeat(1000), 'x'.repeat(1000)]);
    expect(other.texts).toEqual([]);
  });

  it('knows only strings of plain text by heart: those that are one run of bytes', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'é', 'é', 'é', '\\n', '\\n', '\\n']);
    expect(watched.texts).toEqual([]);
  });

  it('knows none by heart in arrays and at the root, where no name goes before it', () => {
    const watched = new Watched();
    for (let round = 0; round < 5; round++) {
      watched.feed('["a","a"]');
      watched.feed('"a"');
    }
    expect(watched.texts).toEqual([]);
    expect(watched.root.items?.watch).toBeUndefined();
  });
});

describe('a place where objects stand', () => {
  const meta = '{"version":"2.1","client":{"name":"é\\n","pid":-0,"beta":null,"tools":{}}}';
  const feedMetas = (watched: Watched, metas: readonly string[]): void => {
    for (const each of metas) watched.feed(`{"_meta":${each}}`);
  };

  it('knows one by heart that comes again, with those in it', () => {
    const watched = new Watched();
    feedMetas(watched, [meta, meta, meta]);
    expect(watched.objects).toContainEqual(JSON.parse(meta));
  });

  it('knows 4 by heart at most, one shape or several', () => {
    const watched = new Watched();
    const metas = [0, 1, 2, 3, 4, 5].map((n) => (n % 2 === 0 ? `{"n":${n}}` : `{"n":${n},"odd":true}`));
    feedMetas(watched, ['{"n":6,"odd":true}', ...metas.flatMap((each) => [each, each])]);
    expect(watched.objects.length).toBe(4);
    expect(watched.objects).toEqual(
      expect.arrayContaining([{ n: 0 }, { n: 1, odd: true }, { n: 2 }, { n: 3, odd: true }]),
    );
  });

  it('forgets them when objects keep coming that are none of them, and does not begin again', () => {
    const watched = new Watched();
    const known = [0, 1, 2, 3].map((n) => `{"text":"${'x'.repeat(50)}${n}"}`);
    feedMetas(watched, [known[0] as string, ...known.flatMap((each) => [each, each])]);
    expect(watched.objectCount).toBe(4);
    const other = (n: number): string => `{"text":"${'x'.repeat(50)}${n + 1000}"}`;
    feedMetas(
      watched,
      unlike(8).map((_, n) => other(n)),
    );
    expect(watched.objectCount).toBe(4);
    feedMetas(watched, [other(8)]);
    expect(watched.objectCount).toBe(0);
    feedMetas(
      watched,
      known.flatMap((each) => [each, each, each]),
    );
    expect(watched.objectCount).toBe(0);
    expect(watched.watched).not.toContain('_meta');
  });

  it('keeps those that are used: one in vain for each use, and 64 at most in advance', () => {
    const watched = new Watched();
    const known = '{"version":"2.1"}';
    feedMetas(watched, [known, known, known]);
    expect(watched.objectCount).toBe(1);
    for (let n = 0; n < 500; n++) feedMetas(watched, [known, `{"version":"${n}","n":${n}}`]);
    expect(watched.objectCount).toBe(1);
    for (let n = 0; n < 500; n++) feedMetas(watched, [known]);
    for (let n = 0; n < 64; n++) feedMetas(watched, [`{"version":"${n}","n":${n}}`]);
    expect(watched.objectCount).toBe(1);
    feedMetas(watched, ['{"version":"64","n":64}']);
    expect(watched.objectCount).toBe(0);
  });

  it('knows none by heart with an array in it, and none that is not the same to the last byte', () => {
    const watched = new Watched();
    feedMetas(watched, [
      '{"a":[]}',
      '{"a":[]}',
      '{"a":[]}',
      '{"b":{"c":[1]}}',
      '{"b":{"c":[1]}}',
      '{"b":{"c":[1]}}',
    ]);
    feedMetas(watched, ['{"d":1}', '{"d":1}', '{"d":2}', '{"d": 1}', '{"d":1 }', '{"d":1.0}', '{"d":12}']);
    expect(watched.objects).toEqual([]);
  });

  it('knows none by heart that is longer than 512 bytes with its name', () => {
    const around = '{"_meta":{"a":""}'.length;
    const ofLength = (length: number): string => `{"a":"${'x'.repeat(length - around)}"}`;
    const watched = new Watched();
    feedMetas(watched, [ofLength(512), ofLength(512), ofLength(512)]);
    expect(watched.objects.length).toBe(1);
    const other = new Watched();
    feedMetas(other, [ofLength(513), ofLength(513), ofLength(513)]);
    expect(other.objects).toEqual([]);
  });

  it('copies no more bytes than its slot is allowed, wherever objects stand', () => {
    const watched = new Watched();
    const object = (n: number): string => `{"text":"${'x'.repeat(400)}","n":${n}}`;
    for (const name of ['a', 'b', 'c', 'd']) {
      for (let n = 0; n < 8; n++) watched.feed(`{"${name}":${object(n)}}`);
    }
    expect(watched.allowance.objectBytes).toBeGreaterThanOrEqual(0);
    expect(watched.allowance.objectBytes).toBeLessThan(440);
    // Nothing is left for one that comes again.
    for (let round = 0; round < 4; round++) watched.feed(`{"e":${object(0)}}`);
    expect(watched.objects).toEqual([]);
  });
});
