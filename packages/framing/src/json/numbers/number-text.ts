import { DIGIT_0, DIGIT_9, DOT, LOWER_E, MINUS, PLUS, UPPER_E } from '../../bytes.ts';

/** Fewest digits of an integer beyond ±(2^53 − 1). */
export const LONG_DIGITS = 16;

/** Position after the JSON number that begins at `start`; -1 when none does. What may follow it is not looked at. */
export function numberEnd(text: string, start: number): number {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charCodeAt(at) === DIGIT_0 ? at + 1 : digitsEnd(text, at);
  if (at > 0 && text.charCodeAt(at) === DOT) at = digitsEnd(text, at + 1);
  if (at > 0 && isExponentMark(text.charCodeAt(at))) {
    const sign = text.charCodeAt(at + 1);
    at = digitsEnd(text, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }
  return at;
}

/** The number from `start` to `end` has neither a fraction nor an exponent. */
export function isInDigitsAlone(text: string, start: number, end: number): boolean {
  for (let at = text.charCodeAt(start) === MINUS ? start + 1 : start; at < end; at++) {
    if (!isDigit(text.charCodeAt(at))) return false;
  }
  return true;
}

/**
 * The text may hold an integer, in digits alone, that is beyond ±(2^53 − 1): false is sure, true is not, since strings are not told apart.
 * Looks at one character of sixteen, and around it only where that is a digit.
 */
export function mayHoldLongInteger(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(at + 1))) at++;
    // Fractions of so many digits are common.
    if (
      at + 1 - start >= LONG_DIGITS &&
      text.charCodeAt(start - 1) !== DOT &&
      !goesOn(text.charCodeAt(at + 1))
    )
      return true;
  }
  return false;
}

/** A number goes on with it behind its integer digits. */
function goesOn(unit: number): boolean {
  return unit === DOT || isExponentMark(unit);
}

/** End of the digits from `start` on; -1 when there is none. */
function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at === start ? -1 : at;
}

/** False also for NaN, which stands behind the end of a text. */
function isDigit(unit: number): boolean {
  return unit >= DIGIT_0 && unit <= DIGIT_9;
}

function isExponentMark(unit: number): boolean {
  return unit === LOWER_E || unit === UPPER_E;
}
