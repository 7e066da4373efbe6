/** What every code of this package means. The docs are made from this. */
export const TRANSPORT_CODES = {
  ALREADY_STARTED: 'start() was called a second time',
  SEND_AFTER_CLOSE: 'a frame was sent after close() or end(), or after the duplex had closed',
  SEND_NOT_ONE_FRAME: 'a frame holds a newline, so the peer would see two',
  OPTION_RANGE: 'a limit is outside its range',
  OPTION_INVALID: 'an option has a value that does not exist, or two options contradict each other',
  STDIO_IN_USE: 'stdin and stdout of this process are already taken by an open duplex',
  STDIN_TAKEN: 'stdin was closed or read to its end by other code before it could be opened',
  LAUNCHER_INVALID:
    'the variable LINEWIRE_FDS does not name one open descriptor to read and another one to write',
  READ_FAILED: 'reading from the peer failed, and not because the peer went away',
  WRITE_FAILED: 'writing to the peer failed, and not because the peer went away',
  OVERLOADED: 'the peer goes on asking and does not read: the outbox is full, and so is its reserved quota',
  PEER_CLOSED: 'the peer is gone (EPIPE and its kin)',
  CONNECT_FAILED: 'no connection to the socket could be made',
  LISTEN_FAILED: 'the system refused to listen at the address',
  ABORTED: 'the signal that was given with the duplex was aborted',
  SPAWN_NOT_FOUND: 'the command was not found',
  SPAWN_CWD: 'the working directory does not exist or is no directory',
  SPAWN_FAILED: 'the system refused to start the command',
  SPAWN_REFUSED:
    'on Windows the command, an argument or the folder cannot be handed over unchanged, so nothing was started',
  BREAKER_OPEN: 'a kept child failed too often in too short a time and is not started again before reset()',
} as const;

/** Every code that this package reports or throws. */
export type TransportCode = keyof typeof TRANSPORT_CODES;

/** Numbers of an error that knows them. */
export interface TransportErrorDetails {
  /** The limit that was passed, in its unit. */
  readonly limit?: number;
  /** What was there instead, in the same unit. */
  readonly actual?: number;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('linewire.TransportError');

/** The one error class of this package. Match `code`; the message is for people. */
export class TransportError extends Error {
  override readonly name: string = 'TransportError';
  readonly code: TransportCode;
  readonly limit: number | undefined;
  readonly actual: number | undefined;

  constructor(code: TransportCode, message: string, details: TransportErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.limit = details.limit;
    this.actual = details.actual;
  }
}

/** True for a TransportError of any copy of this package (recognised by a registry symbol, not by class identity). */
export function isTransportError(value: unknown): value is TransportError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The system's error name (`EPIPE`, `ENOENT` …) of anything thrown, if it has one. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
