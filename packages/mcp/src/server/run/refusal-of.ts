import { isRpcError } from '../../errors.ts';
import type { RpcRefusal } from '../../wire/rpc-codes.ts';

/** The JSON-RPC error that a handler has thrown; undefined for anything else, or if it is none that could be sent. Never throws itself. */
export function refusalOf(error: unknown): RpcRefusal | undefined {
  try {
    if (!isRpcError(error)) return undefined;
    const { code, message, data } = error;
    return Number.isSafeInteger(code) && typeof message === 'string' ? { code, message, data } : undefined;
  } catch {
    return undefined;
  }
}
