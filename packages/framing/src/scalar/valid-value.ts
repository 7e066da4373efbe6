import { ESCAPE_CLASS, IS_HEX } from '../byte-classes.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  DIGIT_0,
  DIGIT_1,
  DIGIT_9,
  DOT,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  NON_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  QUOTE,
  SPACE,
  TAB,
  UPPER_E,
} from '../bytes.ts';
import {
  firstOdd,
  LONG_TEXT_BYTES,
  oddBytes,
  plainTextEnd,
  shortTextEnd,
  WORD_BYTES,
} from '../text/plain-text.ts';
import { unalignedView } from '../text/unaligned-view.ts';
import { OUTER_KINDS, WORD_LEVELS_MASK, WORD_LEVELS_SHIFT } from './nesting.ts';
import { sequencesEnd } from './utf8.ts';

/**
 * End of the JSON value that begins at `start`, every rule of the grammar checked (what `JSON.parse` accepts, and well-formed UTF-8).
 * Negative when it holds non-ASCII text; 0 when it is not valid, or nests deeper than `levels` (at most `MAX_BET_LEVELS`).
 *
 * For whole values in memory only; a newline must follow somewhere. One pass, no recursion; the stack is one integer, and
 * `OUTER_KINDS` below it.
 */
export function validValueEnd(bytes: Uint8Array, words: Int32Array, start: number, levels: number): number {
  const view = unalignedView(bytes);
  let i = start;
  let depth = 0;
  // One bit per open container, the innermost lowest: 1 for an array. Of up to 32 of them; the outer ones are in OUTER_KINDS.
  let arrays = 0;
  let ascii = true;
  for (;;) {
    // A value begins at i.
    let byte = bytes[i];
    if (byte <= SPACE) {
      i = afterSpace(bytes, i);
      byte = bytes[i];
    }
    if (byte === QUOTE) {
      i = stringEnd(bytes, words, view, i + 1);
    } else if (byte === OPEN_BRACE) {
      if (depth === levels) return 0;
      i = afterSpace(bytes, i + 1);
      if (bytes[i] === CLOSE_BRACE) {
        i++;
      } else {
        if ((depth & WORD_LEVELS_MASK) === 0) OUTER_KINDS[depth >> WORD_LEVELS_SHIFT] = arrays;
        depth++;
        arrays <<= 1;
        i = valueOfKey(bytes, words, view, i);
        if (i <= 0) {
          if (i === 0) return 0;
          ascii = false;
          i = -i;
        }
        continue;
      }
    } else if (byte === OPEN_BRACKET) {
      if (depth === levels) return 0;
      i = afterSpace(bytes, i + 1);
      if (bytes[i] === CLOSE_BRACKET) {
        i++;
      } else {
        if ((depth & WORD_LEVELS_MASK) === 0) OUTER_KINDS[depth >> WORD_LEVELS_SHIFT] = arrays;
        depth++;
        arrays = (arrays << 1) | 1;
        continue;
      }
    } else if (byte === MINUS || (byte >= DIGIT_0 && byte <= DIGIT_9)) {
      i = numberEnd(bytes, i);
    } else {
      i = literalEnd(bytes, i, byte);
    }
    if (i <= 0) {
      if (i === 0) return 0;
      ascii = false;
      i = -i;
    }

    // A value ended before i: close containers until the next value is due.
    for (;;) {
      if (depth === 0) return ascii ? i : -i;
      let next = bytes[i++];
      if (next <= SPACE) {
        i = afterSpace(bytes, i - 1);
        next = bytes[i++];
      }
      if (next === COMMA) break;
      if (next !== ((arrays & 1) === 0 ? CLOSE_BRACE : CLOSE_BRACKET)) return 0;
      depth--;
      if ((depth & WORD_LEVELS_MASK) === 0) arrays = OUTER_KINDS[depth >> WORD_LEVELS_SHIFT];
      else arrays >>>= 1;
    }
    if ((arrays & 1) === 0) {
      i = valueOfKey(bytes, words, view, bytes[i] === QUOTE ? i : afterSpace(bytes, i));
      if (i <= 0) {
        if (i === 0) return 0;
        ascii = false;
        i = -i;
      }
    }
  }
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let i = start;
  while (bytes[i] <= SPACE && (bytes[i] === SPACE || bytes[i] === TAB || bytes[i] === CR)) i++;
  return i;
}

