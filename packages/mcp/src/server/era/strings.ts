import { isObject } from '../../json-object.ts';

/**
 * An object of strings as the wire has it for arguments of prompts and variables of templates, as a copy without a prototype; empty if it is missing,
 * `undefined` if it is something else.
 */
export function stringsOf(value: unknown): Record<string, string> | undefined {
  const strings: Record<string, string> = Object.create(null) as Record<string, string>;
  if (value === undefined || value === null) return strings;
  if (!isObject(value)) return undefined;
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string') return undefined;
    strings[name] = one;
  }
  return strings;
}
