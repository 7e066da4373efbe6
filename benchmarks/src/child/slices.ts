/** What a pipe hands over in one read, at most. */
export const pipeReadBytes = 65_536;

/** Views of `bytes`, each of `sliceBytes` but the last. */
export function slicesOf(bytes: Uint8Array, sliceBytes: number): Uint8Array[] {
  const slices: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) slices.push(bytes.subarray(at, at + sliceBytes));
  return slices;
}
