import { BACKSLASH, QUOTE } from '../../bytes.ts';
import { asciiText, utf8Text } from '../../text/decode.ts';
import { firstOdd, oddBytes, stopBytes, WORD_BYTES } from '../../text/plain-text.ts';
import { cutText, MAX_CUT_CHARACTERS } from '../../text/recent-text.ts';
import type { Place } from './place.ts';
import { MAX_ESCAPED_BYTES } from './walk-constants.ts';
import type { WalkState } from './walk-state.ts';

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
    at - start - 1 <= MAX_CUT_CHARACTERS ? cutText(bytes, start + 1, at) : asciiText(bytes, start + 1, at);
  if (place.watch !== undefined) place.watch.noticeText(text, view, start, at + 1);
  return text;
}

/** A string with escapes or bytes that are not ASCII, the first of them at `odd`. */
function readOddString(walk: WalkState, start: number, odd: number): string | undefined {
  const { bytes, view, limit } = walk;
  let isEscaped = false;
  let at = odd;
  for (;;) {
    let stop = stopBytes(view.getInt32(at, true));
    while (stop === 0 && at < limit) {
      at += WORD_BYTES;
      stop = stopBytes(view.getInt32(at, true));
    }
    if (stop === 0) return walk.miss(start);
    at += firstOdd(stop);
    if (at >= limit) return walk.miss(start);
    const byte = bytes[at];
    if (byte === QUOTE) break;
    // The runtime is faster at long texts with escapes, and at all that stands around them.
    if (byte !== BACKSLASH || at - start > MAX_ESCAPED_BYTES) return walk.miss(start);
    isEscaped = true;
    at += 2;
  }
  walk.next = at + 1;
  return isEscaped ? unescaped(walk, start, at + 1) : utf8Text(bytes, start + 1, at);
}

function unescaped(walk: WalkState, start: number, end: number): string | undefined {
  const { bytes } = walk;
  try {
    return JSON.parse(walk.isAscii ? cutText(bytes, start, end) : utf8Text(bytes, start, end)) as string;
  } catch {
    return walk.miss(start);
  }
}
