import { BACKSLASH, CR, DIGIT_0, NON_ASCII, QUOTE, SPACE, TAB } from '../src/bytes.ts';
import { openTail, sequenceEnd, vectorErrors } from './utf8.ts';
import { byteAt, splat, WIDTH } from './vectors.ts';

/** A bit for each of the 16 bytes that ends plain text: a quote, a backslash, a control byte or a byte above 0x7F. */
// @inline
function notPlain(bytes: v128): i32 {
  const quoted = v128.or(i8x16.eq(bytes, splat(QUOTE)), i8x16.eq(bytes, splat(BACKSLASH)));
  // A byte above 0x7F has the very bit set that bitmask collects.
  return i8x16.bitmask(v128.or(v128.or(quoted, i8x16.lt_u(bytes, splat(SPACE))), bytes));
}

/** First position from `p` on that is no plain text. A control byte must follow somewhere. */
// @inline
export function plainEnd(p: usize): usize {
  // Most names and values are short: the loop stands apart, since a loop costs even where it is not taken.
  const stop = notPlain(v128.load(p));
  return stop != 0 ? p + <usize>ctz(stop) : longPlainEnd(p + WIDTH);
}

function longPlainEnd(p: usize): usize {
  while (true) {
    const stop = notPlain(v128.load(p));
    if (stop != 0) return p + <usize>ctz(stop);
    p += WIDTH;
  }
}

/** First byte from `p` on that is no white space. */
// @inline
export function afterSpace(p: usize): usize {
  return byteAt(p) > SPACE ? p : afterSomeSpace(p);
}

function afterSomeSpace(p: usize): usize {
  let byte = byteAt(p);
  while (byte == SPACE || byte == TAB || byte == CR) byte = byteAt(++p);
  return p;
}

/** A bit for each quote, backslash and control byte. */
// @inline
function notText(bytes: v128): i32 {
  const quoted = v128.or(i8x16.eq(bytes, splat(QUOTE)), i8x16.eq(bytes, splat(BACKSLASH)));
  return i8x16.bitmask(v128.or(quoted, i8x16.lt_u(bytes, splat(SPACE))));
}

/** The text from `p` to `end` byte by byte: `end`, or where an ill-formed or cut sequence begins. */
function textEndSlow(p: usize, end: usize, to: usize): usize {
  while (p < end) {
    if (byteAt(p) < NON_ASCII) {
      p++;
    } else {
      const next = sequenceEnd(p, to);
      if (next == 0) return p;
      p = next;
    }
  }
  return p;
}

/**
 * First quote, backslash or control byte from `p` on, or the first ill-formed or cut sequence before it. `p` begins a character.
 * A control byte must stand at `to`, and may before.
 */
export function textEnd(p: usize, to: usize): usize {
  while (true) {
    const bytes = v128.load(p);
    const stop = notText(bytes);
    if (stop != 0) return textEndSlow(p, p + <usize>ctz(stop), to);
    if (v128.any_true(vectorErrors(p, bytes))) {
      const end = textEndSlow(p, p + WIDTH, to);
      if (end < p + WIDTH) return end;
      p = end;
    } else {
      p += WIDTH - <usize>openTail(p + WIDTH);
    }
  }
}

/** How many of the 16 bytes from `p` on are digits before the first that is none. */
// @inline
export function digitCount(p: usize): usize {
  const digits = i8x16.lt_u(i8x16.sub(v128.load(p), splat(DIGIT_0)), splat(10));
  return <usize>ctz(~i8x16.bitmask(digits));
}
