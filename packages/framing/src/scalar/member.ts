import { BACKSLASH, LOWER_E, LOWER_I, LOWER_J, LOWER_M, LOWER_P, LOWER_R } from '../bytes.ts';
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
  return end - start <= text.length * 6 && unescapedAscii(bytes, start, end) === text;
}

function escapedMember(bytes: Uint8Array, start: number, end: number): number {
  const name = unescapedAscii(bytes, start, end);
  if (name === undefined) return 0;
  const plain = Uint8Array.from(name, (character) => character.charCodeAt(0));
  return memberOf(plain, 0, plain.length);
}

/** The decoded text of a short string, or undefined when it is not plain ASCII letters, digits and dots once decoded. */
function unescapedAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  const source = String.fromCharCode(...bytes.subarray(start, end));
  const text: string = JSON.parse(`"${source}"`);
  return /^[a-z0-9.]+$/.test(text) ? text : undefined;
}
