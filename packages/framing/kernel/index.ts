/** Stands in for the kernel until it is here: keeps the build, the module and its checks in use. */
export function newlineMask(at: usize): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
}
