import { DIGIT_0, DIGIT_1, DIGIT_9, DOT, LOWER_E, MINUS, PLUS, UPPER_E } from '../../bytes.ts';
import { asciiText } from '../../text/decode.ts';
import type { LazySource } from './lazy-source.ts';
import { syntaxFault } from './syntax-fault.ts';

/** Digits that surely make an integer a double holds exactly. */
const MAX_EXACT_DIGITS = 15;

/** Throws unless the range is one number by the grammar. */
export function checkNumber(source: LazySource, bytes: Uint8Array, start: number, end: number): void {
  let i = start < end && bytes[start] === MINUS ? start + 1 : start;
  if (i < end && bytes[i] === DIGIT_0) i++;
  else if (i < end && bytes[i] >= DIGIT_1) i = digitsEnd(source, bytes, i, end);
  else throw syntaxFault(source, i);
  if (i < end && bytes[i] === DOT) i = digitsEnd(source, bytes, i + 1, end);
  if (i < end && (bytes[i] === LOWER_E || bytes[i] === UPPER_E)) {
    i++;
    if (i < end && (bytes[i] === PLUS || bytes[i] === MINUS)) i++;
    i = digitsEnd(source, bytes, i, end);
  }
  if (i !== end) throw syntaxFault(source, i);
}

/** End of the digits from `start` on, of which there must be one. */
function digitsEnd(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && bytes[i] >= DIGIT_0 && bytes[i] <= DIGIT_9) i++;
  if (i === start) throw syntaxFault(source, i);
  return i;
}

/** Value of a range that `checkNumber` has accepted, as `JSON.parse` gives it. Short integers are made without a string. */
export function numberValue(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  if (end - first > MAX_EXACT_DIGITS) return Number(asciiText(bytes, start, end));
  let value = 0;
  for (let i = first; i < end; i++) {
    const digit = bytes[i] - DIGIT_0;
    if (digit < 0 || digit > 9) return Number(asciiText(bytes, start, end));
    value = value * 10 + digit;
  }
  // -0 stays what it is.
  return isNegative ? -value : value;
}
