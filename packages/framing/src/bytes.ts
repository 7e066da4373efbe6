/** Byte values of the JSON and NDJSON grammar. The framer works on bytes; no bare number stands for a character elsewhere. */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
const SLASH = 0x2f;
export const DIGIT_0 = 0x30;
export const DIGIT_1 = 0x31;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const UPPER_A = 0x41;
export const UPPER_E = 0x45;
export const UPPER_Z = 0x5a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
const LOWER_B = 0x62;
export const LOWER_E = 0x65;
export const LOWER_F = 0x66;
export const LOWER_I = 0x69;
export const LOWER_J = 0x6a;
export const LOWER_M = 0x6d;
export const LOWER_N = 0x6e;
export const LOWER_P = 0x70;
export const LOWER_R = 0x72;
export const LOWER_T = 0x74;
const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** First byte value that is not ASCII: every byte of a multi-byte UTF-8 sequence is at least this. */
export const NON_ASCII = 0x80;

/** Classes inside a JSON string: 0 is plain text, everything else needs a decision. */
export const IN_QUOTE = 1;
export const IN_BACKSLASH = 2;
export const IN_CONTROL = 3;
export const IN_NON_ASCII = 4;

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
export const OUT_NON_ASCII = 5;

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
