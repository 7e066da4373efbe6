/*
 * Well-formed UTF-8 as in the Unicode Standard, table 3-7.
 */

import { byteAt, splat } from './vectors.ts';

/** Bytes that must follow a lead byte; 0 where no sequence may begin. */
export function trailCount(lead: i32): i32 {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
}

/** Smallest second byte after `lead`. */
// @inline
export function secondLow(lead: i32): i32 {
  return lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
}

/** Largest second byte after `lead`. */
// @inline
export function secondHigh(lead: i32): i32 {
  return lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
}

/** End of the well-formed sequence that begins at `p`, or 0 when it is ill-formed or does not end at or before `to`. */
export function sequenceEnd(p: usize, to: usize): usize {
  const lead = byteAt(p);
  const trails = trailCount(lead);
  if (trails == 0 || p + trails >= to) return 0;
  const second = <i32>load<u8>(p, 1);
  if (second < secondLow(lead) || second > secondHigh(lead)) return 0;
  if (trails >= 2 && (load<u8>(p, 2) & 0xc0) != 0x80) return 0;
  if (trails == 3 && (load<u8>(p, 3) & 0xc0) != 0x80) return 0;
  return p + trails + 1;
}

/** True when the range is well-formed. */
export function isWellFormed(from: usize, to: usize): bool {
  let p = from;
  while (p < to) {
    if (byteAt(p) < 0x80) {
      p++;
      continue;
    }
    p = sequenceEnd(p, to);
    if (p == 0) return false;
  }
  return true;
}

/** How many of the bytes just before `end` begin a sequence that goes on behind it, 0 to 3. They are well-formed so far. */
// @inline
export function openTail(end: usize): i32 {
  if (byteAt(end - 1) >= 0xc0) return 1;
  if (byteAt(end - 2) >= 0xe0) return 2;
  return byteAt(end - 3) >= 0xf0 ? 3 : 0;
}

/*
 * Sixteen bytes at once (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte", 2021): the high nibble of the
 * byte before, its low nibble and the high nibble of the byte itself each look up the errors that they allow; an error that all three
 * allow is one. Bits: 1 too short, 2 too long, 4 overlong of three, 8 too large, 16 surrogate, 32 overlong of two,
 * 64 overlong of four or far too large, 128 two continuations (right only where a third or fourth byte is due).
 */

/** Errors among the 16 bytes at `p`: any bit set. The three bytes before `p` must be whole sequences, or ASCII. */
// @inline
export function vectorErrors(p: usize, bytes: v128): v128 {
  const before = v128.load(p - 1);
  const nibble = splat(0x0f);
  const high = i8x16.swizzle(
    i8x16(2, 2, 2, 2, 2, 2, 2, 2, -128, -128, -128, -128, 33, 1, 21, 73),
    i8x16.shr_u(before, 4),
  );
  const low = i8x16.swizzle(
    i8x16(-25, -93, -125, -125, -117, -53, -53, -53, -53, -53, -53, -53, -53, -37, -53, -53),
    v128.and(before, nibble),
  );
  const self = i8x16.swizzle(
    i8x16(1, 1, 1, 1, 1, 1, 1, 1, -26, -82, -70, -70, 1, 1, 1, 1),
    i8x16.shr_u(bytes, 4),
  );
  const pair = v128.and(v128.and(high, low), self);
  const third = i8x16.sub_sat_u(v128.load(p - 2), splat(0x60));
  const fourth = i8x16.sub_sat_u(v128.load(p - 3), splat(0x70));
  const due = v128.and(v128.or(third, fourth), splat(-128));
  return v128.xor(due, pair);
}
