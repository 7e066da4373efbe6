let viewed: Uint8Array = new Uint8Array(0);
let view: DataView = new DataView(viewed.buffer);

/**
 * Access to four bytes of `bytes` at any offset, which an array of words does not give. The view of the memory that was asked about last
 * is kept: the readers of a thread take turns in few areas.
 */
export function unalignedView(bytes: Uint8Array): DataView {
  if (bytes !== viewed) {
    viewed = bytes;
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  return view;
}
