import { DIGIT_0 } from '../bytes.ts';
import { limits } from '../limits.ts';

/** A JSON-RPC id as a value: integers that a double holds exactly are numbers, larger ones bigints. */
export type RpcId = string | number | bigint;

/**
 * An id as a map key: equal exactly when two ids are the same id. Safe integers are themselves; strings are their text after a
 * quotation mark; other integers their canonical digits and exponent after an `n`. So `1`, `1.0` and `1e0` are one key, `"1"` another.
 */
export type IdKey = string | number;

/**
 * An id to be echoed, at the least cost: natural numbers up to 2^53 − 1 that are written as usual are the number, all others their source text. So
 * `${source}` is the id exactly as it came.
 */
export type IdSource = string | number;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Map key of an id.
 *
 * @param id - a string, a safe integer or a bigint
 */
export function idKey(id: RpcId): IdKey {
  if (typeof id === 'string') return `"${id}`;
  return typeof id === 'bigint' ? integerKey(String(id)) : id;
}

/**
 * The id that any JSON text stands for, also one that no scanner has looked at: a string, a safe integer, or a bigint beyond 2^53.
 * undefined for everything else (a fraction, null, a container), and for an integer of more than 65,536 digits.
 */
export function idOfText(text: string): RpcId | undefined {
  if (text.startsWith('"')) return stringValue(text);
  if (!NUMBER.test(text)) return undefined;
  const { digits, exponent } = canonicalNumber(text);
  const isInteger = digits === '' || (exponent >= 0 && digits.length + exponent <= limits.maxIdBytes.max);
  return isInteger ? sourceIdValue(text) : undefined;
}

/** Map key of `idOfText(text)`; undefined where that is. */
export function idKeyOfText(text: string): IdKey | undefined {
  const id = idOfText(text);
  return id === undefined ? undefined : idKey(id);
}

/** Map key of an id that a batch gave. */
export function idKeyOfSource(source: IdSource): IdKey {
  return typeof source === 'number' ? source : sourceIdKey(source);
}

/** Value of an id that a batch gave. */
export function idOfSource(source: IdSource): RpcId {
  return typeof source === 'number' ? source : sourceIdValue(source);
}

/** Map key of an id's source text, which the scanner has found usable. */
export function sourceIdKey(text: string): IdKey {
  if (text.startsWith('"')) return `"${stringValue(text)}`;
  return integerKey(text);
}

/** Value of an id's source text, which the scanner has found usable. Bigints are expanded here: at most `maxIdBytes` digits. */
export function sourceIdValue(text: string): RpcId {
  if (text.startsWith('"')) return stringValue(text);
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const { sign, digits, exponent } = canonicalNumber(text);
  return BigInt(sign + digits + '0'.repeat(exponent));
}

function stringValue(text: string): string {
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}

/** Never expanded: `1e999999999` costs what its spelling costs. */
function integerKey(text: string): IdKey {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const { sign, digits, exponent } = canonicalNumber(text);
  return `n${sign}${digits}e${exponent}`;
}

/** A number as digits and a power of ten. */
export interface CanonicalInteger {
  readonly sign: string;
  /** Significant digits: no zero at either end. */
  readonly digits: string;
  /** Zeros to append. */
  readonly exponent: number;
}

/** A JSON number in that form; an integer when the exponent is not negative. Linear, by hand: a pattern such as `/0+$/` takes quadratic time on zeros that stand in the middle, and a peer may send millions. */
export function canonicalNumber(text: string): CanonicalInteger {
  const sign = text.startsWith('-') ? '-' : '';
  const mark = Math.max(text.indexOf('e'), text.indexOf('E'));
  const mantissa = text.slice(sign.length, mark < 0 ? text.length : mark);
  const point = mantissa.indexOf('.');
  const fractionDigits = point < 0 ? 0 : mantissa.length - point - 1;
  const all = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let start = 0;
  while (all.charCodeAt(start) === DIGIT_0) start++;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === DIGIT_0) end--;
  const exponent = mark < 0 ? 0 : Number(text.slice(mark + 1));
  return { sign, digits: all.slice(start, end), exponent: exponent - fractionDigits + all.length - end };
}
