import type { Piece } from '../../text/piece.ts';
import { type AddMember, addAndCount } from './add-member.ts';
import type { KnownObject } from './known-object.ts';
import type { Watch } from './watch.ts';

/** A place in documents of one kind where a value stands: what has been there so far. */
export class Place {
  /** What can come first in an object here; empty when no object with members was here. */
  readonly members: Members = new Members(undefined);
  /** The place of all items of an array; undefined when no array with items was here. */
  items: Place | undefined = undefined;
  /** Looks for values that come again; only where a member's value stands, and only while there may be some. */
  watch: Watch | undefined = undefined;
}

/** The members that can come next at one point of an object, tried from the first on. */
export class Members {
  first: Member | undefined = undefined;
  /** The member after which they come; undefined at the opening brace. */
  readonly after: Member | undefined;

  constructor(after: Member | undefined) {
    this.after = after;
  }

  /** Who is looking at the member at the moment finds the ones behind it all the same. */
  remove(member: Member): void {
    let before: Member | undefined;
    let at = this.first;
    while (at !== undefined && at !== member) {
      before = at;
      at = at.next;
    }
    if (before === undefined) this.first = member.next;
    else before.next = member.next;
  }
}

/** A member that can come next in an object. */
export class Member {
  readonly name: string;
  /** Its bytes from the brace or comma before it to its value, white space included; when that is known, to the end of it. */
  readonly piece: Piece;
  /** The value, when it is a string that came again. */
  readonly text: string | undefined;
  /** The value, when it is an object that came again. */
  readonly object: KnownObject | undefined;
  readonly value: Place = new Place();
  /** What can come after it. */
  readonly following: Members;
  /** The members among which this one is. */
  readonly siblings: Members;
  /** The one to try after this one. */
  next: Member | undefined;
  /** Adds the member with its value to an object. */
  add: AddMember = addAndCount;
  /** How often it was added, up to where it gets another `add`. */
  uses = 0;

  /**
   * Joins `siblings`, longer pieces in front: one that another begins with, `{"a":` before `{"a": `, would be found in its place.
   *
   * @param twin - a member of the same name: what follows it, follows this one
   */
  constructor(name: string, piece: Piece, siblings: Members, known?: string | KnownObject, twin?: Member) {
    this.name = name;
    this.piece = piece;
    this.text = typeof known === 'string' ? known : undefined;
    this.object = typeof known === 'string' ? undefined : known;
    this.siblings = siblings;
    this.following = twin?.following ?? new Members(this);
    let before: Member | undefined;
    let after = siblings.first;
    while (after !== undefined && after.piece.length > piece.length) {
      before = after;
      after = after.next;
    }
    this.next = after;
    if (before === undefined) siblings.first = this;
    else before.next = this;
  }

  /** Its value is part of it, and not read. */
  get isKnown(): boolean {
    return this.text !== undefined || this.object !== undefined;
  }
}
