const BRAND = Symbol.for('linewire.McpError');
const PEER_BRAND = Symbol.for('linewire.PeerError');

/** Every code of an {@link McpError}. Match the code, never the message. */
export type McpErrorCode =
  /** An option, a tool name or an argument of this library is unusable. */
  | 'OPTION_INVALID'
  /** A tool of that name is registered already. */
  | 'TOOL_EXISTS'
  /** The schema uses a keyword or a form that the validator does not check. */
  | 'SCHEMA_UNSUPPORTED'
  /** The child could not be started, or it did not answer the handshake as a server does. */
  | 'HANDSHAKE_FAILED'
  /** The call was given up by its own signal; the peer was told. */
  | 'CANCELLED'
  /** No answer within `timeoutMs`; the peer was told. */
  | 'REQUEST_TIMEOUT'
  /** The peer ended, or the client was closed, before the answer came. */
  | 'PEER_CLOSED'
  /** The answer is not a valid JSON-RPC answer, or its result has the wrong shape. */
  | 'INVALID_RESPONSE'
  /** The answer is longer than `maxFrameBytes`. */
  | 'FRAME_TOO_LARGE';

/** What an {@link McpError} knows beside its code. */
export interface McpErrorDetails {
  readonly cause?: unknown;
  /** Exit code of a child that ended; `null` if a signal ended it. */
  readonly exitCode?: number | null | undefined;
  readonly signal?: string | null | undefined;
  /** The last bytes that the child wrote to stderr, as text. Raw: pass it through `printable` before a terminal. */
  readonly stderrTail?: string | undefined;
  /** The limit that was passed and what was met, in bytes. */
  readonly limit?: number | undefined;
  readonly actual?: number | undefined;
}

/** An error of this side: there is no number for it on the wire. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code: McpErrorCode;
  readonly exitCode: number | null | undefined;
  readonly signal: string | null | undefined;
  readonly stderrTail: string | undefined;
  readonly limit: number | undefined;
  readonly actual: number | undefined;

  constructor(code: McpErrorCode, message: string, details: McpErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    Object.defineProperty(this, BRAND, { value: true });
    this.code = code;
    this.exitCode = details.exitCode;
    this.signal = details.signal;
    this.stderrTail = details.stderrTail;
    this.limit = details.limit;
    this.actual = details.actual;
  }
}

/** True for an {@link McpError} of any copy of this package in the process. */
export function isMcpError(error: unknown): error is McpError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** The peer answered a request with a JSON-RPC error. `code` is the number of the wire. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    Object.defineProperty(this, PEER_BRAND, { value: true });
    this.code = code;
    this.data = data;
  }
}

/** True for a {@link PeerError} of any copy of this package in the process. */
export function isPeerError(error: unknown): error is PeerError {
  return typeof error === 'object' && error !== null && PEER_BRAND in error;
}
