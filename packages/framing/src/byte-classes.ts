import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  LF,
  LOWER_B,
  LOWER_F,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  LOWER_U,
  NON_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SLASH,
  SPACE,
} from './bytes.ts';

/** Classes inside a JSON string: 0 is plain text, everything else needs a decision. */
export const IN_QUOTE = 1;
export const IN_BACKSLASH = 2;
export const IN_CONTROL = 3;
const IN_NON_ASCII = 4;

/** One class per byte value, for the inner loop over string content. Newline is a control byte, so the loop stops at the end of a frame. */
export const STRING_CLASS: Uint8Array = stringClasses();

function stringClasses(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(IN_CONTROL, 0, SPACE);
  table.fill(IN_NON_ASCII, NON_ASCII);
  table[QUOTE] = IN_QUOTE;
  table[BACKSLASH] = IN_BACKSLASH;
  return table;
}

/** Classes outside strings when only structure counts (nested values under `validate: 'envelope'`). */
export const OUT_QUOTE = 1;
export const OUT_OPEN = 2;
export const OUT_CLOSE = 3;
export const OUT_NEWLINE = 4;
const OUT_NON_ASCII = 5;

/** One class per byte value, for skimming nested structure: brackets, quotes, the newline, and bytes that UTF-8 has a say in. */
export const SKIM_CLASS: Uint8Array = skimClasses();

function skimClasses(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(OUT_NON_ASCII, NON_ASCII);
  table[QUOTE] = OUT_QUOTE;
  table[OPEN_BRACE] = OUT_OPEN;
  table[OPEN_BRACKET] = OUT_OPEN;
  table[CLOSE_BRACE] = OUT_CLOSE;
  table[CLOSE_BRACKET] = OUT_CLOSE;
  table[LF] = OUT_NEWLINE;
  return table;
}

/** 1 for hexadecimal digits. */
export const IS_HEX: Uint8Array = hexDigits();

function hexDigits(): Uint8Array {
  const table = new Uint8Array(256);
  for (const digit of '0123456789abcdefABCDEF') table[digit.charCodeAt(0)] = 1;
  return table;
}

/** 1 for the letters that may follow a backslash in a JSON string, 2 for the `u` that opens four hexadecimal digits. */
export const ESCAPE_CLASS: Uint8Array = escapeClasses();

function escapeClasses(): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of [QUOTE, BACKSLASH, SLASH, LOWER_B, LOWER_F, LOWER_N, LOWER_R, LOWER_T]) table[byte] = 1;
  table[LOWER_U] = 2;
  return table;
}
