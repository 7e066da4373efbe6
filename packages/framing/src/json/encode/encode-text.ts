import { encodeJson } from '../codec.ts';

/** Longest text that is looked through here; for longer ones the native encoder wins, in cold code from the start. */
const SHORT_CHARACTERS = 24;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DEL = 0x7f;

/** A string as JSON, equal to `encodeJson(text)`. Short plain ASCII costs some nanoseconds instead of 70. */
export function encodeText(text: string): string {
  if (text.length > SHORT_CHARACTERS) return encodeJson(text);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < SPACE || unit >= DEL || unit === QUOTE || unit === BACKSLASH) return encodeJson(text);
  }
  return `"${text}"`;
}
