import { FramingError } from './errors.ts';

/** One limit: its default and the range it may be set to, in its unit. */
export interface Limit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: 'bytes' | 'failures' | 'items' | 'levels' | 'ms' | 'percent' | 'requests' | 'subscriptions';
  readonly meaning: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Every limit of the framing package; validated at construction, counted before anything is buffered. The docs are made from this. */
export const limits: {
  readonly maxFrameBytes: Limit;
  readonly maxDepth: Limit;
  readonly maxIdBytes: Limit;
  readonly windowBytes: Limit;
} = {
  maxFrameBytes: {
    default: 64 * MIB,
    min: KIB,
    max: 2 ** 31 - 1,
    unit: 'bytes',
    meaning: 'longest frame, without its newline',
  },
  maxDepth: {
    default: 512,
    min: 1,
    max: 1_000_000,
    unit: 'levels',
    meaning: 'deepest container; the root is level 1',
  },
  maxIdBytes: {
    default: 1024,
    min: 16,
    max: 65_536,
    unit: 'bytes',
    meaning: 'longest string id, and most digits of an integer id',
  },
  windowBytes: {
    default: 256 * KIB,
    min: 4 * KIB,
    max: 16 * MIB,
    unit: 'bytes',
    meaning: 'landing window; up to the default it is shared by the readers of a thread',
  },
};

/** Name of a limit of this package. */
export type LimitName = keyof typeof limits;

/**
 * The value of a limit: the given one, or its default.
 *
 * @throws FramingError `OPTION_RANGE` when the value is no integer within the limit's range.
 */
export function limitValue(name: LimitName, given: number | undefined): number {
  return limitWithin(name, limits[name], given, (message) => new FramingError('OPTION_RANGE', message));
}

/**
 * The value of any limit: the given one, or its default. For the limits of other packages, whose errors are their own.
 *
 * @throws what `refuse` makes of the message, when the value is no integer within the limit's range.
 */
export function limitWithin(
  name: string,
  limit: Limit,
  given: number | undefined,
  refuse: (message: string) => Error,
): number {
  if (given === undefined) return limit.default;
  if (Number.isInteger(given) && given >= limit.min && given <= limit.max) return given;
  throw refuse(
    `${name} must be an integer from ${limit.min} to ${limit.max} ${limit.unit}, not ${String(given)}`,
  );
}
