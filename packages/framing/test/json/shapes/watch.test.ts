import { describe, expect, it } from 'vitest';
import { learn } from '../../../src/json/shapes/learn.ts';
import { type Member, type Members, Place } from '../../../src/json/shapes/place.ts';
import { MISS, walk } from '../../../src/json/shapes/walk.ts';
import { bytesOf } from '../../support/events.ts';

/** A place that has learned texts as they came, as a slot's root does. */
class Watched {
  readonly root = new Place(undefined);

  feed(text: string): void {
    const memory = bytesOf(`${text}        `);
    const end = memory.length - 8;
    if (walk(this.root, memory, 0, end, false) === MISS) learn(this.root, memory, 0, end, { members: 256 });
  }

  feedAll(values: readonly string[]): void {
    for (const value of values) this.feed(`{"s":"${value}"}`);
  }

  /** The strings that are known by heart, and those that are remembered to see whether they come again. */
  get texts(): { known: string[]; recent: string[] } {
    const all = membersOf(this.root.members);
    return {
      known: all.flatMap(({ text }) => text ?? []),
      recent: all.flatMap(({ value }) => value.recentTexts),
    };
  }
}

function membersOf(members: Members): Member[] {
  const found: Member[] = [];
  for (let member = members.first; member !== undefined; member = member.next) {
    found.push(member, ...membersOf(member.value.members));
    if (member.text === undefined) found.push(...membersOf(member.following));
  }
  return found;
}

const unlike = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('a place where strings stand', () => {
  it('knows one by heart that comes again among the last few', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'a', 'b', 'a', 'c']);
    expect(watched.texts.known).toEqual(['a']);
    watched.feedAll(['d', 'e', 'f', 'g', 'b']);
    expect(watched.texts.known).toEqual(['a']);
  });

  it('remembers 4 at most while it watches', () => {
    const watched = new Watched();
    watched.feedAll(['first', ...unlike(10)]);
    expect(watched.texts).toEqual({ known: [], recent: ['text 9', 'text 8', 'text 7', 'text 6'] });
  });

  it('knows 4 by heart at most, and then remembers none', () => {
    const watched = new Watched();
    watched.feedAll(['first', ...unlike(10).flatMap((text) => [text, text])]);
    expect(watched.texts.known.toSorted()).toEqual(['text 0', 'text 1', 'text 2', 'text 3']);
    expect(watched.texts.recent).toEqual([]);
  });

  it('counts them for each of the members that can stand at one point', () => {
    const watched = new Watched();
    for (const name of ['s', 't']) {
      for (const text of ['first', ...unlike(10).flatMap((each) => [each, each])])
        watched.feed(`{"${name}":"${text}"}`);
    }
    expect(watched.texts.known.length).toBe(8);
    expect(watched.texts.recent).toEqual([]);
  });

  it('is watched no more after 32 that were all new', () => {
    const watched = new Watched();
    watched.feedAll(['first', ...unlike(31)]);
    expect(watched.texts.recent.length).toBe(4);
    watched.feedAll(['the last straw', 'a', 'a', 'a']);
    expect(watched.texts).toEqual({ known: [], recent: [] });
  });

  it('knows none by heart that is longer than 64 bytes with its quotes, and remembers none', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'x'.repeat(62), 'x'.repeat(62)]);
    expect(watched.texts.known).toEqual(['x'.repeat(62)]);
    const other = new Watched();
    other.feedAll(['first', 'x'.repeat(63), 'x'.repeat(63), 'x'.repeat(1000), 'x'.repeat(1000)]);
    expect(other.texts).toEqual({ known: [], recent: [] });
  });

  it('knows only strings of plain text by heart: those that are one run of bytes', () => {
    const watched = new Watched();
    watched.feedAll(['first', 'é', 'é', 'é', '\\n', '\\n', '\\n']);
    expect(watched.texts).toEqual({ known: [], recent: [] });
  });

  it('knows none by heart in arrays and at the root, where no name goes before it', () => {
    const watched = new Watched();
    for (let round = 0; round < 5; round++) {
      watched.feed('["a","a"]');
      watched.feed('"a"');
    }
    expect(watched.texts).toEqual({ known: [], recent: [] });
    expect(watched.root.items?.recentTexts).toEqual([]);
  });
});
