import { DIGIT_0 } from '../bytes.ts';
import { PREVIEW_BYTES } from '../engine/sizes.ts';
import { searchableView } from '../engine/window-bytes.ts';
import { FramingError, faultError, isFramingError } from '../errors.ts';
import { decodeRangeAs } from '../json/codec.ts';
import { LazySource } from '../json/lazy/lazy-source.ts';
import { LazyValue, lazyRange } from '../json/lazy/lazy-value.ts';
import type { DecoderSlot } from '../json/shapes/decoder-slot.ts';
import { DATA_CODES, type FrameCode, type FrameKind, KIND_NAMES } from '../table/codes.ts';
import { type FrameFault, frameFault } from '../table/fault.ts';
import { ID_INTEGER, ID_INTEGER_SPELLED, ID_STRING, KIND_FAULT } from '../table/meta.ts';
import {
  CODE_MASK,
  CODE_SHIFT,
  END,
  FAULT_OFFSET,
  FLAG_ASCII,
  FLAG_DROPPED,
  FLAG_ERROR,
  FLAG_METHOD,
  FLAG_PARAMS,
  FLAG_RESULT,
  FLAG_STORED,
  FLAG_UNTERMINATED,
  ID_END,
  ID_FORM_MASK,
  ID_FORM_SHIFT,
  ID_START,
  KIND_MASK,
  LINE_END,
  META,
  METHOD_END,
  METHOD_START,
  PAYLOAD_END,
  PAYLOAD_START,
  ROW_WORDS,
  START,
} from '../table/row.ts';
import { asciiText, utf8Text } from '../text/decode.ts';
import { type IdKey, type IdSource, type RpcId, sourceIdKey, sourceIdValue } from '../text/id.ts';
import { escapedPreview } from '../text/preview.ts';
import { beginText, cutText, MAX_CUT_CHARACTERS } from '../text/recent-text.ts';
import { type BatchSource, isLong } from './batch-source.ts';
import { findFault } from './find-fault.ts';

/** Length of a row of the frame table. */
const ROW_BYTES: number = ROW_WORDS * Int32Array.BYTES_PER_ELEMENT;

/** Digits that surely make an integer a double holds exactly. */
const MAX_EXACT_DIGITS = 15;

/**
 * The frames that one callback gets, by index from 0 to `count - 1`, in stream order. No object per frame: every call reads the table.
 * Legal only until the callback returns; afterwards every call throws `VIEW_RELEASED`. What a call returns is a plain value or an exact
 * copy and may be kept, except for `frameView` and lazy values.
 */
export class FrameBatch {
  /** Frames in this batch. */
  readonly count: number;
  readonly #source: BatchSource;
  readonly #first: number;
  #consumed = -1;
  #highest = -1;
  #released = false;
  /** The method that was asked for last: dispatching needs it, and so does decoding. */
  #methodRow = -1;
  #methodName = '';
  /** What lazy values read from: the window, and the long frame. Made when the first is asked for. */
  #lazyWindow: LazySource | undefined;
  #lazyLong: LazySource | undefined;
  /** The latest part of this batch that was handed out. */
  #part: FrameBatch | undefined;

  /** Batches are made by readers. @internal */
  constructor(source: BatchSource, first: number, count: number) {
    this.#source = source;
    this.#first = first;
    this.count = count;
    beginText(source.window, source.rows[(first + count - 1) * ROW_WORDS + END]);
  }

  /** How many frames are done with, from the front; may be set as the callback goes. -1 until it is set. */
  get consumed(): number {
    return this.#consumed;
  }

  set consumed(frames: number) {
    if (!Number.isInteger(frames) || frames < 0 || frames > this.count) {
      throw new FramingError(
        'OPTION_RANGE',
        `consumed must be an integer from 0 to ${this.count}, not ${String(frames)}`,
      );
    }
    this.#consumed = frames;
  }

