/**
 * Byte values of the JSON and NDJSON grammar. The framer works on bytes; no bare number stands for a character elsewhere.
 * Both engines read this file, so it holds nothing but constants.
 */
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
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
export const LOWER_A = 0x61;
export const LOWER_B = 0x62;
export const LOWER_E = 0x65;
export const LOWER_F = 0x66;
export const LOWER_I = 0x69;
export const LOWER_J = 0x6a;
export const LOWER_M = 0x6d;
export const LOWER_N = 0x6e;
export const LOWER_P = 0x70;
export const LOWER_R = 0x72;
export const LOWER_T = 0x74;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** First byte value that is not ASCII: every byte of a multi-byte UTF-8 sequence is at least this. */
export const NON_ASCII = 0x80;
