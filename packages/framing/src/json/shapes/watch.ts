import { asKey } from '../../text/as-key.ts';
import { Piece, stands } from '../../text/piece.ts';
import type { Allowance } from './allowance.ts';
import { type KnownObject, knownObject } from './known-object.ts';
import { Member } from './place.ts';

/** Longest string worth remembering, with its quotes, in bytes. */
const MAX_TEXT_BYTES = 64;
/** Longest object worth remembering, with its member's name, in bytes: what a client says of itself in each call. */
const MAX_OBJECT_BYTES = 512;
/** How many values a member remembers: names of tools, kinds of content. */
const MAX_KNOWN = 4;
/** Values in a row that did not come again, after which a member is watched no more. */
const MAX_NEW = 32;

/** Objects that were none of the known ones, counted once for each of those, that may come before they are forgotten. Each use allows one more. */
const FIRST_CREDIT = 32;
const MAX_CREDIT = 64;

/**
 * Watches the values of a member for those that come again: strings of plain ASCII, and objects. Such a one becomes a member of its own, to be compared
 * from then on together with the name, not read. Objects that are compared in vain more often than not are forgotten: each comparison may be as long
 * as the text, and there may be some at each level of it.
 */
export class Watch {
  readonly #member: Member;
  readonly #allowance: Allowance;
  /** The last few, the latest first; of objects their bytes, with those of the member before them. */
  #texts: readonly string[] = [];
  #objects: readonly Piece[] = [];
  #unlike = 0;
  #learns = true;
  readonly #knownObjects: Member[] = [];
  #credit = FIRST_CREDIT;

  constructor(member: Member, allowance: Allowance) {
    this.#member = member;
    this.#allowance = allowance;
  }

  /** `text` was made of `view[start, end)`, quotes included. */
  noticeText(text: string, view: DataView, start: number, end: number): void {
    if (!this.#learns) return;
    if (end - start > MAX_TEXT_BYTES) this.#countUnlike();
    else if (this.#texts.includes(text)) this.#remember(this.#pieceOf(view, start, end), asKey(text));
    else {
      this.#texts = latest(text, this.#texts);
      this.#countUnlike();
    }
  }

  /** `object`, none of the known ones, was made of `view[start, end)`, braces included. */
  noticeObject(object: object, view: DataView, start: number, end: number): void {
    if (!this.#pays()) this.#forgetObjects();
    else if (this.#learns) this.#learnObject(object, view, start, end);
  }

  #learnObject(object: object, view: DataView, start: number, end: number): void {
    const from = start - this.#member.piece.length;
    const again = this.#objects.find(
      (piece) => piece.length === end - from && stands(piece, view, from, end),
    );
    const known = again && knownObject(this.#member.value, object);
    if (again !== undefined && known !== undefined) this.#remember(again, known);
    else {
      if (again === undefined) this.#keep(view, start, end);
      this.#countUnlike();
    }
  }

  #keep(view: DataView, start: number, end: number): void {
    const length = this.#member.piece.length + end - start;
    if (length > Math.min(MAX_OBJECT_BYTES, this.#allowance.objectBytes)) return;
    this.#allowance.objectBytes -= length;
    this.#objects = latest(this.#pieceOf(view, start, end), this.#objects);
  }

  #pieceOf(view: DataView, start: number, end: number): Piece {
    const from = start - this.#member.piece.length;
    return new Piece(view, from, end - from);
  }

  #remember(piece: Piece, value: string | KnownObject): void {
    const { name, siblings } = this.#member;
    const known = new Member(name, piece, siblings, value, this.#member);
    if (known.object !== undefined) this.#knownObjects.push(known);
    this.#unlike = 0;
    this.#credit = FIRST_CREDIT;
    if (knownOf(this.#member) === MAX_KNOWN) this.#stopLearning();
  }

  #countUnlike(): void {
    if (++this.#unlike === MAX_NEW) this.#stopLearning();
  }

  /** Known objects are still watched for what they cost. */
  #stopLearning(): void {
    this.#learns = false;
    this.#texts = [];
    this.#objects = [];
    if (this.#knownObjects.length === 0) this.#end();
  }

  /** Whether the known objects were used about as often as one was compared with them that is none of them. */
  #pays(): boolean {
    for (const { object } of this.#knownObjects) this.#credit += object?.takeUses() ?? 0;
    this.#credit = Math.min(this.#credit, MAX_CREDIT) - this.#knownObjects.length;
    return this.#credit >= 0;
  }

  #forgetObjects(): void {
    for (const known of this.#knownObjects) this.#member.siblings.remove(known);
    this.#end();
  }

  #end(): void {
    this.#member.value.watch = undefined;
  }
}

function latest<T>(value: T, others: readonly T[]): T[] {
  return [value, ...others.slice(0, MAX_KNOWN - 1)];
}

function knownOf({ siblings, following }: Member): number {
  let count = 0;
  for (let member = siblings.first; member !== undefined; member = member.next) {
    if (member.following === following && member.isKnown) count++;
  }
  return count;
}
