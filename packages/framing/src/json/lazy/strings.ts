import {
  ESCAPE_CLASS,
  IN_BACKSLASH,
  IN_CONTROL,
  IN_QUOTE,
  IS_HEX,
  STRING_CLASS,
} from '../../byte-classes.ts';
import { QUOTE } from '../../bytes.ts';
import { utf8Text } from '../../text/decode.ts';
import { firstOdd, oddBytes, stopBytes, WORD_BYTES } from '../../text/plain-text.ts';
import { repeatedText } from '../../text/repeated-text.ts';
import type { LazySource } from './lazy-source.ts';
import { syntaxFault } from './syntax-fault.ts';

const HEX_DIGITS = 4;

/** Position after the closing quote of a string that is passed over: escapes are not looked into. `from` is after the opening quote. */
export function skippedStringEnd(source: LazySource, bytes: Uint8Array, from: number, end: number): number {
  const { words } = source;
  // Words may reach beyond the value, not beyond the bytes.
  const lastWord = bytes.length - WORD_BYTES;
  let i = from;
  while (i < end) {
    while (i <= lastWord) {
      const stops = stopBytes(words.getInt32(i, true));
      if (stops !== 0) {
        i += firstOdd(stops);
        break;
      }
      i += WORD_BYTES;
    }
    if (i >= end) break;
    const what = STRING_CLASS[bytes[i]];
    if (what === IN_QUOTE) return i + 1;
    if (what === IN_CONTROL) throw syntaxFault(source, i);
    i += what === IN_BACKSLASH ? 2 : 1;
  }
  throw syntaxFault(source, end);
}

/**
 * Position after the closing quote of a string that is read, every rule checked; negative when it is anything but plain ASCII.
 * `start` is where the opening quote must be.
 */
export function stringEnd(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || bytes[start] !== QUOTE) throw syntaxFault(source, start);
  const { words } = source;
  const lastWord = bytes.length - WORD_BYTES;
  let i = start + 1;
  while (i <= lastWord) {
    const odd = oddBytes(words.getInt32(i, true));
    if (odd !== 0) {
      i += firstOdd(odd);
      return i < end && bytes[i] === QUOTE ? i + 1 : oddStringEnd(source, bytes, i, end);
    }
    i += WORD_BYTES;
  }
  return oddStringEnd(source, bytes, i, end);
}

/** As `stringEnd`, from a position on up to which all is plain. */
function oddStringEnd(source: LazySource, bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  let isPlain = true;
  while (i < end) {
    const what = STRING_CLASS[bytes[i]];
    if (what === 0) {
      i++;
    } else if (what === IN_QUOTE) {
      return isPlain ? i + 1 : -(i + 1);
    } else if (what === IN_CONTROL) {
      throw syntaxFault(source, i);
    } else {
      isPlain = false;
      i = what === IN_BACKSLASH ? escapeEnd(source, bytes, i, end) : i + 1;
    }
  }
  throw syntaxFault(source, end);
}

function escapeEnd(source: LazySource, bytes: Uint8Array, start: number, end: number): number {
  const letter = start + 1;
  const what = letter < end ? ESCAPE_CLASS[bytes[letter]] : 0;
  if (what === 0) throw syntaxFault(source, letter);
  if (what === 1) return letter + 1;
  const digitsEnd = letter + 1 + HEX_DIGITS;
  for (let i = letter + 1; i < digitsEnd; i++) {
    if (i >= end || IS_HEX[bytes[i]] === 0) throw syntaxFault(source, i);
  }
  return digitsEnd;
}

/** Text of the string from `start` (opening quote) to `signedEnd`, which `stringEnd` has returned. */
export function stringText(source: LazySource, bytes: Uint8Array, start: number, signedEnd: number): string {
  if (signedEnd > 0) return repeatedText(source.words, bytes, start + 1, signedEnd - 1);
  const text = utf8Text(bytes, start + 1, -signedEnd - 1);
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}

/** Most bytes that one UTF-16 code unit takes in a JSON string: as an escape. */
const UNIT_BYTES = 6;

/** The string from `start` to `signedEnd` (see `stringText`) is `name`. Makes a string only when it is not plain ASCII and may be equal. */
export function isName(
  source: LazySource,
  bytes: Uint8Array,
  start: number,
  signedEnd: number,
  name: string,
): boolean {
  const length = Math.abs(signedEnd) - start - 2;
  if (signedEnd < 0) {
    if (name.length > length || name.length * UNIT_BYTES < length) return false;
    return stringText(source, bytes, start, signedEnd) === name;
  }
  if (name.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (name.charCodeAt(i) !== bytes[start + 1 + i]) return false;
  }
  return true;
}
