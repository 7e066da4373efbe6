const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * How many bytes of a UTF-8 byte order mark at `start` are to be skipped: 3 or 0; -1 when the bytes before `end` are a true
 * beginning of one, so that the next byte decides.
 */
export function skipStreamBom(bytes: Uint8Array, start: number, end: number): number {
  for (let i = 0; i < BYTE_ORDER_MARK.length; i++) {
    if (start + i >= end) return -1;
    if (bytes[start + i] !== BYTE_ORDER_MARK[i]) return 0;
  }
  return BYTE_ORDER_MARK.length;
}
