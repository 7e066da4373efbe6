import { encodeJson, idOfText } from '@linewire/framing';
import { memberText } from './member-text.ts';

/** The token is there but is neither a string nor an integer. */
export const BAD_TOKEN: unique symbol = Symbol('bad progress token');

/**
 * The progress token of a request as the text to be echoed; `undefined` if none was given. Presence counts, not
 * truth: 0 and "" are tokens. Beyond 2^53 the digits are taken from the source text, a double has lost them.
 *
 * @param paramsText - gives the source text of the params; called only for such a number.
 */
export function progressTokenText(
  meta: Readonly<Record<string, unknown>>,
  paramsText: () => string | undefined,
): string | undefined | typeof BAD_TOKEN {
  const token = meta['progressToken'];
  if (token === undefined) return undefined;
  if (typeof token === 'string') return encodeJson(token);
  if (typeof token !== 'number') return BAD_TOKEN;
  if (Number.isSafeInteger(token)) return String(token);
  const source = memberText(paramsText() ?? '', ['_meta', 'progressToken']);
  return source !== undefined && idOfText(source) !== undefined ? source : BAD_TOKEN;
}
