/** Bytes of one piece of encoding memory. */
export const SLAB_BYTES: number = 256 * 1024;

/** One for replies and one for requests: who sends both at once needs two. */
const KEPT_SLABS = 2;

/** Encoding memory that no outbox of this thread is using. */
const free: Buffer[] = [];

export function takeSlab(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
}

/** Nobody reads or writes it any more. */
export function giveSlab(slab: Buffer): void {
  if (free.length < KEPT_SLABS) free.push(slab);
}
