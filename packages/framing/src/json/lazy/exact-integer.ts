import { FramingError } from '../../errors.ts';
import { canonicalNumber } from '../../text/id.ts';

/** Most digits that are written out: `1e999999999` is short, its digits are not. */
const MAX_DIGITS = 1000;

/**
 * The integer that the text of a JSON number stands for, every digit of it; undefined when it stands for a fraction.
 *
 * @param subject - what the message says has too many digits
 * @param advice - what the message says to do instead
 * @throws FramingError `VALUE_RANGE`
 */
export function exactInteger(text: string, subject: () => string, advice: string): bigint | undefined {
  const { sign, digits, exponent } = canonicalNumber(text);
  if (digits === '') return 0n;
  if (exponent < 0) return undefined;
  const actual = digits.length + exponent;
  if (actual > MAX_DIGITS) {
    const message = `${subject()} has ${actual} digits, more than ${MAX_DIGITS}: ${advice}`;
    throw new FramingError('VALUE_RANGE', message, { limit: MAX_DIGITS, actual });
  }
  return BigInt(sign + digits + '0'.repeat(exponent));
}
