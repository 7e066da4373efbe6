/** The part of Node's Buffer that the framer is faster with; everything works without it. */
interface BufferLike {
  from(buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array;
}

const NodeBuffer = (globalThis as { Buffer?: BufferLike }).Buffer;

/** A view of `buffer` whose `indexOf` is the runtime's fastest: Node's Buffer searches with memchr, several GB/s. A view, not a copy. */
export function searchableView(buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array {
  return NodeBuffer === undefined
    ? new Uint8Array(buffer, byteOffset, length)
    : NodeBuffer.from(buffer, byteOffset, length);
}
