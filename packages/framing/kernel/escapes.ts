import { BACKSLASH, DIGIT_0, QUOTE } from '../src/bytes.ts';

/** A hexadecimal digit. */
// @inline
export function isHex(byte: i32): bool {
  return <u32>(byte - DIGIT_0) <= 9 || <u32>((byte | 0x20) - 0x61) <= 5;
}

/** The value of a hexadecimal digit. */
export function hexValue(byte: i32): i32 {
  return byte <= 0x39 ? byte - DIGIT_0 : (byte | 0x20) - 0x57;
}

/** A letter that may follow a backslash in a JSON string, except the `u` that opens four digits: b, f, n, r, t, a slash and the two marks themselves. */
// @inline
export function isSimpleEscape(byte: i32): bool {
  if (byte == QUOTE || byte == BACKSLASH || byte == 0x2f) return true;
  // b 0x62, f 0x66, n 0x6e, r 0x72, t 0x74, as bits above 0x60.
  return byte >= 0x60 && byte < 0x80 && ((0x0014_4044 >> (byte - 0x60)) & 1) != 0;
}
