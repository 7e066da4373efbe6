/** Up to this length a loop is as fast as the native copy with the view that it needs, and makes no garbage. In bytes. */
const SHORT_BYTES = 128;

/** Copies the bytes of `source` from `start` to `end` to `at` in `target`. */
export function copyRange(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  if (end - start > SHORT_BYTES) {
    const isWhole = start === 0 && end === source.length;
    target.set(isWhole ? source : source.subarray(start, end), at);
    return;
  }
  for (let from = start; from < end; from++) target[at++] = source[from];
}