/** Position after `"key":`, negative when the key is not ASCII, 0 when something else stands at `start`. */
function valueOfKey(bytes: Uint8Array, words: Int32Array, view: DataView, start: number): number {
  if (bytes[start] !== QUOTE) return 0;
  // Nearly every key is short and plain; what is not is read again by the rules of all strings.
  let end = shortTextEnd(view, start + 1);
  if (bytes[end] === QUOTE) end++;
  else end = stringEnd(bytes, words, view, start + 1);
  if (end === 0) return 0;
  let colon = end < 0 ? -end : end;
  if (bytes[colon] !== COLON) {
    colon = afterSpace(bytes, colon);
    if (bytes[colon] !== COLON) return 0;
  }
  return end < 0 ? -(colon + 1) : colon + 1;
}

/** Position after the closing quote, negative when the text is not ASCII, 0 when the string is bad. `start` is after the opening quote. */
function stringEnd(bytes: Uint8Array, words: Int32Array, view: DataView, start: number): number {
  let i = start;
  let ascii = true;
  // Text as far as `long` is looked at here (in line, a call costs 3 % of short messages), then by `plainTextEnd`. Where
  // one piece was long, as between the escapes of source code, the next is taken for long at once.
  let short = LONG_TEXT_BYTES;
  for (;;) {
    let odd = oddBytes(view.getInt32(i, true));
    if (odd === 0) {
      const long = i + short;
      do {
        i += WORD_BYTES;
        if (i >= long) {
          i = plainTextEnd(bytes, words, i, bytes.length);
          short = i - long < LONG_TEXT_BYTES ? LONG_TEXT_BYTES : WORD_BYTES;
        }
        odd = oddBytes(view.getInt32(i, true));
      } while (odd === 0);
    }
    i += firstOdd(odd);
    const stop = bytes[i++];
    if (stop === QUOTE) return ascii ? i : -i;
    if (stop === BACKSLASH) {
      const kindOfEscape = ESCAPE_CLASS[bytes[i++]];
      if (kindOfEscape === 0) return 0;
      if (kindOfEscape === 2) {
        if ((IS_HEX[bytes[i]] & IS_HEX[bytes[i + 1]] & IS_HEX[bytes[i + 2]] & IS_HEX[bytes[i + 3]]) === 0)
          return 0;
        i += 4;
      }
    } else if (stop >= NON_ASCII) {
      i = sequencesEnd(bytes, view, i - 1);
      if (i === 0) return 0;
      ascii = false;
    } else {
      return 0;
    }
  }
}

/** Position after the number that begins at `start`, 0 when it is malformed. */
function numberEnd(bytes: Uint8Array, start: number): number {
  let i = bytes[start] === MINUS ? start + 1 : start;
  if (bytes[i] === DIGIT_0) i++;
  else if (bytes[i] >= DIGIT_1 && bytes[i] <= DIGIT_9) i = afterDigits(bytes, i + 1);
  else return 0;
  if (bytes[i] === DOT) {
    const fraction = i + 1;
    i = afterDigits(bytes, fraction);
    if (i === fraction) return 0;
  }
  if (bytes[i] === LOWER_E || bytes[i] === UPPER_E) {
    i++;
    if (bytes[i] === PLUS || bytes[i] === MINUS) i++;
    const exponent = i;
    i = afterDigits(bytes, exponent);
    if (i === exponent) return 0;
  }
  return i;
}

function afterDigits(bytes: Uint8Array, start: number): number {
  let i = start;
  while (bytes[i] >= DIGIT_0 && bytes[i] <= DIGIT_9) i++;
  return i;
}

/** Position after `true`, `false` or `null`, 0 when none of them begins at `start`. */
function literalEnd(bytes: Uint8Array, start: number, first: number): number {
  if (first === LOWER_T) return isRest(bytes, start, 0x72, 0x75, LOWER_E) ? start + 4 : 0;
  if (first === LOWER_N) return isRest(bytes, start, 0x75, 0x6c, 0x6c) ? start + 4 : 0;
  if (first !== LOWER_F || !isRest(bytes, start, 0x61, 0x6c, 0x73)) return 0;
  return bytes[start + 4] === LOWER_E ? start + 5 : 0;
}

function isRest(bytes: Uint8Array, start: number, second: number, third: number, fourth: number): boolean {
  return bytes[start + 1] === second && bytes[start + 2] === third && bytes[start + 3] === fourth;
}
