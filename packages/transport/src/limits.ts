import { type Limit, limitWithin } from '@linewire/framing';
import { TransportError } from './errors.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const MAX_BYTES = 2 ** 31 - 1;
const MAX_MS = 2 ** 31 - 1;

function bytes(value: number, meaning: string): Limit {
  return { default: value, min: 0, max: MAX_BYTES, unit: 'bytes', meaning };
}

function milliseconds(value: number, meaning: string): Limit {
  return { default: value, min: 0, max: MAX_MS, unit: 'ms', meaning };
}

/** Every limit of the transport package; validated at construction. The docs are made from this. */
export const limits: {
  readonly highWaterBytes: Limit;
  readonly lowWaterBytes: Limit;
  readonly reservedBytes: Limit;
  readonly maxParkedBytes: Limit;
  readonly exitFlushMs: Limit;
  readonly closeTimeoutMs: Limit;
  readonly termTimeoutMs: Limit;
  readonly exitDrainMs: Limit;
  readonly stderrTailBytes: Limit;
  readonly restartDelayMs: Limit;
  readonly restartMaxDelayMs: Limit;
  readonly restartJitterPercent: Limit;
  readonly restartResetMs: Limit;
  readonly breakerFailures: Limit;
  readonly breakerWindowMs: Limit;
} = {
  highWaterBytes: bytes(MIB, 'unsent bytes above which the outbox is full: requests are not taken'),
  lowWaterBytes: bytes(256 * KIB, 'unsent bytes at which onDrain is called after that'),
  reservedBytes: bytes(64 * KIB, 'unsent bytes of sendReserved() frames that may stand above all else'),
  maxParkedBytes: bytes(
    4 * MIB,
    'requests that wait while requests are paused; beyond, reading stops or they are refused',
  ),
  exitFlushMs: milliseconds(
    2000,
    'longest time for unsent bytes at the exit of the process and after close()',
  ),
  closeTimeoutMs: milliseconds(2000, 'time a child has after the end of its stdin, before SIGTERM'),
  termTimeoutMs: milliseconds(2000, 'time a child has after SIGTERM, before SIGKILL'),
  exitDrainMs: milliseconds(250, 'time for what a child that exited, or a peer that is gone, had sent'),
  stderrTailBytes: bytes(16 * KIB, "last bytes of a child's stderr that are kept"),
  restartDelayMs: milliseconds(
    250,
    'time before a kept child is started again; doubles with each failure in a row',
  ),
  restartMaxDelayMs: milliseconds(30_000, 'where that doubling stops, before jitter'),
  restartJitterPercent: {
    default: 20,
    min: 0,
    max: 100,
    unit: 'percent',
    meaning: 'how far chance moves that time, up or down',
  },
  restartResetMs: milliseconds(
    30_000,
    'uptime of a kept child after which its earlier failures are forgotten',
  ),
  breakerFailures: {
    default: 5,
    min: 1,
    max: 1_000_000,
    unit: 'failures',
    meaning: 'failures of a kept child within breakerWindowMs after which it is not started again',
  },
  breakerWindowMs: milliseconds(60_000, 'span in which these failures are counted'),
};

/** Name of a limit of this package. */
export type LimitName = keyof typeof limits;

/**
 * The value of a limit: the given one, or its default.
 *
 * @throws TransportError `OPTION_RANGE` when the value is no integer within the limit's range.
 */
export function limitValue(name: LimitName, given: number | undefined): number {
  return limitWithin(name, limits[name], given, (message) => new TransportError('OPTION_RANGE', message));
}

/** Time that one frame may wait in the outbox. No limit of a duplex: given per send. */
const sendTimeout: Limit = milliseconds(
  MAX_MS,
  'time after which a request that is still in the outbox is withdrawn',
);

/** The `timeoutMs` of one send. @throws TransportError `OPTION_RANGE` */
export function sendTimeoutMs(given: number): number {
  return limitWithin(
    'timeoutMs',
    sendTimeout,
    given,
    (message) => new TransportError('OPTION_RANGE', message),
  );
}

/** What may be unsent in an outbox, in bytes. */
export interface WaterMarks {
  readonly highWaterBytes: number;
  readonly lowWaterBytes: number;
  readonly reservedBytes: number;
}

/**
 * Both water marks and the reserved quota. A high water below the default low water pulls the default down; only two given values can contradict each other.
 *
 * @throws TransportError `OPTION_RANGE` when one is out of range or low is above high.
 */
export function waterMarks(options: {
  highWaterBytes?: number | undefined;
  lowWaterBytes?: number | undefined;
  reservedBytes?: number | undefined;
}): WaterMarks {
  const highWaterBytes = limitValue('highWaterBytes', options.highWaterBytes);
  const lowWaterBytes =
    options.lowWaterBytes === undefined
      ? Math.min(limits.lowWaterBytes.default, highWaterBytes)
      : limitValue('lowWaterBytes', options.lowWaterBytes);
  if (lowWaterBytes > highWaterBytes) {
    throw new TransportError(
      'OPTION_RANGE',
      `lowWaterBytes (${lowWaterBytes}) must not be above highWaterBytes (${highWaterBytes})`,
      {
        limit: highWaterBytes,
        actual: lowWaterBytes,
      },
    );
  }
  return { highWaterBytes, lowWaterBytes, reservedBytes: limitValue('reservedBytes', options.reservedBytes) };
}
