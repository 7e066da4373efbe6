import { isFramingError } from '../../errors.ts';
import { encodeDeep } from './encode-deep.ts';
import { holdsNull, isSurelyFinite } from './non-finite.ts';
import type { EncodeRules } from './options.ts';
import { Refusal } from './refusal.ts';
import { splices } from './spliced-json.ts';

/**
 * JSON text of the member or item `key` of some object by the runtime's own `JSON.stringify`; undefined when it has none. `toJSON` gets
 * the key, so '' is a value of its own. What the runtime writes though the rules forbid it, and what it fails at, is walked again by
 * `encodeDeep`: then code of the value runs twice, and what it gave the second time counts.
 *
 * @throws Refusal, and what code of the value throws
 */
export function nativeText(value: unknown, key: string, rules: EncodeRules): string | undefined {
  // BigInts may have been given a toJSON, which the runtime would heed.
  if (rules.isRaw || (rules.writesBigints && 'toJSON' in BigInt.prototype))
    return encodeDeep(value, key, rules);
  // The object that is made around it must not convert itself.
  if (key === 'toJSON' || (key !== '' && 'toJSON' in Object.prototype)) return encodeDeep(value, key, rules);
  const before = splices.met;
  let text: string | undefined;
  try {
    text = JSON.stringify(key === '' ? value : { [key]: value });
  } catch (cause) {
    // The runtime recurses, so values from about 5,000 levels on need a walk that does not; it also knows the path of what it refuses.
    // On runtimes without JSON.rawJSON a JsonNumber throws, too.
    return encodeAgain(value, key, rules, cause);
  }
  if (splices.met !== before) return encodeDeep(value, key, rules);
  if (text === undefined) return undefined;
  if (key !== '') {
    if (text === '{}') return undefined;
    text = text.slice(JSON.stringify(key).length + 2, -1);
  }
  if (!rules.refusesNonFinite || typeof value === 'string' || !holdsNull(text) || isSurelyFinite(value))
    return text;
  return encodeDeep(value, key, rules);
}

/** The first error is the one to tell of: code of the value need not throw the same one twice. */
function encodeAgain(value: unknown, key: string, rules: EncodeRules, first: unknown): string | undefined {
  try {
    return encodeDeep(value, key, rules);
  } catch (cause) {
    throw cause instanceof Refusal || isFramingError(first) ? cause : first;
  }
}
