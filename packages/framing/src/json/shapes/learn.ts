import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from '../../bytes.ts';
import { asKey } from '../../text/as-key.ts';
import { utf8Text } from '../../text/decode.ts';
import { Piece, stands } from '../../text/piece.ts';
import { unalignedView } from '../../text/unaligned-view.ts';
import type { Allowance } from './allowance.ts';
import { Member, type Members, Place } from './place.ts';
import { Watch } from './watch.ts';

/** Deepest nesting that is learned; the walk recurses as deep. */
const MAX_DEPTH = 16;
/** Longest member that is learned: its name with quotes and what stands around it, in bytes. */
const MAX_PIECE_BYTES = 128;
/** Most names that one point of an object may have to choose from. */
const MAX_NAMES = 8;

/**
 * Adds the shape of `bytes[start, end)` to what a place knows. The text must be JSON: `JSON.parse` has accepted it. Stops at the first
 * thing that cannot be learned; what was learned up to there stays.
 */
export function learn(
  root: Place,
  bytes: Uint8Array,
  start: number,
  end: number,
  allowance: Allowance,
): void {
  new Learner(bytes, end, allowance).value(root, start, 0);
}

const STOPPED = -1;

class Learner {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  readonly #allowance: Allowance;

  constructor(bytes: Uint8Array, end: number, allowance: Allowance) {
    this.#bytes = bytes;
    this.#view = unalignedView(bytes);
    this.#end = end;
    this.#allowance = allowance;
  }

  /** Learns one value. Position after it, or `STOPPED`. */
  value(place: Place, at: number, depth: number): number {
    const first = this.#bytes[at];
    if (first === QUOTE) return this.#stringEnd(at);
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.#scalarEnd(at);
    if (depth === MAX_DEPTH) return STOPPED;
    return first === OPEN_BRACE ? this.#object(place, at, depth) : this.#array(place, at, depth);
  }

  #object(place: Place, start: number, depth: number): number {
    let at = this.#afterSpace(start + 1);
    if (this.#bytes[at] === CLOSE_BRACE) return at + 1;
    let { members } = place;
    let pieceStart = start;
    for (;;) {
      const nameEnd = this.#stringEnd(at);
      // Past the colon, to the value.
      const valueStart = this.#afterSpace(this.#afterSpace(nameEnd) + 1);
      const member =
        this.#known(members, pieceStart, valueStart) ??
        this.#newMember(members, pieceStart, at, nameEnd, valueStart);
      if (member === undefined) return STOPPED;
      const valueEnd = this.value(member.value, valueStart, depth + 1);
      if (valueEnd === STOPPED) return STOPPED;
      pieceStart = this.#afterSpace(valueEnd);
      if (this.#bytes[pieceStart] !== COMMA) return pieceStart + 1;
      at = this.#afterSpace(pieceStart + 1);
      members = member.following;
    }
  }

  #array(place: Place, start: number, depth: number): number {
    let at = this.#afterSpace(start + 1);
    if (this.#bytes[at] === CLOSE_BRACKET) return at + 1;
    if (place.items === undefined) {
      if (this.#allowance.members === 0) return STOPPED;
      this.#allowance.members--;
      place.items = new Place();
    }
    for (;;) {
      const itemEnd = this.value(place.items, at, depth + 1);
      if (itemEnd === STOPPED) return STOPPED;
      at = this.#afterSpace(itemEnd);
      if (this.#bytes[at] !== COMMA) return at + 1;
      at = this.#afterSpace(at + 1);
    }
  }

  /** The one of the members whose bytes are `[start, end)`. */
  #known(members: Members, start: number, end: number): Member | undefined {
    let member = members.first;
    while (member !== undefined && !this.#isAt(member, start, end)) member = member.next;
    return member;
  }

  #isAt({ piece, isKnown }: Member, start: number, end: number): boolean {
    return !isKnown && piece.length === end - start && stands(piece, this.#view, start, this.#end);
  }

  /** A member of the bytes `[start, valueStart)`; undefined when it cannot be learned. */
  #newMember(
    siblings: Members,
    start: number,
    nameStart: number,
    nameEnd: number,
    valueStart: number,
  ): Member | undefined {
    if (this.#allowance.members === 0 || valueStart - start > MAX_PIECE_BYTES) return undefined;
    if (namesIn(siblings) === MAX_NAMES) return undefined;
    const name = asKey(JSON.parse(utf8Text(this.#bytes, nameStart, nameEnd)));
    // Assigning such a name may do something else than add a member: `__proto__`, a setter, a frozen prototype.
    if (name in Object.prototype) return undefined;
    this.#allowance.members--;
    const piece = new Piece(this.#view, start, valueStart - start);
    const member = new Member(name, piece, siblings);
    member.value.watch = new Watch(member, this.#allowance);
    return member;
  }

  #stringEnd(start: number): number {
    let at = start + 1;
    while (this.#bytes[at] !== QUOTE) at += this.#bytes[at] === BACKSLASH ? 2 : 1;
    return at + 1;
  }

  /** End of a number or literal. */
  #scalarEnd(start: number): number {
    let at = start;
    while (at < this.#end && !endsScalar(this.#bytes[at])) at++;
    return at;
  }

  #afterSpace(from: number): number {
    let at = from;
    while (at < this.#end && this.#bytes[at] <= SPACE) at++;
    return at;
  }
}

function endsScalar(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

function namesIn({ first }: Members): number {
  let count = 0;
  for (let member = first; member !== undefined; member = member.next) if (!member.isKnown) count++;
  return count;
}
