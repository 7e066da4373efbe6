import { encodeJson, type IdSource } from '@linewire/framing';
import type { RpcRefusal } from './rpc-codes.ts';

// Answers are put together as text, so that the id goes back exactly as it came (`1.0`, `"\u0061"`, 40 digits)
// and the envelope costs one concatenation instead of an object and its encoding.

/** A result answer. `json` is one encoded object. */
export function resultText(idSource: IdSource, json: string): string {
  return `{"jsonrpc":"2.0","id":${idSource},"result":${json}}`;
}

/** An error answer. `data` is encoded, `undefined` leaves it out. */
export function errorText(idSource: IdSource, refusal: RpcRefusal): string {
  const data = refusal.data === undefined ? '' : `,"data":${encodeJson(refusal.data)}`;
  return `{"jsonrpc":"2.0","id":${idSource},"error":{"code":${refusal.code},"message":${encodeJson(refusal.message)}${data}}}`;
}
