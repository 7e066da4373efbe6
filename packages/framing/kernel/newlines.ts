import { LF } from '../src/bytes.ts';
import { BLOCK, byteAt, mask, splat, WIDTH } from './vectors.ts';

/** A bit per newline among the 64 bytes at `p`. */
// @inline
export function newlineMask(p: usize): u64 {
  const newline = splat(LF);
  return mask(
    i8x16.eq(v128.load(p), newline),
    i8x16.eq(v128.load(p, 16), newline),
    i8x16.eq(v128.load(p, 32), newline),
    i8x16.eq(v128.load(p, 48), newline),
  );
}

/** First newline from `p` on, or `to`. A newline must stand at `to`. */
export function newlineOrEnd(p: usize, to: usize): usize {
  while (true) {
    const found = newlineMask(p);
    if (found != 0) return min(p + <usize>ctz(found), to);
    p += BLOCK;
  }
}

/** Last newline before `to` and not before `from`; `from - 1` when there is none. */
export function lastNewline(from: usize, to: usize): usize {
  const newline = splat(LF);
  let p = to;
  while (p >= from + WIDTH) {
    p -= WIDTH;
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), newline));
    if (found != 0) return p + <usize>(31 - clz(found));
  }
  while (p > from) {
    if (byteAt(--p) == LF) return p;
  }
  return from - 1;
}
