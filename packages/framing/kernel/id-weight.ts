import { DIGIT_0, DOT, LOWER_E, MINUS, PLUS } from '../src/bytes.ts';
import { ID_INTEGER, ID_INTEGER_SPELLED, ID_UNUSABLE } from '../src/table/meta.ts';
import { idNumber } from './state.ts';

/** An exponent beyond this is as good as infinite: no id has that many digits. */
const HUGE_EXPONENT: i64 = 1 << 40;

/*
 * Weighs the number of an id byte by byte, without ever expanding it: `1.0` and `1e0` are the integer 1, `1.5` is none, `1e999999999` has
 * too many digits.
 */

export function resetIdNumber(): void {
  idNumber.digits = 0;
  idNumber.firstNonZero = -1;
  idNumber.lastNonZero = -1;
  idNumber.point = -1;
  idNumber.exponent = 0;
  idNumber.negativeExponent = false;
  idNumber.inExponent = false;
  idNumber.plain = true;
}

/** Takes the next byte of a number that the grammar has accepted. */
export function weighIdByte(byte: i32): void {
  if (byte == MINUS) {
    idNumber.negativeExponent = idNumber.inExponent;
  } else if (byte == DOT) {
    idNumber.point = idNumber.digits;
    idNumber.plain = false;
  } else if ((byte | 0x20) == LOWER_E) {
    idNumber.inExponent = true;
    idNumber.plain = false;
  } else if (byte != PLUS) {
    weighDigit(byte - DIGIT_0);
  }
}

function weighDigit(digit: i32): void {
  if (idNumber.inExponent) {
    idNumber.exponent = min(idNumber.exponent * 10 + digit, HUGE_EXPONENT);
    return;
  }
  if (digit != 0) {
    if (idNumber.firstNonZero < 0) idNumber.firstNonZero = idNumber.digits;
    idNumber.lastNonZero = idNumber.digits;
  }
  idNumber.digits++;
}

/** The id form of the whole number. */
export function idNumberForm(maxDigits: i32): i32 {
  if (idNumber.firstNonZero >= 0) {
    const exponent = idNumber.negativeExponent ? -idNumber.exponent : idNumber.exponent;
    const integerDigits = (idNumber.point < 0 ? idNumber.digits : idNumber.point) + exponent;
    const isInteger = idNumber.lastNonZero < integerDigits;
    if (!isInteger || integerDigits - idNumber.firstNonZero > maxDigits) return ID_UNUSABLE;
  }
  return idNumber.plain ? ID_INTEGER : ID_INTEGER_SPELLED;
}
