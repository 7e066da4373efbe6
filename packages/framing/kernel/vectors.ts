/** Bytes of a vector. */
export const WIDTH: usize = 16;

/** Bytes of a block: one per bit of a mask. */
export const BLOCK: usize = 64;

/** A vector of the same byte. */
// @inline
export function splat(byte: i32): v128 {
  return i8x16.splat(<i8>byte);
}

/** A bit for each byte of a block whose highest bit is set, as it is where a comparison held. The block's first byte is the lowest bit. */
// @inline
export function mask(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>i8x16.bitmask(a) |
    ((<u64>i8x16.bitmask(b)) << 16) |
    ((<u64>i8x16.bitmask(c)) << 32) |
    ((<u64>i8x16.bitmask(d)) << 48)
  );
}

// @inline
export function byteAt(p: usize): i32 {
  return <i32>load<u8>(p);
}
