import { type IdKey, idKey, idKeyOfText } from '@linewire/framing';
import { isObject } from '../json-object.ts';
import { memberText } from './member-text.ts';

/**
 * The id that a `notifications/cancelled` names; `undefined` if it names none. Strict: `"7"` is not 7. Beyond 2^53
 * the digits come from the source text.
 */
export function cancelledKey(params: unknown, paramsText: () => string | undefined): IdKey | undefined {
  if (!isObject(params)) return undefined;
  const id = params['requestId'];
  if (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))) return idKey(id);
  if (typeof id !== 'number') return undefined;
  const source = memberText(paramsText() ?? '', ['requestId']);
  return source === undefined ? undefined : idKeyOfText(source);
}
