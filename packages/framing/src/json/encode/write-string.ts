import { BACKSLASH, LF, LOWER_N, QUOTE, SPACE } from '../../bytes.ts';
import { countEscapes, escapeInPlace, TOO_MANY } from './escapes.ts';
import { NOT_FIT, type Output } from './output.ts';
import { nativeStrings } from './runtime.ts';

/** Longest text that is written unit by unit; longer ones are written by one call into the runtime and looked through afterwards. */
const SHORT_UNITS = 30;
/** A unit needs three bytes at most here: those that need six are left to the runtime. */
const SHORT_BYTES = 3 * SHORT_UNITS + 2;
/** Longer texts are judged by their first units. */
const SAMPLED_UNITS = 8192;
const SAMPLE_UNITS = 256;
const DEL = 0x7f;
const TWO_BYTES = 0x80;
const THREE_BYTES = 0x800;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Writes a string as `JSON.stringify` does, from `at` on; gives the position after it, or `NOT_FIT`. */
export function writeString(out: Output, at: number, text: string): number {
  const length = text.length;
  if (length > SHORT_UNITS) return writeLong(out, at, text);
  if (at + SHORT_BYTES > out.limit) {
    at = out.spill(at);
    if (at < 0) return NOT_FIT;
  }
  const bytes = out.bytes;
  const start = at;
  bytes[at++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= SPACE && unit <= DEL && unit !== QUOTE && unit !== BACKSLASH) {
      bytes[at++] = unit;
    } else if (unit === QUOTE || unit === BACKSLASH || unit === LF) {
      bytes[at++] = BACKSLASH;
      bytes[at++] = unit === LF ? LOWER_N : unit;
    } else if (unit >= TWO_BYTES && unit < THREE_BYTES) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else if (unit >= THREE_BYTES && (unit < FIRST_SURROGATE || unit > LAST_SURROGATE)) {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else {
      return out.text(start, JSON.stringify(text));
    }
  }
  bytes[at++] = QUOTE;
  return at;
}

function writeLong(out: Output, at: number, text: string): number {
  if (text.length >= nativeStrings || (text.length >= SAMPLED_UNITS && !beginsPlain(text)))
    return out.text(at, JSON.stringify(text));
  const from = out.byte(at, QUOTE);
  if (from < 0) return NOT_FIT;
  let to = out.text(from, text);
  if (to < 0) return NOT_FIT;
  // The runtime has written U+FFFD for surrogates that stand alone.
  if (to !== from + text.length && !isWellFormed(text)) return out.text(at, JSON.stringify(text));
  const extra = countEscapes(out.view, out.bytes, from, to);
  if (extra === TOO_MANY) return out.text(at, JSON.stringify(text));
  if (extra > 0) {
    if (!out.fits(to + extra)) return NOT_FIT;
    escapeInPlace(out.view, out.bytes, to, extra);
    to += extra;
  }
  return out.byte(to, QUOTE);
}

/** Plain ASCII at its beginning, so probably all through: base64, a long line. What is not would be looked through in vain. */
function beginsPlain(text: string): boolean {
  for (let i = 0; i < SAMPLE_UNITS; i++) {
    const unit = text.charCodeAt(i);
    if (unit < SPACE || unit >= DEL || unit === QUOTE || unit === BACKSLASH) return false;
  }
  return true;
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** No surrogate stands alone. */
function isWellFormed(text: string & { isWellFormed?(): boolean }): boolean {
  return text.isWellFormed === undefined ? !LONE_SURROGATE.test(text) : text.isWellFormed();
}
