import { type Limit, limitWithin } from '@linewire/framing';
import { McpError } from './errors.ts';

const MAX_MS = 2 ** 31 - 1;

/** The limits of this package; those of reading and writing belong to framing and transport. The docs are made from this. */
export const limits: {
  readonly maxInFlight: Limit;
  readonly drainTimeoutMs: Limit;
  readonly requestTimeoutMs: Limit;
  readonly maxTotalMs: Limit;
  readonly inputTimeoutMs: Limit;
  readonly maxWaitingRequests: Limit;
  readonly maxBatchMessages: Limit;
  readonly maxBatchAnswerBytes: Limit;
  readonly maxSubscriptions: Limit;
  readonly pageSize: Limit;
  readonly stateTtlMs: Limit;
  readonly maxStateBytes: Limit;
} = {
  maxInFlight: {
    default: 1024,
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
  maxTotalMs: {
    default: 600_000,
    min: 0,
    max: MAX_MS,
    unit: 'ms',
    meaning: 'time for one answer when progress starts `requestTimeoutMs` again',
  },
  inputTimeoutMs: {
    default: 600_000,
    min: 0,
    max: MAX_MS,
    unit: 'ms',
    meaning: 'server: time for what a handler asks of a legacy client',
  },
  maxWaitingRequests: {
    default: 1024,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    meaning:
      'server: requests to the client, and ends of pages, that may wait while it reads slowly; one more fails',
  },
  maxBatchMessages: {
    default: 1024,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    meaning: 'server with `batches`: messages in one array; a longer one is refused whole',
  },
  maxBatchAnswerBytes: {
    default: 16 * 1024 * 1024,
    min: 1024,
    max: 256 * 1024 * 1024,
    unit: 'bytes',
    meaning:
      'server with `batches`: answers that wait for the rest of their arrays, in characters; one that has no room is answered -32603',
  },
  maxSubscriptions: {
    default: 1024,
    min: 1,
    max: 1_000_000,
    unit: 'subscriptions',
    meaning:
      'server: `subscriptions/listen` requests that are open at once on one connection, and URIs that a legacy client subscribed to',
  },
  pageSize: {
    default: 1000,
    min: 1,
    max: 1_000_000,
    unit: 'items',
    meaning: 'server: tools, resources, templates or prompts on one page of a list',
  },
  stateTtlMs: {
    default: 600_000,
    min: 1,
    max: MAX_MS,
    unit: 'ms',
    meaning: 'time for the client to come back with the answers to what a handler asked (modern era)',
  },
  maxStateBytes: {
    default: 65_536,
    min: 1024,
    max: 64 * 1024 * 1024,
    unit: 'bytes',
    meaning: 'requestState: the answers of all earlier rounds of one call, sealed',
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

/**
 * The value of a switch; off by default.
 *
 * @throws McpError `OPTION_INVALID` if it is no boolean.
 */
export function flagValue(name: string, given: boolean | undefined): boolean {
  if (given === undefined || typeof given === 'boolean') return given === true;
  throw new McpError('OPTION_INVALID', `${name} must be true or false, not ${String(given)}`);
}
