/** Nothing but constants, so that the bundler writes them as literals into the loops that use them. */

/** Bytes behind the text that a walk may read. */
export const WALK_SLACK_BYTES = 8;

/** `true`, `alse` and `null` as words, first byte lowest. */
export const TRUE_WORD = 0x65757274;
export const ALSE_WORD = 0x65736c61;
export const NULL_WORD = 0x6c6c756e;

/** Digits that surely make an integer a double holds exactly. */
export const MAX_EXACT_DIGITS = 15;
/** Digits that surely fit a small integer, which the engine adds up without a thought of doubles. */
export const MAX_SMALL_DIGITS = 9;
/** Set in lower case letters, not in upper case ones. */
export const CASE_BIT = 0x20;

/** Longest string with escapes that is read by itself. */
export const MAX_ESCAPED_BYTES = 256;
