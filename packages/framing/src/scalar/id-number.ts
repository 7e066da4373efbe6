import { DIGIT_0, DOT, LOWER_E, MINUS, PLUS, UPPER_E } from '../bytes.ts';
import { ID_INTEGER, ID_INTEGER_SPELLED, ID_UNUSABLE } from '../table/meta.ts';

/** An exponent beyond this is as good as infinite: no id has that many digits. Keeps the sum exact in a double. */
const HUGE_EXPONENT = 2 ** 40;

/**
 * Weighs the number of an `id` byte by byte, in constant memory, without ever expanding it: `1.0` and `1e0` are the integer 1,
 * `1.5` is none, `1e999999999` is an integer with too many digits.
 */
export class IdNumber {
  #digits = 0;
  #firstNonZero = -1;
  #lastNonZero = -1;
  #point = -1;
  #exponent = 0;
  #negativeExponent = false;
  #inExponent = false;
  #plain = true;

  reset(): void {
    this.#digits = 0;
    this.#firstNonZero = -1;
    this.#lastNonZero = -1;
    this.#point = -1;
    this.#exponent = 0;
    this.#negativeExponent = false;
    this.#inExponent = false;
    this.#plain = true;
  }

  /** Takes the next byte of a number that the grammar has accepted. */
  take(byte: number): void {
    if (byte === MINUS) {
      this.#negativeExponent = this.#inExponent;
    } else if (byte === DOT) {
      this.#point = this.#digits;
      this.#plain = false;
    } else if (byte === LOWER_E || byte === UPPER_E) {
      this.#inExponent = true;
      this.#plain = false;
    } else if (byte !== PLUS) {
      this.#takeDigit(byte - DIGIT_0);
    }
  }

  /** The id form of the whole number. */
  form(maxDigits: number): number {
    if (this.#firstNonZero >= 0) {
      const exponent = this.#negativeExponent ? -this.#exponent : this.#exponent;
      const integerDigits = (this.#point < 0 ? this.#digits : this.#point) + exponent;
      const isInteger = this.#lastNonZero < integerDigits;
      if (!isInteger || integerDigits - this.#firstNonZero > maxDigits) return ID_UNUSABLE;
    }
    return this.#plain ? ID_INTEGER : ID_INTEGER_SPELLED;
  }

  #takeDigit(digit: number): void {
    if (this.#inExponent) {
      this.#exponent = Math.min(this.#exponent * 10 + digit, HUGE_EXPONENT);
      return;
    }
    if (digit !== 0) {
      if (this.#firstNonZero < 0) this.#firstNonZero = this.#digits;
      this.#lastNonZero = this.#digits;
    }
    this.#digits++;
  }
}
