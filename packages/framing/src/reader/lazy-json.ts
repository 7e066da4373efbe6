import { CR, LF } from '../bytes.ts';
import { FramingError } from '../errors.ts';
import { LazySource } from '../json/lazy/lazy-source.ts';
import { type LazyValue, lazyRange } from '../json/lazy/lazy-value.ts';
import { limits } from '../limits.ts';
import { findFault } from './find-fault.ts';

/**
 * A JSON text of one's own as a lazy value. The whole text is checked first, as `JSON.parse` would, and for UTF-8. Borrowed without an
 * end: the bytes must stay as they are as long as the value is used.
 *
 * @param bytes - one JSON text in UTF-8, white space and newlines around and in it as JSON allows
 * @throws FramingError `JSON_SYNTAX`, `FRAME_UTF8` or `JSON_DEPTH` (over 1,000,000 levels) with the offset
 */
export function lazyJson(bytes: Uint8Array): LazyValue {
  const fault = findFault(withoutNewlines(bytes), {
    envelope: 'none',
    validate: 'full',
    utf8: 'strict',
    duplicates: 'last',
    maxFrameBytes: limits.maxFrameBytes.max,
    maxDepth: limits.maxDepth.max,
    maxIdBytes: limits.maxIdBytes.default,
    windowBytes: limits.windowBytes.default,
  });
  const value = lazyRange(new LazySource(bytes, 0), 0, bytes.length);
  if (fault === undefined) {
    // White space alone is no fault in a frame, but no value either.
    void value.kind;
    return value;
  }
  const { code, offset } = fault;
  const named = code === 'FRAME_UTF8' || code === 'JSON_DEPTH' ? code : 'JSON_SYNTAX';
  throw new FramingError(named, `no JSON text: ${code} at byte ${offset}`, { offset });
}

/** The grammar that is borrowed for the check is one of lines. A CR is as white outside strings, and as illegal in them, as a newline. */
function withoutNewlines(bytes: Uint8Array): Uint8Array {
  let at = bytes.indexOf(LF);
  if (at < 0) return bytes;
  const copy = new Uint8Array(bytes);
  for (; at >= 0; at = copy.indexOf(LF, at + 1)) copy[at] = CR;
  return copy;
}
