import { FramingError } from '../../errors.ts';
import { type NumberMode, numberMode } from '../numbers/number-mode.ts';

/** How to write a value as JSON. */
export interface EncodeOptions {
  /**
   * `double` (default): a BigInt is refused, since most peers read doubles and would change it unnoticed. `bigint` and `raw`: it is written as
   * its digits. A `JsonNumber` is written as its text whatever this says; where most of a value is such numbers, `raw` is the fastest.
   */
  readonly numbers?: NumberMode;
  /**
   * What becomes of NaN and the infinities, which JSON cannot say. `refuse` (default): `ENCODE_REFUSED` with the path. `null`: they are
   * written as `null`, as `JSON.stringify` does.
   */
  readonly nonFinite?: 'refuse' | 'null';
}

/** What the options ask for. */
export interface EncodeRules {
  /** NaN and the infinities are refused. */
  readonly refusesNonFinite: boolean;
  /** BigInts are written as their digits, whatever `toJSON` a program has given them. */
  readonly writesBigints: boolean;
  /** Most numbers are `JsonNumber`, which the runtime's own encoder is slow at. */
  readonly isRaw: boolean;
}

const DEFAULTS: EncodeRules = { refusesNonFinite: true, writesBigints: false, isRaw: false };

/** @throws FramingError `OPTION_INVALID` */
export function encodeRules(options: EncodeOptions | undefined): EncodeRules {
  if (options === undefined) return DEFAULTS;
  const numbers = numberMode(options.numbers);
  const { nonFinite = 'refuse' } = options;
  if (nonFinite !== 'refuse' && nonFinite !== 'null')
    throw new FramingError('OPTION_INVALID', `nonFinite is "refuse" or "null", not ${String(nonFinite)}`);
  return {
    refusesNonFinite: nonFinite === 'refuse',
    writesBigints: numbers !== 'double',
    isRaw: numbers === 'raw',
  };
}
