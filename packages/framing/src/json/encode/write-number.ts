import { DIGIT_0, DOT, MINUS } from '../../bytes.ts';

/** Bytes that a number needs at most: `-2.2250738585072014e-308` has 24. */
export const NUMBER_BYTES = 32;

/** Integers up to here go in two halves that fit 32 bits. */
const MAX_SPLIT = 1e15;
const HALF = 1e7;
const HALF_DIGITS = 7;
/** Fractions of up to so many digits are written as two integers. */
const SCALE_DIGITS = 6;
const SCALE = 1e6;
const MAX_DECIMAL = 1e9;

/** Writes a finite number as `JSON.stringify` does, from `at` on; gives the position after it. Needs `NUMBER_BYTES` of room. */
export function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  // -0 takes this way too, and is written 0.
  if ((value | 0) === value) {
    if (value >= 0) return writeDigits(bytes, at, value);
    bytes[at] = MINUS;
    if (value === -0x8000_0000) return writeText(bytes, at + 1, '2147483648');
    return writeDigits(bytes, at + 1, -value);
  }
  if (value > 0 && value < MAX_SPLIT && Math.floor(value) === value) {
    const high = Math.floor(value / HALF);
    const middle = writeDigits(bytes, at, high);
    return writePadded(bytes, middle, (value - high * HALF) | 0, HALF_DIGITS);
  }
  if (value > 0 && value < MAX_DECIMAL) {
    // At most 15 digits in all: no two such decimals are the same double, so this one is the shortest.
    const scaled = Math.round(value * SCALE);
    if (scaled / SCALE === value) return writeDecimal(bytes, at, scaled);
  }
  return writeText(bytes, at, `${value}`);
}

/** A fraction of `SCALE`, not a whole number. */
function writeDecimal(bytes: Uint8Array, at: number, scaled: number): number {
  const whole = Math.floor(scaled / SCALE);
  at = writeDigits(bytes, at, whole);
  bytes[at] = DOT;
  at = writePadded(bytes, at + 1, (scaled - whole * SCALE) | 0, SCALE_DIGITS);
  while (bytes[at - 1] === DIGIT_0) at--;
  return at;
}

/** `digits` digits, zeros in front. */
function writePadded(bytes: Uint8Array, at: number, value: number, digits: number): number {
  let left = value;
  for (let i = at + digits - 1; i >= at; i--) {
    const rest = (left / 10) | 0;
    bytes[i] = DIGIT_0 + left - rest * 10;
    left = rest;
  }
  return at + digits;
}

/** A natural number below 2^31. */
function writeDigits(bytes: Uint8Array, at: number, value: number): number {
  let left = value | 0;
  if (left < 10) {
    bytes[at] = DIGIT_0 + left;
    return at + 1;
  }
  const end = at + digitCount(left);
  let i = end;
  while (left >= 10) {
    const rest = (left / 10) | 0;
    bytes[--i] = DIGIT_0 + left - rest * 10;
    left = rest;
  }
  bytes[at] = DIGIT_0 + left;
  return end;
}

function digitCount(value: number): number {
  if (value < 100_000) {
    if (value < 1000) return value < 100 ? 2 : 3;
    return value < 10_000 ? 4 : 5;
  }
  if (value < 10_000_000) return value < 1_000_000 ? 6 : 7;
  if (value < 100_000_000) return 8;
  return value < 1_000_000_000 ? 9 : 10;
}

function writeText(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
  return at + text.length;
}
