import { McpError } from './errors.ts';

/** One limit: default and range, both ends allowed. */
export interface McpLimit {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit: 'bytes' | 'ms' | 'requests';
}

const MAX_BYTES = 2 ** 31 - 1;
const MAX_MS = 2 ** 31 - 1;

/** Name of a limit of this package. */
export type McpLimitName = 'maxInFlight' | 'maxParkedBytes' | 'drainTimeoutMs' | 'requestTimeoutMs';

/** The limits of this package; those of reading and writing belong to framing and transport. */
export const mcpLimits: Readonly<Record<McpLimitName, McpLimit>> = {
  /** Handlers that run at once; requests beyond wait in the parked queue. */
  maxInFlight: { default: 256, min: 1, max: 1_000_000, unit: 'requests' },
  /** Bytes of requests that wait; beyond, reading stops. */
  maxParkedBytes: { default: 4 * 1024 * 1024, min: 0, max: MAX_BYTES, unit: 'bytes' },
  /** After the end of input: time since the last answer before what still runs is given up. */
  drainTimeoutMs: { default: 10_000, min: 0, max: MAX_MS, unit: 'ms' },
  /** Client: time for one answer. */
  requestTimeoutMs: { default: 60_000, min: 0, max: MAX_MS, unit: 'ms' },
};

/**
 * The value of an option, or its default.
 *
 * @throws McpError `OPTION_INVALID` if it is no integer in the range of the limit.
 */
export function limitOf(name: McpLimitName, value: number | undefined): number {
  const { default: byDefault, min, max, unit } = mcpLimits[name];
  if (value === undefined) return byDefault;
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new McpError(
      'OPTION_INVALID',
      `${name} must be an integer from ${min} to ${max} (${unit}), not ${value}`,
    );
  }
  return value;
}
