/**
 * Numbers that may stand in `error.code` on the wire. Application codes of one's own belong outside
 * -32768 … -32000; errors that are raised on this side without a wire (time-outs, a dead peer) have no number
 * and are an `McpError`.
 */
export const rpcCodes = {
  /** Text that is not JSON. Kept for peers that send it; linewire stays silent on such a line. */
  parseError: -32700,
  /** JSON with a usable id that is no valid request; also a duplicate id in flight and a frame over the limit. */
  invalidRequest: -32600,
  /** Unknown method, or one whose capability is not advertised. */
  methodNotFound: -32601,
  /** Malformed params, unknown tool, missing or malformed envelope key, a request before the handshake. */
  invalidParams: -32602,
  /** Anything unexpected, among it the end of the server with the request still running. */
  internalError: -32603,
  /** Legacy only, understood as a client, sent only if a handler throws it. */
  resourceNotFound: -32002,
  /** 2025-11-25 only, thrown by handlers: the user has to visit the pages in `data.elicitations` before the call can go on. */
  urlElicitationRequired: -32042,
  /** The request needs a capability that its envelope does not list. */
  missingClientCapability: -32021,
  /** The envelope names a version that the server does not speak; `data.supported` lists the others. */
  unsupportedVersion: -32022,
} as const;

/** A refusal that goes out as a JSON-RPC error. */
export interface RpcRefusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}
