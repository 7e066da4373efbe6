import { FramingError } from '../../errors.ts';

/**
 * What the numbers of a JSON text become.
 *
 * - `double`: what `JSON.parse` makes of them.
 * - `bigint`: an integer beyond ±(2^53 − 1) that is written in digits alone is a bigint. Every other number is what it is for `double`: `-0` is
 *   -0, since no bigint is; `1.0` and `1e400` are 1 and Infinity, since a fraction or an exponent says that digits may be missing.
 * - `raw`: every number is a `JsonNumber`, which keeps it as it is written.
 */
export type NumberMode = 'double' | 'bigint' | 'raw';

/** How to decode a JSON text. */
export interface DecodeOptions {
  /** Default `double`. */
  readonly numbers?: NumberMode;
}

const MODES: readonly NumberMode[] = ['double', 'bigint', 'raw'];

/** The mode asked for, or `double`. @throws FramingError `OPTION_INVALID` */
export function numberMode(given: NumberMode | undefined): NumberMode {
  if (given === undefined) return 'double';
  if (MODES.includes(given)) return given;
  throw new FramingError(
    'OPTION_INVALID',
    `numbers must be one of ${MODES.join(', ')}, not ${String(given)}`,
  );
}
