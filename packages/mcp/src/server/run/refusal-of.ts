import { isRpcError } from '../../errors.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';

/**
 * The JSON-RPC error that a handler has thrown; undefined for anything else, or if it is none that could be sent. Never throws itself. A code that a
 * modern server must not send becomes the one that says the same there.
 */
export function refusalOf(error: unknown, modern: boolean): RpcRefusal | undefined {
  try {
    if (!isRpcError(error)) return undefined;
    const { code, message, data } = error;
    if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined;
    return { code: modern ? (MODERN_CODES.get(code) ?? code) : code, message, data };
  } catch {
    return undefined;
  }
}

/** Codes of older revisions only. */
const MODERN_CODES: ReadonlyMap<number, number> = new Map([
  [rpcCodes.resourceNotFound, rpcCodes.invalidParams],
  [rpcCodes.urlElicitationRequired, rpcCodes.internalError],
]);
