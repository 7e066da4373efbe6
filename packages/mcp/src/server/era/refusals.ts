import { type RpcRefusal, rpcCodes } from '../../wire/rpc-codes.ts';

/** The refusals that several methods share. */
export function invalidParams(problem: string): RpcRefusal {
  return { code: rpcCodes.invalidParams, message: `Invalid params: ${problem}` };
}

/** For a method that is unknown, or not of this era, or of a kind that the server does not offer. */
export function methodNotFound(method: string): RpcRefusal {
  return { code: rpcCodes.methodNotFound, message: `Method not found: ${method}` };
}

/** In every era. */
export function resourceNotFound(uri: string): RpcRefusal {
  return { code: rpcCodes.invalidParams, message: `Resource not found: ${uri}`, data: { uri } };
}

export const BAD_TOKEN_REFUSAL: RpcRefusal = invalidParams(
  '_meta progressToken must be a string or an integer',
);
