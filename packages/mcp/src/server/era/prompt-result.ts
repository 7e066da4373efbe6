import { isObject } from '../../json-object.ts';
import { NotAToolResult } from '../run/not-a-tool-result.ts';
import type { ResultObject } from '../run/object-answers.ts';

/**
 * The result of `prompts/get` for what a handler returned.
 *
 * @throws NotAToolResult for a value that is no prompt.
 */
export function promptResult(value: unknown): ResultObject {
  if (typeof value === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: value } }] };
  if (isObject(value) && Array.isArray(value['messages'])) return value;
  throw new NotAToolResult('neither a string nor an object with a list of messages');
}
