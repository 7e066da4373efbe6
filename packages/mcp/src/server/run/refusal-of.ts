import { isRpcError } from '../../errors.ts';
import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';
import { URL_ELICITATION_REVISION } from '../../wire/versions.ts';
import type { Call } from './call.ts';

/**
 * The JSON-RPC error that a handler has thrown; undefined for anything else, or if it is none that could be sent. Never throws itself. A code that
 * the client's revision does not have becomes the one that says the same there.
 */
export function refusalOf(error: unknown, call: Call): RpcRefusal | undefined {
  try {
    if (!isRpcError(error)) return undefined;
    const { code, message, data } = error;
    if (!Number.isSafeInteger(code) || typeof message !== 'string') return undefined;
    return { code: codeFor(call, code), message, data };
  } catch {
    return undefined;
  }
}

function codeFor(call: Call, code: number): number {
  if (code === rpcCodes.resourceNotFound && call.modern) return rpcCodes.invalidParams;
  const isKnown =
    code !== rpcCodes.urlElicitationRequired || call.protocolVersion === URL_ELICITATION_REVISION;
  return isKnown ? code : rpcCodes.internalError;
}
