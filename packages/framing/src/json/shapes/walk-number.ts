import { DIGIT_0, DIGIT_9, DOT, LOWER_E, MINUS, PLUS, UPPER_E } from '../../bytes.ts';
import { cutText } from '../../text/recent-text.ts';
import { CASE_BIT, MAX_EXACT_DIGITS, MAX_SMALL_DIGITS } from './walk-constants.ts';
import type { WalkState } from './walk-state.ts';

/** Powers of ten up to that many digits; a double holds each exactly. */
const POWERS_OF_TEN: Float64Array = Float64Array.from(
  { length: MAX_EXACT_DIGITS + 1 },
  (_, exponent) => 10 ** exponent,
);

/**
 * A number as `JSON.parse` gives it. Integers of up to 15 digits are summed up, fractions with up to 15 digits are such an integer divided by
 * an exact power of ten, which IEEE 754 rounds correctly (Clinger 1990); all others go through their text.
 */
export function readNumber(walk: WalkState, start: number): number | undefined {
  const { bytes } = walk;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  const smallEnd = first + MAX_SMALL_DIGITS;
  let at = first;
  let small = 0;
  let digit = bytes[at] - DIGIT_0;
  while (digit >= 0 && digit <= 9 && at < smallEnd) {
    small = (small * 10 + digit) | 0;
    digit = bytes[++at] - DIGIT_0;
  }
  const byte = digit + DIGIT_0;
  const isWhole = at > first && (bytes[first] !== DIGIT_0 || at === first + 1);
  if (byte === DOT && isWhole) return readFraction(walk, start, at, small);
  // A digit, a point, an `e` or an `E` make it more than a small integer.
  if ((digit >= 0 && digit <= 9) || byte === DOT || (byte | CASE_BIT) === LOWER_E)
    return readLong(walk, start, first);
  // A leading zero stands alone.
  if (!isWhole) return walk.miss(start);
  walk.next = at;
  return isNegative ? -small : small;
}

function readLong(walk: WalkState, start: number, first: number): number | undefined {
  const { bytes } = walk;
  let value = 0;
  let at = first;
  let digit = bytes[at] - DIGIT_0;
  while (digit >= 0 && digit <= 9) {
    value = value * 10 + digit;
    digit = bytes[++at] - DIGIT_0;
  }
  const digits = at - first;
  if (digits === 0 || (bytes[first] === DIGIT_0 && digits > 1)) return walk.miss(start);
  const byte = bytes[at];
  if (byte === DOT) return readFraction(walk, start, at, value);
  if (byte === LOWER_E || byte === UPPER_E) return readExponent(walk, start, at);
  walk.next = at;
  if (digits > MAX_EXACT_DIGITS) return Number(cutText(bytes, start, at));
  return bytes[start] === MINUS ? -value : value;
}

/** From the point on; `whole` is what stands before it. */
function readFraction(walk: WalkState, start: number, point: number, whole: number): number | undefined {
  const { bytes } = walk;
  const end = digitsEnd(bytes, point + 1);
  if (end < 0) return walk.miss(start);
  if (bytes[end] === LOWER_E || bytes[end] === UPPER_E) return readExponent(walk, start, end);
  walk.next = end;
  // The sign and the point are counted too: a digit less to spare.
  if (end - start > MAX_EXACT_DIGITS) return Number(cutText(bytes, start, end));
  let value = whole;
  for (let i = point + 1; i < end; i++) value = value * 10 + bytes[i] - DIGIT_0;
  const fraction = value / (POWERS_OF_TEN[end - point - 1] as number);
  return bytes[start] === MINUS ? -fraction : fraction;
}

function readExponent(walk: WalkState, start: number, mark: number): number | undefined {
  const { bytes } = walk;
  const sign = bytes[mark + 1];
  const end = digitsEnd(bytes, sign === PLUS || sign === MINUS ? mark + 2 : mark + 1);
  if (end < 0) return walk.miss(start);
  walk.next = end;
  return Number(cutText(bytes, start, end));
}

/** End of the digits from `start` on; negative when there is none. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (bytes[at] >= DIGIT_0 && bytes[at] <= DIGIT_9) at++;
  return at === start ? -1 : at;
}
