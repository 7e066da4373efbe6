/*
 * Brackets by arithmetic: the two of a pair differ in bits 1 and 2 only, and bit 2 tells the closing one.
 *
 *     {  0111 1011      [  0101 1011
 *     }  0111 1101      ]  0101 1101
 */
const PAIR_MASK = 0xf9;
const CLOSE_BIT = 4;

/** The kind of container that braces enclose. */
export const OBJECT = 0x79;

/** The kind of container that a bracket, either of the pair, belongs to. */
// @inline
export function containerOf(bracket: i32): i32 {
  return bracket & PAIR_MASK;
}

// @inline
export function isClosing(bracket: i32): bool {
  return (bracket & CLOSE_BIT) != 0;
}

/** False for what has one pattern of bits 1 and 2 too many or too few: `y`, `Y`, `_` and DEL. For bytes that are brackets otherwise. */
// @inline
export function isBracket(byte: i32): bool {
  return ((byte ^ (byte >> 1)) & 2) != 0;
}
