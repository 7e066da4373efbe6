/** What the decoder uses of Node's Buffer: native decoding of short ranges without a view object. */
interface NodeDecoding {
  readonly prototype: {
    latin1Slice?(this: Uint8Array, start: number, end: number): string;
    utf8Slice?(this: Uint8Array, start: number, end: number): string;
  };
}

const native = (globalThis as { Buffer?: NodeDecoding }).Buffer?.prototype;
const latin1Slice = native?.latin1Slice;
const utf8Slice = native?.utf8Slice;

/** Made when it is first needed: under Node it never is, and it would cost its start-up. */
let decoder: TextDecoder | undefined;
let refusesResizable = false;

/** Text of an ASCII range. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  return latin1Slice === undefined ? utf8Text(bytes, start, end) : latin1Slice.call(bytes, start, end);
}

/** Text of a UTF-8 range; ill-formed sequences become U+FFFD. */
export function utf8Text(bytes: Uint8Array, start: number, end: number): string {
  if (utf8Slice !== undefined) return utf8Slice.call(bytes, start, end);
  return decodePortably(bytes.subarray(start, end));
}

function decodePortably(view: Uint8Array): string {
  if (decoder === undefined) {
    // The stream's byte order mark is skipped by the scanner; any other U+FEFF is data.
    decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    refusesResizable = !acceptsResizable(decoder);
  }
  return decoder.decode(refusesResizable ? view.slice() : view);
}

/** Some browsers' TextDecoder refuses resizable buffers, which the store of big frames is made of: probed once. */
function acceptsResizable(probe: TextDecoder): boolean {
  try {
    const ResizableBuffer = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
    probe.decode(new Uint8Array(new ResizableBuffer(1, { maxByteLength: 2 })));
    return true;
  } catch {
    return false;
  }
}
