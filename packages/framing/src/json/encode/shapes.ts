import { type JsonConstant, jsonConstant } from './words.ts';

/** What one encoder learns at most, over all places: keys, each with the bytes that stand before its value. */
const MAX_MEMBERS = 1024;
/** Keys that may follow one key. */
const MAX_ALTERNATIVES = 8;
/** Longest key, and longest repeated string, that is kept. In UTF-16 units, of at most six bytes each. */
export const MAX_KEPT_UNITS = 64;
/** Visits in a row that met an unknown key, after which a place is left to the runtime for a while. */
const MAX_MISSES = 8;
const FIRST_REST_VISITS = 64;
const MAX_REST_VISITS = 4096;
/** Times that a string has to come again before it is kept. */
const REPEATS = 3;

const NOTHING = jsonConstant('');
const EMPTY_STRING = jsonConstant('""');

/** A key that was met behind another one, with the bytes that stand before its value. */
export class Member {
  readonly key: string;
  /** `,"key":`. The first member of an object has its comma overwritten. Empty for a key that is not kept. */
  readonly front: JsonConstant;
  /** Where the value stands. */
  readonly place: Place;
  /** The first key that came next. */
  follower: Member | undefined = undefined;
  /** Another key that came instead of this one. */
  other: Member | undefined = undefined;

  constructor(key: string, front: JsonConstant, place: Place) {
    this.key = key;
    this.front = front;
    this.place = place;
  }
}

/** One place in the values of an encoder, such as `$.content[*].text`, and what is known of the values there. */
export class Place {
  /** What stands in front of the first keys. */
  readonly head: Member;
  /** Where the items of arrays stand. */
  item: Place | undefined = undefined;
  /** Visits for which the runtime's own encoder is used. */
  rests = 0;
  /** The string that keeps coming here, and its JSON. */
  text = '';
  json: JsonConstant = EMPTY_STRING;
  /** Strings that come here are looked at for repetitions. */
  notesTexts = true;
  #misses = 0;
  #nextRest = FIRST_REST_VISITS;
  /** Length and last unit of the string that came last, and how often that came. */
  #signature = -1;
  #repeats = 0;

  constructor() {
    this.head = new Member('', NOTHING, this);
  }

  /** All keys of an object here were known. */
  hit(): void {
    this.#misses = 0;
  }

  /** A key of an object here was not known. True when that happened too often in a row: it is time to rest. */
  miss(): boolean {
    return ++this.#misses >= MAX_MISSES;
  }

  /** The runtime's own does better here: it gets the next visits, twice as many each time. */
  rest(): void {
    this.#misses = 0;
    this.rests = this.#nextRest;
    this.#nextRest = Math.min(this.#nextRest * 2, MAX_REST_VISITS);
  }

  /**
   * A string came here that is not `text`. One that comes again and again is kept, as a copy, since the one given may be a piece of a long
   * one; when others come then, none is.
   */
  noteText(text: string): void {
    const last = text.length === 0 ? 0 : text.charCodeAt(text.length - 1);
    const signature = text.length * 0x1_0000 + last;
    if (this.text === '' && (signature === this.#signature || this.#signature < 0)) {
      this.#signature = signature;
      if (++this.#repeats > REPEATS) this.#keep(text);
      return;
    }
    this.notesTexts = false;
    this.text = '';
    this.json = EMPTY_STRING;
  }

  #keep(text: string): void {
    const json = JSON.stringify(text);
    this.json = jsonConstant(json);
    this.text = JSON.parse(json) as string;
  }
}

/** All that an encoder has learned: a tree of places. Bounded by `MAX_MEMBERS`, however hostile the values. */
export class Shapes {
  /** Keys that are kept; as many places and one, and at most as many again for arrays. */
  members = 0;
  /** Places of the items of arrays that are kept. */
  items = 0;
  readonly root: Place = new Place();
  /** Where all values stand that no place is kept for: containers there are left to the runtime. */
  readonly nowhere: Place = new Place();
  /** Stands for every key that is not kept. */
  readonly unknown: Member = new Member('', NOTHING, this.nowhere);

  constructor() {
    this.nowhere.rests = Number.POSITIVE_INFINITY;
    this.nowhere.notesTexts = false;
  }

  /** The member `key` behind `last`, learned if it is new; `unknown` when nothing more is learned. */
  member(last: Member, key: string): Member {
    let count = 0;
    let end: Member | undefined;
    for (let member = last.follower; member !== undefined; member = member.other) {
      if (member.key === key) return member;
      end = member;
      count++;
    }
    if (count >= MAX_ALTERNATIVES || key.length > MAX_KEPT_UNITS) return this.unknown;
    if (this.members >= MAX_MEMBERS || last.place === this.nowhere) return this.unknown;
    const member = new Member(key, jsonConstant(`,${JSON.stringify(key)}:`), new Place());
    if (end === undefined) last.follower = member;
    else end.other = member;
    this.members++;
    return member;
  }

  /** Where the items of arrays at `place` stand. */
  itemOf(place: Place): Place {
    if (place.item !== undefined) return place.item;
    if (this.items >= MAX_MEMBERS || place === this.nowhere) return this.nowhere;
    this.items++;
    place.item = new Place();
    return place.item;
  }

  /** Lets a place rest and forgets all that is known below it. */
  rest(place: Place): void {
    place.rest();
    const open = [place];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at.item !== undefined) {
        this.items--;
        open.push(at.item);
      }
      const heads: Member[] = [at.head];
      for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
        for (let member = head.follower; member !== undefined; member = member.other) {
          this.members--;
          open.push(member.place);
          heads.push(member);
        }
      }
    }
    place.item = undefined;
    place.head.follower = undefined;
  }
}
