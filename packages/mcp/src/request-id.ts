import { type IdKey, idKey } from '@linewire/framing';

/** `-12`, `1.0`, `12e3`: sign, whole digits, fraction digits, exponent of a JSON number. */
const NUMBER_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Longest integer that is expanded here; framing refuses longer ids by default. */
const MAX_DIGITS = 65_536;

/**
 * The id that a JSON text stands for: a string, a safe integer, or a bigint beyond 2^53. `undefined` for anything
 * else (fractions, null, containers), so it also judges ids inside params, which framing does not look at.
 */
export function idOfText(text: string): string | number | bigint | undefined {
  if (text.startsWith('"')) return JSON.parse(text) as string;
  const asNumber = Number(text);
  // `-0` is 0.
  if (Number.isSafeInteger(asNumber)) return exactInteger(text) === undefined ? undefined : asNumber || 0;
  return exactInteger(text);
}

/** The map key of an id text, in the key space of `FrameBatch.idKey`. */
export function keyOfText(text: string): IdKey | undefined {
  const id = idOfText(text);
  return id === undefined ? undefined : idKey(id);
}

/** The integer value of a JSON number text; `undefined` if it has a fraction or too many digits. */
function exactInteger(text: string): bigint | undefined {
  const parts = NUMBER_TEXT.exec(text);
  if (parts === null) return undefined;
  const fraction = parts[3] ?? '';
  let digits = (parts[2] ?? '') + fraction;
  const exponent = Number(parts[4] ?? '0') - fraction.length;
  if (/^0+$/.test(digits)) return 0n;
  if (exponent < 0) {
    const cut = digits.length + exponent;
    if (cut < 1 || !/^0+$/.test(digits.slice(cut))) return undefined;
    digits = digits.slice(0, cut);
  } else {
    if (digits.length + exponent > MAX_DIGITS) return undefined;
    digits += '0'.repeat(exponent);
  }
  return parts[1] === '-' ? -BigInt(digits) : BigInt(digits);
}
