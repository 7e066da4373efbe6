import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  CR,
  DIGIT_9,
  LF,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from '../../bytes.ts';
import { stands } from '../../text/piece.ts';
import { unalignedView } from '../../text/unaligned-view.ts';
import type { Member, Place } from './place.ts';
import { ALSE_WORD, NULL_WORD, TRUE_WORD } from './walk-constants.ts';
import { readNumber } from './walk-number.ts';
import { NO_BYTES, WalkState } from './walk-state.ts';
import { readString } from './walk-string.ts';

/** What the walk has no value for: the shape is new, or the text is not JSON. */
export const MISS: unique symbol = Symbol('miss');

/** One for all: nothing runs in the middle of a walk. */
const state = new WalkState();

/**
 * The value of `source[start, end)`, if it fits what the place has seen so far; `MISS` if not. Equal to what `JSON.parse` gives: the bytes
 * that are compared were learned from JSON text, and what is read is read by its whole grammar. `WALK_SLACK_BYTES` must follow the text.
 */
export function walk(root: Place, source: Uint8Array, start: number, end: number, ascii: boolean): unknown {
  if (state.bytes !== source) {
    state.bytes = source;
    state.view = unalignedView(source);
  }
  state.limit = end;
  state.isAscii = ascii;
  const value = readValue(state, root, start);
  if (state.next === end) return value;
  if (state.next >= 0) state.miss(end);
  return MISS;
}

/** Lets go of the memory that was walked last. */
export function forgetMemory(): void {
  state.bytes = NO_BYTES;
  state.view = unalignedView(NO_BYTES);
}

/** Position at which the last walk that missed gave up. */
export function missedAt(): number {
  return state.reached;
}

function readValue(walk: WalkState, place: Place, at: number): unknown {
  if (at >= walk.limit) return walk.miss(at);
  const first = walk.bytes[at];
  if (first === QUOTE) return readString(walk, place, at);
  if (first <= DIGIT_9) return readNumber(walk, at);
  if (first === OPEN_BRACE) {
    const object = readObject(walk, place.members.first, at);
    if (place.watch !== undefined && object !== undefined)
      place.watch.noticeObject(object, walk.view, at, walk.next);
    return object;
  }
  if (first === OPEN_BRACKET) return readArray(walk, place.items, at);
  return readLiteral(walk, first, at);
}

function readObject(walk: WalkState, members: Member | undefined, start: number): object | undefined {
  const object: Record<string, unknown> = {};
  let candidates = members;
  let at = start;
  for (;;) {
    const member = memberAt(walk, candidates, at);
    if (member === undefined) return at === start ? readEmptyObject(walk, object, start) : walk.miss(at);
    at += member.piece.length;
    let value: unknown = member.text;
    if (value === undefined) {
      if (member.object === undefined) {
        value = readValue(walk, member.value, at);
        at = walk.next;
        if (at < 0) return undefined;
      } else {
        value = member.object.make();
      }
    }
    member.add(object, member, value);
    let byte = walk.bytes[at];
    if (byte <= SPACE) {
      at = afterSpace(walk, at);
      byte = walk.bytes[at];
    }
    if (byte === COMMA) {
      candidates = member.following.first;
    } else if (byte === CLOSE_BRACE) {
      walk.next = at + 1;
      return object;
    } else {
      return walk.miss(at);
    }
  }
}

function readEmptyObject(walk: WalkState, object: object, start: number): object | undefined {
  const at = afterSpace(walk, start + 1);
  if (walk.bytes[at] !== CLOSE_BRACE) return walk.miss(start);
  walk.next = at + 1;
  return object;
}

/** The candidate that stands at `at`. */
function memberAt(walk: WalkState, candidates: Member | undefined, at: number): Member | undefined {
  let member = candidates;
  while (member !== undefined && !stands(member.piece, walk.view, at, walk.limit)) member = member.next;
  return member;
}

function readArray(walk: WalkState, items: Place | undefined, start: number): unknown {
  let at = start + 1;
  let byte = walk.bytes[at];
  if (byte <= SPACE) {
    at = afterSpace(walk, at);
    byte = walk.bytes[at];
  }
  if (byte === CLOSE_BRACKET) {
    walk.next = at + 1;
    return [];
  }
  if (items === undefined) return walk.miss(start);
  let array: unknown[] | undefined;
  for (;;) {
    const value = readValue(walk, items, at);
    at = walk.next;
    if (at < 0) return undefined;
    // Most arrays hold one item, and pushing into an empty one makes room for sixteen more.
    if (array === undefined) array = [value];
    else array.push(value);
    byte = walk.bytes[at];
    if (byte <= SPACE) {
      at = afterSpace(walk, at);
      byte = walk.bytes[at];
    }
    if (byte === COMMA) {
      at = afterSpace(walk, at + 1);
    } else if (byte === CLOSE_BRACKET) {
      walk.next = at + 1;
      return array;
    } else {
      return walk.miss(at);
    }
  }
}

function readLiteral(walk: WalkState, first: number, at: number): boolean | null | undefined {
  if (first === LOWER_T && walk.view.getInt32(at, true) === TRUE_WORD) {
    walk.next = at + 4;
    return true;
  }
  if (first === LOWER_F && walk.view.getInt32(at + 1, true) === ALSE_WORD) {
    walk.next = at + 5;
    return false;
  }
  if (first === LOWER_N && walk.view.getInt32(at, true) === NULL_WORD) {
    walk.next = at + 4;
    return null;
  }
  return walk.miss(at);
}

function afterSpace(walk: WalkState, from: number): number {
  let at = from;
  let byte = walk.bytes[at];
  while (byte <= SPACE && (byte === SPACE || byte === TAB || byte === CR || byte === LF))
    byte = walk.bytes[++at];
  return at;
}
