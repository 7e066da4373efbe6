import {
  BACKSLASH,
  DIGIT_0,
  DIGIT_9,
  LOWER_A,
  LOWER_E,
  LOWER_I,
  LOWER_J,
  LOWER_M,
  LOWER_P,
  LOWER_R,
  LOWER_U,
  NON_ASCII,
} from '../bytes.ts';
import {
  MEMBER_ERROR,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../engine/forms.ts';

/** A key with every character written as a six-byte escape; a longer spelling cannot be an envelope member. */
const MAX_KEY_BYTES = 'jsonrpc'.length * 6;

/** The envelope member whose name is `bytes[start, end)` in any JSON spelling, or 0. The range is the text between the quotes. */
export function memberOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_KEY_BYTES || start === end) return 0;
  for (let i = start; i < end; i++) {
    if (bytes[i] === BACKSLASH) return escapedMember(bytes, start, end);
  }
  switch (bytes[start]) {
    case LOWER_J:
      return isText(bytes, start, end, 'jsonrpc') ? MEMBER_VERSION : 0;
    case LOWER_I:
      return isText(bytes, start, end, 'id') ? MEMBER_ID : 0;
    case LOWER_M:
      return isText(bytes, start, end, 'method') ? MEMBER_METHOD : 0;
    case LOWER_P:
      return isText(bytes, start, end, 'params') ? MEMBER_PARAMS : 0;
    case LOWER_R:
      return isText(bytes, start, end, 'result') ? MEMBER_RESULT : 0;
    case LOWER_E:
      return isText(bytes, start, end, 'error') ? MEMBER_ERROR : 0;
    default:
      return 0;
  }
}

/** True when the range spells the ASCII text `text`, byte for byte. */
function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

/** True when the range, a string that the grammar has accepted, decodes to the ASCII text `text`. */
export function isSpelling(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (isText(bytes, start, end, text)) return true;
  return end - start <= text.length * 6 && isText(decoded, 0, decodeShort(bytes, start, end), text);
}

function escapedMember(bytes: Uint8Array, start: number, end: number): number {
  return memberOf(decoded, 0, decodeShort(bytes, start, end));
}

/** What `decodeShort` decoded. Longer than any name that matters. */
const decoded = new Uint8Array(8);

/** Length of the decoded text, which is then in `decoded`; 0 when it is long, or other than ASCII, or has an escape that spells no letter. */
function decodeShort(bytes: Uint8Array, start: number, end: number): number {
  let length = 0;
  let i = start;
  while (i < end) {
    let byte = bytes[i++];
    if (byte === BACKSLASH) {
      if (bytes[i] !== LOWER_U) return 0;
      byte = hexValue(bytes, i + 1);
      i += 5;
    }
    // A backslash that was spelled by its number would be taken for an escape.
    if (byte >= NON_ASCII || byte === BACKSLASH || length === decoded.length) return 0;
    decoded[length++] = byte;
  }
  return length;
}

/** The number that four hexadecimal digits at `at` spell. */
function hexValue(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i];
    value = value * 16 + (byte <= DIGIT_9 ? byte - DIGIT_0 : (byte | 0x20) - LOWER_A + 10);
  }
  return value;
}