  /** What the frame is. */
  kind(index: number): FrameKind {
    return KIND_NAMES[this.#meta(index) & KIND_MASK];
  }

  /** Why the frame is a `fault` or `invalid`; undefined for a good one. */
  code(index: number): FrameCode | undefined {
    return codeName(this.#meta(index));
  }

  /** Offset in the stream of the frame's first byte. */
  start(index: number): number {
    const row = this.#row(index);
    const { rows, long, windowOffset } = this.#source;
    return isLong(rows[row + META]) ? long.offset : windowOffset + rows[row + START];
  }

  /** Offset in the stream after the frame's last byte: no newline, no dropped CR. */
  end(index: number): number {
    return this.start(index) + this.byteLength(index);
  }

  /** Length of the frame in bytes. */
  byteLength(index: number): number {
    const row = this.#row(index);
    const { rows, long } = this.#source;
    return isLong(rows[row + META]) ? long.byteLength : rows[row + END] - rows[row + START];
  }

  /** The stream ended without a newline after this frame. */
  unterminated(index: number): boolean {
    return (this.#meta(index) & FLAG_UNTERMINATED) !== 0;
  }

  /** No byte of the frame is above 0x7F. */
  ascii(index: number): boolean {
    return (this.#meta(index) & FLAG_ASCII) !== 0;
  }

  /** The member `method` is there, whatever its type; also in an invalid frame. */
  hasMethod(index: number): boolean {
    return (this.#meta(index) & FLAG_METHOD) !== 0;
  }

  /** The member `params` is there and not null. */
  hasParams(index: number): boolean {
    return (this.#meta(index) & FLAG_PARAMS) !== 0;
  }

  /** The member `result` is there, whatever its type. */
  hasResult(index: number): boolean {
    return (this.#meta(index) & FLAG_RESULT) !== 0;
  }

  /** The member `error` is there, whatever its type. */
  hasError(index: number): boolean {
    return (this.#meta(index) & FLAG_ERROR) !== 0;
  }

  /** The id as a map key (see `IdKey`); undefined when the frame has no usable id. */
  idKey(index: number): IdKey | undefined {
    const row = this.#row(index);
    const form = idForm(this.#source.rows[row + META]);
    if (form === ID_INTEGER) {
      const value = this.#smallInteger(row);
      if (value >= 0) return value;
    }
    const text = this.#idText(row, form);
    return text === undefined ? undefined : sourceIdKey(text);
  }

  /** The id exactly as it was written, to be echoed; undefined when the frame has no usable id. */
  idText(index: number): string | undefined {
    const row = this.#row(index);
    return this.#idText(row, idForm(this.#source.rows[row + META]));
  }

  /** The id to be echoed, mostly without a string being made; undefined when the frame has no usable id. */
  idSource(index: number): IdSource | undefined {
    const row = this.#row(index);
    const form = idForm(this.#source.rows[row + META]);
    if (form === ID_INTEGER) {
      const value = this.#smallInteger(row);
      if (value >= 0) return value;
    }
    return this.#idText(row, form);
  }

  /** The id as a value: integers beyond 2^53 − 1 are bigints; undefined when the frame has no usable id. */
  id(index: number): RpcId | undefined {
    const text = this.idText(index);
    return text === undefined ? undefined : sourceIdValue(text);
  }

  /** The decoded method; undefined when there is none, when it is no string, or over 1,024 bytes in a frame over the limit. */
  method(index: number): string | undefined {
    return this.#method(this.#row(index));
  }

  /**
   * `params`, or `result` or `error` of an answer, decoded as by `JSON.parse`, with numbers as the reader's option `numbers` says; undefined
   * when absent.
   *
   * @param answeredMethod - the method that an answer belongs to, if the caller knows it: payloads are decoded by shapes that are learned for each
   *   method and direction, and one client's answers to many methods have many shapes. Shapes hold doubles: not used under other `numbers`.
   *
   * @throws FramingError `JSON_SYNTAX` when `validate: 'envelope'` let through what is not JSON; `FRAME_TOO_LARGE` when the text is longer
   *   than the runtime's strings can be (Node: 512 MiB), whatever `maxFrameBytes` allows; `VALUE_RANGE`, with the path, for an
   *   integer of more than 1,000 digits under `numbers: 'bigint'`.
   */
  payload(index: number, answeredMethod?: string): unknown {
    const row = this.#row(index);
    const { rows, options } = this.#source;
    const start = rows[row + PAYLOAD_START];
    if (start === 0) return undefined;
    const from = this.#base(row) + start;
    const to = this.#base(row) + rows[row + PAYLOAD_END];
    const bytes = this.#bytesOf(row);
    const ascii = isAscii(rows[row + META]);
    try {
      if (options.numbers !== 'double') return decodeRangeAs(bytes, from, to, ascii, options.numbers);
      return this.#slot(row, answeredMethod).decode(bytes, from, to, ascii);
    } catch (cause) {
      throw this.#undecodable(index, cause);
    }
  }

  /** JSON text of what `payload` decodes; undefined when absent. */
  payloadText(index: number): string | undefined {
    const row = this.#row(index);
    const { rows } = this.#source;
    const start = rows[row + PAYLOAD_START];
    if (start === 0) return undefined;
    const base = this.#base(row);
    return this.#text(row, base + start, base + rows[row + PAYLOAD_END]);
  }

  /**
   * The whole frame, decoded, with numbers as for `payload`.
   *
   * @throws FramingError the frame's own code when it is a fault; `JSON_SYNTAX` when `validate: 'envelope'` or `'none'` let it through;
   *   `FRAME_TOO_LARGE` and `VALUE_RANGE` as for `payload`.
   */
  value(index: number): unknown {
    const row = this.#row(index);
    const { rows, options, slots } = this.#source;
    this.#refuseFault(index, rows[row + META]);
    const from = this.#base(row);
    const to = from + this.#length(row);
    const bytes = this.#bytesOf(row);
    // The newline scanner has not looked for non-ASCII text: its rows never claim to be ASCII.
    const ascii = isAscii(rows[row + META]);
    try {
      if (options.numbers !== 'double') return decodeRangeAs(bytes, from, to, ascii, options.numbers);
      return slots.ofFrame().decode(bytes, from, to, ascii);
    } catch (cause) {
      throw this.#undecodable(index, cause);
    }
  }

  /**
   * The whole frame as a lazy value, borrowed: legal until the callback returns, like all values got from it. Nothing is decoded before it is
   * asked for.
   *
   * @throws FramingError the frame's own code when it is a fault
   */
  lazy(index: number): LazyValue {
    const row = this.#row(index);
    this.#refuseFault(index, this.#source.rows[row + META]);
    const base = this.#base(row);
    return lazyRange(this.#lazySource(row), base, base + this.#length(row));
  }

  /** `params`, or `result` or `error` of an answer, as a lazy value, borrowed like that of `lazy`; undefined when absent. */
  lazyPayload(index: number): LazyValue | undefined {
    const row = this.#row(index);
    const { rows } = this.#source;
    const start = rows[row + PAYLOAD_START];
    if (start === 0) return undefined;
    const base = this.#base(row);
    return new LazyValue(this.#lazySource(row), base + start, base + rows[row + PAYLOAD_END]);
  }

  /** Text of the frame; empty when its bytes were dropped (`FRAME_TOO_LARGE`). */
  text(index: number): string {
    const row = this.#row(index);
    const base = this.#base(row);
    return this.#text(row, base, base + this.#length(row));
  }

  /** The frame's bytes, an exact copy with memory of its own; empty when they were dropped (`FRAME_TOO_LARGE`). */
  bytes(index: number): Uint8Array {
    return new Uint8Array(this.frameView(index));
  }

  /** The frame's bytes, borrowed: a view of the reader's memory, legal until the callback returns. Empty like `bytes`. */
  frameView(index: number): Uint8Array {
    const row = this.#row(index);
    const base = this.#base(row);
    return this.#bytesOf(row).subarray(base, base + this.#length(row));
  }

  /**
   * The frames from `from` to before `to` as a batch of their own: no copy, one object. Legal until the next part is asked for, and as long as
   * this batch is. What it says about consumed frames is its receiver's matter: this batch does not learn it.
   *
   * @throws FramingError `OPTION_RANGE` when that is not at least one frame of this batch
   */
  part(from: number, to: number): FrameBatch {
    this.#row(from);
    this.#row(to - 1);
    if (to <= from)
      throw new FramingError('OPTION_RANGE', `a part needs a frame: from ${from} to before ${to} is none`);
    this.#part?.release();
    this.#part = new FrameBatch(this.#source, this.#first + from, to - from);
    return this.#part;
  }

  /** One frame alone, in memory of its own. @internal */
  copyOf(index: number): BatchSource {
    const row = this.#row(index);
    const { options, names, slots, long, rows: live } = this.#source;
    this.#refuseFault(index, live[row + META]);
    const base = this.#base(row);
    const length = this.#length(row);
    const memory = new ArrayBuffer(ROW_BYTES + length);
    const rows = new Int32Array(memory, 0, ROW_WORDS);
    for (let word = 0; word < ROW_WORDS; word++) rows[word] = live[row + word];
    rows[START] = 0;
    rows[END] = length;
    rows[LINE_END] = length;
    rows[META] &= ~(FLAG_STORED | FLAG_DROPPED);
    const window = searchableView(memory, ROW_BYTES, length);
    window.set(this.#bytesOf(row).subarray(base, base + length));
    return { options, names, slots, rows, window, windowOffset: this.start(index), leap: undefined, long };
  }

  /** What is wrong with a `fault` or `invalid` frame; undefined for a good one. */
  fault(index: number): FrameFault | undefined {
    const row = this.#row(index);
    const { rows, options } = this.#source;
    const code = codeName(rows[row + META]);
    if (code === undefined) return undefined;
    return frameFault({
      code,
      offset: this.start(index) + rows[row + FAULT_OFFSET],
      preview: this.#preview(row),
      frameBytes: this.byteLength(index),
      maxFrameBytes: options.maxFrameBytes,
      maxDepth: options.maxDepth,
    });
  }

  /** Ends the batch's life. Returns how many frames count as delivered after an exception. @internal */
  release(): number {
    this.#released = true;
    this.#lazyWindow?.release();
    this.#lazyLong?.release();
    this.#part?.release();
    // The frame it was at is delivered too, at least one: otherwise a callback that always throws would get it for ever.
    const at = this.#consumed >= 0 ? this.#consumed : this.#highest;
    return Math.min(Math.max(at, 0) + 1, this.count);
  }

  #row(index: number): number {
    if (this.#released || !(index >= 0 && index < this.count)) this.#refuseIndex(index);
    if (index > this.#highest) this.#highest = index;
    return (this.#first + index) * ROW_WORDS;
  }

  /** By itself, so that the way without an error is short enough to become a part of who asks. */
  #refuseIndex(index: number): never {
    if (this.#released) {
      throw new FramingError(
        'VIEW_RELEASED',
        'a batch is legal only inside its callback: copy what must outlive it',
      );
    }
    throw new FramingError(
      'OPTION_RANGE',
      `frame index must be from 0 to ${this.count - 1}, not ${String(index)}`,
    );
  }

  #method(row: number): string | undefined {
    if (row === this.#methodRow) return this.#methodName;
    const { rows, names } = this.#source;
    const start = rows[row + METHOD_START];
    if (start === 0) return undefined;
    const base = this.#base(row);
    this.#methodName = names.name(this.#bytesOf(row), base + start, base + rows[row + METHOD_END]);
    this.#methodRow = row;
    return this.#methodName;
  }

  /** What decodes the payload of a frame. */
  #slot(row: number, answeredMethod: string | undefined): DecoderSlot {
    const { slots } = this.#source;
    const method = this.#method(row);
    return method === undefined ? slots.ofAnswer(answeredMethod) : slots.ofCall(method);
  }

  #meta(index: number): number {
    return this.#source.rows[this.#row(index) + META];
  }

  #bytesOf(row: number): Uint8Array {
    const { rows, window, long } = this.#source;
    return isLong(rows[row + META]) ? long.bytes : window;
  }

  /** Where positions relative to the frame begin in `#bytesOf(row)`. */
  #base(row: number): number {
    return this.#source.rows[row + START];
  }

  /** Bytes of the frame that can be read: none when the frame was over the limit. */
  #length(row: number): number {
    const { rows } = this.#source;
    if (codeName(rows[row + META]) === 'FRAME_TOO_LARGE') return 0;
    return rows[row + END] - rows[row + START];
  }

  #refuseFault(index: number, meta: number): void {
    const fault = (meta & KIND_MASK) === KIND_FAULT ? this.fault(index) : undefined;
    if (fault !== undefined) throw faultError(fault, undefined);
  }

  #lazySource(row: number): LazySource {
    const { rows, window, windowOffset, leap, long } = this.#source;
    if (isLong(rows[row + META])) {
      this.#lazyLong ??= new LazySource(long.bytes, long.offset - this.#base(row));
      return this.#lazyLong;
    }
    this.#lazyWindow ??= new LazySource(window, windowOffset, leap);
    return this.#lazyWindow;
  }

  #preview(row: number): string {
    const { rows } = this.#source;
    const base = this.#base(row);
    const length = Math.min(rows[row + END] - rows[row + START], PREVIEW_BYTES);
    return escapedPreview(this.#bytesOf(row), base, base + length);
  }

  #text(row: number, start: number, end: number): string {
    const bytes = this.#bytesOf(row);
    return isAscii(this.#source.rows[row + META])
      ? asciiText(bytes, start, end)
      : utf8Text(bytes, start, end);
  }

  /** An id of few plain digits as a number, without making a string; -1 when it is anything else. */
  #smallInteger(row: number): number {
    const { rows } = this.#source;
    const start = rows[row + ID_START];
    const length = rows[row + ID_END] - start;
    if (length > MAX_EXACT_DIGITS) return -1;
    const bytes = this.#bytesOf(row);
    const at = this.#base(row) + start;
    let value = 0;
    for (let i = at; i < at + length; i++) {
      const digit = bytes[i] - DIGIT_0;
      if (digit < 0) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  #idText(row: number, form: number): string | undefined {
    if (form < ID_STRING || form > ID_INTEGER_SPELLED) return undefined;
    const { rows } = this.#source;
    const start = this.#base(row) + rows[row + ID_START];
    const end = this.#base(row) + rows[row + ID_END];
    return isAscii(rows[row + META]) && end - start <= MAX_CUT_CHARACTERS
      ? cutText(this.#bytesOf(row), start, end)
      : this.#text(row, start, end);
  }

  #undecodable(index: number, cause: unknown): FramingError {
    if (isFramingError(cause)) return cause;
    const view = this.frameView(index);
    const start = this.start(index);
    const found = findFault(view, this.#source.options);
    if (found === undefined) {
      const message = `a frame of ${view.length} bytes is longer than a string of this runtime can be: read it with frameView`;
      return new FramingError('FRAME_TOO_LARGE', message, { offset: start, actual: view.length, cause });
    }
    const fault = frameFault({
      code: found.code,
      offset: start + found.offset,
      preview: escapedPreview(view, 0, Math.min(view.length, PREVIEW_BYTES)),
      frameBytes: view.length,
      maxFrameBytes: this.#source.options.maxFrameBytes,
      maxDepth: this.#source.options.maxDepth,
    });
    return faultError(fault, cause);
  }
}

function idForm(meta: number): number {
  return (meta >> ID_FORM_SHIFT) & ID_FORM_MASK;
}

function isAscii(meta: number): boolean {
  return (meta & FLAG_ASCII) !== 0;
}

function codeName(meta: number): FrameCode | undefined {
  const code = (meta >> CODE_SHIFT) & CODE_MASK;
  return code === 0 ? undefined : DATA_CODES[code - 1].code;
}
