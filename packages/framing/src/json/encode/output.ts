import { type JsonConstant, writeConstant } from './words.ts';

/** How many bytes a writer may need at most before it asks for room again. */
export const MARGIN_BYTES = 1024;

/** The value does not fit. */
export const NOT_FIT = -1;

interface NodeEncoding {
  readonly prototype: { utf8Write?(this: Uint8Array, text: string, at: number, length: number): number };
}

const utf8Write = (globalThis as { Buffer?: NodeEncoding }).Buffer?.prototype.utf8Write;
/** Bytes of the longest UTF-8 sequence: with this much room left, what was not written was left for another reason. */
const MAX_SEQUENCE_BYTES = 4;
const MAX_BYTES_PER_UNIT = 3;

let textEncoder: TextEncoder | undefined;

/**
 * Writes UTF-8 into `bytes` from `at` on, not beyond `end`; gives the position after it, or `NOT_FIT` when it does not fit. Lone
 * surrogates become U+FFFD.
 */
export function utf8Into(bytes: Uint8Array, at: number, end: number, text: string): number {
  const room = end - at;
  if (text.length > room) return NOT_FIT;
  if (utf8Write === undefined) {
    textEncoder ??= new TextEncoder();
    const { read, written } = textEncoder.encodeInto(text, bytes.subarray(at, end));
    return read === text.length ? at + written : NOT_FIT;
  }
  const written = utf8Write.call(bytes, text, at, room);
  // It stops in front of a character that has no room. With room left for any character it has not stopped early.
  if (room - written >= MAX_SEQUENCE_BYTES || text.length * MAX_BYTES_PER_UNIT <= room) return at + written;
  return written === utf8Length(text) ? at + written : NOT_FIT;
}

/** Bytes of a text in UTF-8. Only asked within four bytes of an end. */
function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code >= 0x10000) i++;
  }
  return length;
}

/** Also for memory that was taken away: no view can be made of that. */
const NO_VIEW = new DataView(new ArrayBuffer(0));

/**
 * Where an encoder writes: the caller's bytes, up to their last `MARGIN_BYTES`; what comes near the end goes on in memory of its own and
 * is copied back if it fits. So the writers need not count every byte, and write whole words. Positions are those of `bytes`.
 */
export class Output {
  bytes: Uint8Array = new Uint8Array(0);
  /** The same bytes, for words at any offset. */
  view: DataView = NO_VIEW;
  /** First position that must not be written. */
  limit = 0;
  /** First position that is too much, in the caller's count of room. */
  #fitEnd = 0;
  #start = 0;
  /** The caller's bytes. */
  #target: Uint8Array = this.bytes;

  /** The next value mostly goes to where the last one went: then nothing is set but its place. */
  open(target: Uint8Array, at: number): void {
    // A view whose memory was taken away or resized has another length.
    if (target !== this.bytes || target.length !== this.limit) this.#aim(target);
    this.#start = at;
  }

  /** `at`, or where to go on, so that `needBytes` (at most `MARGIN_BYTES`) may be written there; `NOT_FIT` when all that fits is written. */
  spill(at: number): number {
    if (this.bytes !== this.#target) return NOT_FIT;
    const room = this.#fitEnd - this.#start;
    const bytes = new Uint8Array(room + MARGIN_BYTES);
    const written = at - this.#start;
    bytes.set(this.#target.subarray(this.#start, at));
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer);
    this.limit = bytes.length;
    this.#fitEnd = room;
    return written;
  }

  /** Writes text of any length as it is. `NOT_FIT` when it does not fit. */
  text(at: number, text: string): number {
    return utf8Into(this.bytes, at, this.#fitEnd, text);
  }

  /** Writes bytes as they are. `NOT_FIT` when they do not fit. */
  copy(at: number, bytes: Uint8Array): number {
    const end = at + bytes.length;
    if (end > this.#fitEnd) return NOT_FIT;
    this.bytes.set(bytes, at);
    return end;
  }

  /** Writes a constant of at most `MARGIN_BYTES`. `NOT_FIT` when it does not fit. */
  constant(at: number, constant: JsonConstant): number {
    if (at + MARGIN_BYTES > this.limit) {
      at = this.spill(at);
      if (at < 0) return NOT_FIT;
    }
    return writeConstant(this.view, at, constant);
  }

  /** What ends at `end` fits. */
  fits(end: number): boolean {
    return end <= this.#fitEnd;
  }

  /** Writes one byte. `NOT_FIT` when it does not fit. */
  byte(at: number, byte: number): number {
    if (at >= this.#fitEnd) return NOT_FIT;
    this.bytes[at] = byte;
    return at + 1;
  }

  /** What was written ends at `at`: its position in the caller's bytes, or `NOT_FIT`. */
  close(at: number): number {
    if (at > this.#fitEnd) return NOT_FIT;
    if (this.bytes === this.#target) return at;
    this.#target.set(this.bytes.subarray(0, at), this.#start);
    const end = this.#start + at;
    this.#aim(this.#target);
    return end;
  }

  #aim(target: Uint8Array): void {
    this.#target = target;
    this.bytes = target;
    this.view = target.length === 0 ? NO_VIEW : new DataView(target.buffer, target.byteOffset, target.length);
    this.limit = target.length;
    this.#fitEnd = target.length;
  }
}
