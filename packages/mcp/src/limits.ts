import { type Limit, limitWithin } from '@linewire/framing';
import { McpError } from './errors.ts';

const MAX_MS = 2 ** 31 - 1;

/** The limits of this package; those of reading and writing belong to framing and transport. The docs are made from this. */
export const limits: {
  readonly maxInFlight: Limit;
  readonly drainTimeoutMs: Limit;
  readonly requestTimeoutMs: Limit;
} = {
  maxInFlight: {
    default: 256,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    meaning:
      'handlers that run at once; requests beyond wait in the parked queue (transport: maxParkedBytes)',
  },
  drainTimeoutMs: {
    default: 10_000,
    min: 0,
    max: MAX_MS,
    unit: 'ms',
    meaning: 'after the end of input: time since the last answer before what still runs is given up',
  },
  requestTimeoutMs: {
    default: 60_000,
    min: 0,
    max: MAX_MS,
    unit: 'ms',
    meaning: 'client: time for one answer',
  },
};

/** Name of a limit of this package. */
export type LimitName = keyof typeof limits;

/**
 * The value of an option, or its default.
 *
 * @throws McpError `OPTION_INVALID` if it is no integer in the range of the limit.
 */
export function limitValue(name: LimitName, given: number | undefined): number {
  return limitWithin(name, limits[name], given, (message) => new McpError('OPTION_INVALID', message));
}
