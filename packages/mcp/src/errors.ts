const BRAND = Symbol.for('linewire.McpError');
const PEER_BRAND = Symbol.for('linewire.PeerError');

/** What every code of an {@link McpError} means. The docs are made from this. */
export const MCP_CODES = {
  OPTION_INVALID: 'an option, a tool name or an argument of this library is unusable',
  TOOL_EXISTS: 'a tool of that name is registered already',
  ALREADY_REGISTERED: 'a resource, a template or a prompt of that URI or name is registered already',
  SCHEMA_UNSUPPORTED: 'the schema uses a keyword or a form that the validator does not check',
  HANDSHAKE_FAILED: 'the server could not be started, or did not answer the handshake as a server does',
  CANCELLED: 'the call was given up by its signal, or by the client that had sent it',
  REQUEST_TIMEOUT: 'no answer came within timeoutMs (what a handler asks: inputTimeoutMs); the peer was told',
  PEER_CLOSED: 'the connection ended before the answer came',
  INVALID_RESPONSE: 'the answer is no valid JSON-RPC answer, or its result has the wrong shape',
  FRAME_TOO_LARGE: 'the answer is longer than maxFrameBytes',
  OVERLOADED: 'the peer reads so slowly that no more requests may wait to be sent',
  INPUT_REQUIRED: 'the client is asked, and the call comes again with its answer: let this rejection pass',
  CAPABILITY_MISSING: 'the client did not say that it can do what the handler asks for',
  STATE_TOO_LARGE: 'what the client has answered so far does not fit into requestState (limit maxStateBytes)',
} as const;

/** Every code of an {@link McpError}. Match the code, never the message. */
export type McpErrorCode = keyof typeof MCP_CODES;

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

const RPC_BRAND = Symbol.for('linewire.RpcError');

/**
 * What a handler throws to have its request answered with a JSON-RPC error of its own choice. Any other error of a tool is a result with
 * `isError`, and -32603 of everything else.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  /**
   * @param code - a number of `rpcCodes`, or one of your own outside -32768 … -32000.
   * @throws McpError `OPTION_INVALID` if it is no integer.
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    if (!Number.isSafeInteger(code))
      throw new McpError('OPTION_INVALID', 'The code of a JSON-RPC error must be an integer');
    Object.defineProperty(this, RPC_BRAND, { value: true });
    this.code = code;
    this.data = data;
  }
}

/** True for an {@link RpcError} of any copy of this package in the process. */
export function isRpcError(error: unknown): error is RpcError {
  return typeof error === 'object' && error !== null && RPC_BRAND in error;
}
