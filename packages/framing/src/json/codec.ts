import { FramingError, isFramingError } from '../errors.ts';
import { asciiText, utf8Text } from '../text/decode.ts';
import { encodeDeep } from './encode-deep.ts';
import { decodeNumbers } from './numbers/decode-numbers.ts';
import {
  type DecodeOptions,
  type EncodeOptions,
  type NumberMode,
  numberMode,
} from './numbers/number-mode.ts';

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
 * written as its text; the one exception is a `JsonNumber` that a `toJSON` of one's own returns without `numbers: 'raw'`, which
 * `JSON.stringify` takes for any other object.
 *
 * @throws FramingError `ENCODE_REFUSED` for a cycle or (without `numbers`) a BigInt, with the path, and for a value that has no JSON
 *   (undefined, a function, a symbol).
 */
export function encodeJson(value: unknown, options?: EncodeOptions): string {
  const numbers = numberMode(options?.numbers);
  const writesBigints = numbers !== 'double';
  // A program may have given BigInt a toJSON, which the native encoder would heed.
  if (numbers === 'raw' || (writesBigints && 'toJSON' in BigInt.prototype)) {
    return encodeExactly(value, writesBigints);
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    // The native encoder recurses, so values from about 5,000 levels on need one that does not; it also knows the path of what it refuses.
    // On runtimes without JSON.rawJSON a JsonNumber throws, too.
    return encodeExactly(value, writesBigints, cause);
  }
  if (text === undefined) throw withoutJson(value);
  return text;
}

/** `first`: why the native encoder gave up, when it was asked before. */
function encodeExactly(value: unknown, writesBigints: boolean, first?: unknown): string {
  let text: string | undefined;
  try {
    text = encodeDeep(value, writesBigints);
  } catch (cause) {
    throw isFramingError(cause) ? cause : refusal(first ?? cause);
  }
  if (text === undefined) throw withoutJson(value);
  return text;
}

function withoutJson(value: unknown): FramingError {
  return new FramingError('ENCODE_REFUSED', `a ${typeof value} has no JSON form`);
}

function refusal(cause: unknown): FramingError {
  const reason = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : String(cause);
  return new FramingError('ENCODE_REFUSED', `the value cannot be written as JSON: ${reason}`, { cause });
}
