import { FramingError, isFramingError } from '../errors.ts';
import { asciiText, utf8Text } from '../text/decode.ts';
import { encodeDeep } from './encode-deep.ts';

/**
 * The codec seam: every JSON text that becomes a value, and every value that becomes a frame, passes here. It holds the runtime's own
 * `JSON.parse` and `JSON.stringify`; a codec that learns shapes can take their place without a change elsewhere.
 */

/** The value of a range of JSON text. `ascii`: no byte of it is above 0x7F. Throws SyntaxError like `JSON.parse`. */
export function decodeRange(bytes: Uint8Array, start: number, end: number, ascii: boolean): unknown {
  return JSON.parse(ascii ? asciiText(bytes, start, end) : utf8Text(bytes, start, end));
}

/**
 * The value of a JSON text, as `JSON.parse` gives it.
 *
 * @throws FramingError `JSON_SYNTAX`
 */
export function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FramingError('JSON_SYNTAX', cause instanceof Error ? cause.message : 'not JSON', { cause });
  }
}

/**
 * One line of JSON for a value: byte-equal to `JSON.stringify`, never a raw newline, lone surrogates escaped, any depth.
 *
 * @throws FramingError `ENCODE_REFUSED` for a cycle or a BigInt, with the path, and for a value that has no JSON (undefined, a function, a symbol).
 */
export function encodeJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    // The native encoder recurses, so values from about 5,000 levels on need one that does not; it also knows the path of what it refuses.
    return encodeAgain(value, cause);
  }
  if (text === undefined) throw new FramingError('ENCODE_REFUSED', `a ${typeof value} has no JSON form`);
  return text;
}

function encodeAgain(value: unknown, first: unknown): string {
  try {
    return encodeDeep(value);
  } catch (cause) {
    throw isFramingError(cause) ? cause : refusal(first);
  }
}

function refusal(cause: unknown): FramingError {
  const reason = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : String(cause);
  return new FramingError('ENCODE_REFUSED', `the value cannot be written as JSON: ${reason}`, { cause });
}
