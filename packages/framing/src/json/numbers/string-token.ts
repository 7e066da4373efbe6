import { BACKSLASH, QUOTE, SPACE } from '../../bytes.ts';

/**
 * Longest piece that `slice` copies. A longer one is a view of the whole text in V8, and would keep it in memory.
 */
const COPIED_CHARACTERS = 12;

/**
 * Position after the string whose opening quote is at `start`; negative when it has escapes, 0 when it does not end or has a control
 * character. Escapes are passed over: `stringOf` checks them.
 */
export function stringEnd(text: string, start: number): number {
  let hasEscapes = false;
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return hasEscapes ? -(at + 1) : at + 1;
    if (unit < SPACE) return 0;
    if (unit === BACKSLASH) {
      hasEscapes = true;
      at++;
    }
  }
  return 0;
}

/** The string from `start` to `signedEnd`, which `stringEnd` has returned. @throws SyntaxError for a bad escape */
export function stringOf(text: string, start: number, signedEnd: number): string {
  if (signedEnd < 0) return JSON.parse(text.slice(start, -signedEnd));
  return ownText(text, start + 1, signedEnd - 1);
}

/** A piece of the text without quotes, backslashes and control characters, in memory of its own. */
export function ownText(text: string, start: number, end: number): string {
  const length = end - start;
  if (length <= COPIED_CHARACTERS) return text.slice(start, end);
  // Two copies joined cost less than one by the native decoder, and most names and numbers are no longer.
  if (length <= 2 * COPIED_CHARACTERS) {
    const middle = start + COPIED_CHARACTERS;
    return text.slice(start, middle) + text.slice(middle, end);
  }
  return JSON.parse(`"${text.slice(start, end)}"`);
}
