import { LF } from '../bytes.ts';
import { FramingError } from '../errors.ts';
import { SplicedJson } from '../json/encode/spliced-json.ts';
import { LazyValue } from '../json/lazy/lazy-value.ts';
import { lazyJson } from './lazy-json.ts';

/**
 * JSON that is encoded already, as a value for `encodeJson` and `JsonEncoder`: they write its bytes as they are. Looked through once, in
 * full, and copied: the given bytes and the batch of a lazy value may go afterwards.
 *
 * @param json - one JSON text in UTF-8 without a newline, white space allowed; or a lazy value
 * @throws FramingError `JSON_SYNTAX`, `FRAME_UTF8` or `JSON_DEPTH` with the offset, `ENCODE_REFUSED` for a newline, `VIEW_RELEASED` for a lazy
 * value whose batch is over
 */
export function jsonBytes(json: Uint8Array | LazyValue): SplicedJson {
  const bytes = json instanceof LazyValue ? json.rawBytes() : new Uint8Array(json);
  lazyJson(bytes);
  // Only between tokens: inside a string the grammar forbids it.
  const newline = bytes.indexOf(LF);
  if (newline < 0) return new SplicedJson(bytes);
  throw new FramingError(
    'ENCODE_REFUSED',
    `encoded JSON must be one line: there is a newline at byte ${newline}`,
    {
      offset: newline,
    },
  );
}
