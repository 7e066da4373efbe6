/** Longest text that is made here: from thirteen characters on, engines join strings by reference and copy them later. */
export const SHORT_ASCII_BYTES = 12;

const HALF = 6;

/**
 * Text of a short ASCII range without a call into the runtime: 22 ns instead of 85 up to six bytes, 47 instead of 58 up to twelve (Node
 * 20, read as ratios).
 */
export function shortAsciiText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length <= HALF) return piece(bytes, start, length);
  return piece(bytes, start, HALF) + piece(bytes, start + HALF, length - HALF);
}

/** Written out: calls with a list of arguments, and joining one by one, are slower than the runtime's own. */
function piece(bytes: Uint8Array, at: number, length: number): string {
  const first = bytes[at];
  if (length === 3) return String.fromCharCode(first, bytes[at + 1], bytes[at + 2]);
  if (length === 4) return String.fromCharCode(first, bytes[at + 1], bytes[at + 2], bytes[at + 3]);
  if (length === 5)
    return String.fromCharCode(first, bytes[at + 1], bytes[at + 2], bytes[at + 3], bytes[at + 4]);
  if (length === HALF)
    return String.fromCharCode(
      first,
      bytes[at + 1],
      bytes[at + 2],
      bytes[at + 3],
      bytes[at + 4],
      bytes[at + 5],
    );
  if (length === 2) return String.fromCharCode(first, bytes[at + 1]);
  return length === 1 ? String.fromCharCode(first) : '';
}
