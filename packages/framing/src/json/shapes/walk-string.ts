import { IN_BACKSLASH, IN_CONTROL, IN_QUOTE, STRING_CLASS } from '../../byte-classes.ts';
import { QUOTE } from '../../bytes.ts';
import { asciiText, utf8Text } from '../../text/decode.ts';
import { firstOdd, oddBytes, WORD_BYTES } from '../../text/plain-text.ts';
import { cutText, MAX_CUT_CHARACTERS } from '../../text/recent-text.ts';
import type { Place } from './place.ts';
import type { WalkState } from './walk-state.ts';
import { noticeText } from './watch.ts';

/** The string whose opening quote is at `start`, as `JSON.parse` gives it. It must end before `limit`. */
export function readString(walk: WalkState, place: Place, start: number): string | undefined {
  const { bytes, view, limit } = walk;
  let at = start + 1;
  let odd = oddBytes(view.getInt32(at, true));
  while (odd === 0 && at < limit) {
    at += WORD_BYTES;
    odd = oddBytes(view.getInt32(at, true));
  }
  // Nothing odd up to the limit: no closing quote. `firstOdd` would step back, to the opening quote of a text that ends with it.
  if (odd === 0) return walk.miss(start);
  at += firstOdd(odd);
  if (bytes[at] !== QUOTE || at >= limit) return readOddString(walk, start, at);
  walk.next = at + 1;
  const text =
    at - start <= MAX_CUT_CHARACTERS ? cutText(bytes, start + 1, at) : asciiText(bytes, start + 1, at);
  if (place.watchCount > 0) noticeText(place, text, view, start, at + 1);
  return text;
}

/** A string with escapes or bytes that are not ASCII, the first of them at `odd`. */
function readOddString(walk: WalkState, start: number, odd: number): string | undefined {
  const { bytes, limit } = walk;
  let isEscaped = false;
  let at = odd;
  while (at < limit) {
    const what = STRING_CLASS[bytes[at]];
    if (what === IN_QUOTE) {
      walk.next = at + 1;
      return isEscaped ? unescaped(walk, start, at + 1) : utf8Text(bytes, start + 1, at);
    }
    if (what === IN_CONTROL) break;
    if (what === IN_BACKSLASH) {
      isEscaped = true;
      at += 2;
    } else {
      at++;
    }
  }
  return walk.miss(start);
}

function unescaped(walk: WalkState, start: number, end: number): string | undefined {
  try {
    return JSON.parse(utf8Text(walk.bytes, start, end)) as string;
  } catch {
    return walk.miss(start);
  }
}
