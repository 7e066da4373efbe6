import { Piece } from '../../text/piece.ts';
import { Member, type Place } from './place.ts';

/** Longest string worth remembering, with its quotes, in bytes. */
const MAX_BYTES = 64;
/** How many strings a member remembers: names of tools, kinds of content. */
const MAX_TEXTS = 4;
/** Strings in a row that did not come again, after which a member is watched no more. */
const MAX_NEW_TEXTS = 32;

/** Begins to watch a place for strings that come again. */
export function watch(place: Place): void {
  place.watchCount = MAX_NEW_TEXTS;
}

/**
 * A string, plain ASCII, was made of `view[start, end)`, quotes included, where a member's value stands. When it is among the last few
 * that were, it becomes a member of its own, to be compared from now on with the name, not made.
 */
export function noticeText(place: Place, text: string, view: DataView, start: number, end: number): void {
  const { member } = place;
  place.watchCount--;
  if (member === undefined || end - start > MAX_BYTES) return;
  if (place.recentTexts.includes(text)) {
    const piece = new Piece(view, start - member.piece.length, end - start + member.piece.length);
    new Member(member.name, piece, member.siblings, text, member);
    place.watchCount = textsOf(member) < MAX_TEXTS ? MAX_NEW_TEXTS : 0;
  } else {
    place.recentTexts = [text, ...place.recentTexts.slice(0, MAX_TEXTS - 1)];
  }
  if (place.watchCount === 0) place.recentTexts = [];
}

function textsOf({ siblings, following }: Member): number {
  let count = 0;
  for (let member = siblings.first; member !== undefined; member = member.next) {
    if (member.following === following && member.text !== undefined) count++;
  }
  return count;
}
