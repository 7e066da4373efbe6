import { FramingError, isFramingError } from '../errors.ts';
import { asciiText, utf8Text } from '../text/decode.ts';
import { nativeText } from './encode/native-text.ts';
import { type EncodeOptions, encodeRules } from './encode/options.ts';
import { encodeError, noJson } from './encode/refusal.ts';
import { decodeNumbers } from './numbers/decode-numbers.ts';
import { type DecodeOptions, type NumberMode, numberMode } from './numbers/number-mode.ts';

/**
 * The codec seam: every JSON text that becomes a value, and every value that becomes a frame, passes here. It holds the runtime's own
 * `JSON.parse` and `JSON.stringify`; a codec that learns shapes can take their place without a change elsewhere.
 */

/** The value of a range of JSON text. `ascii`: no byte of it is above 0x7F. Throws SyntaxError like `JSON.parse`. */
export function decodeRange(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
  return JSON.parse(ascii ? asciiText(bytes, start, end) : utf8Text(bytes, start, end));
}

/** As `decodeRange`, with numbers of a mode. Throws also FramingError `VALUE_RANGE`, under `bigint`. */
export function decodeRangeAs(
  bytes: Uint8Array,
  start: number,
  end: number,
  ascii: boolean,
  numbers: NumberMode,
): unknown {
  if (numbers === 'double') return decodeRange(bytes, start, end, ascii);
  return decodeNumbers(ascii ? asciiText(bytes, start, end) : utf8Text(bytes, start, end), numbers);
}

/**
 * The value of a JSON text, as `JSON.parse` gives it, with numbers in the form asked for.
 *
 * @throws FramingError `JSON_SYNTAX`; `VALUE_RANGE`, with the path, for an integer of more than 1,000 digits under `bigint`
 */
export function decodeJson(text: string, options?: DecodeOptions): unknown {
  const numbers = numberMode(options?.numbers);
  try {
    return numbers === 'double' ? JSON.parse(text) : decodeNumbers(text, numbers);
  } catch (cause) {
    if (isFramingError(cause)) throw cause;
    throw new FramingError('JSON_SYNTAX', cause instanceof Error ? cause.message : 'not JSON', { cause });
  }
}

/**
 * One line of JSON for a value: byte-equal to `JSON.stringify`, never a raw newline, lone surrogates escaped, any depth. A `JsonNumber` is
 * written as its text, and what `jsonBytes` made as its bytes; the one exception is a `JsonNumber` that a `toJSON` of one's own returns
 * without `numbers: 'raw'`, which `JSON.stringify` takes for any other object.
 *
 * Getters and `toJSON` of the value run as `JSON.stringify` runs them, and once more: when the text holds `null`, which may have been a NaN;
 * when the value holds splices, is nested too deep for the runtime, or is refused. What they give the second time may be what is written.
 *
 * @throws FramingError `ENCODE_REFUSED` for a cycle, (without `numbers`) a BigInt, and (without `nonFinite`) NaN or an infinity, with the path;
 *   for a value that has no JSON (undefined, a function, a symbol); for what code of the value throws, as its `cause`. `OPTION_INVALID`
 */
export function encodeJson(value: unknown, options?: EncodeOptions): string {
  const rules = encodeRules(options);
  let text: string | undefined;
  try {
    text = nativeText(value, '', rules);
  } catch (thrown) {
    throw encodeError(thrown);
  }
  if (text === undefined) throw noJson(value);
  return text;
}
