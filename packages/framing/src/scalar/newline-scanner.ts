import { CR, LF, SPACE, TAB } from '../bytes.ts';
import { type FrameScanner, type ScanArea, type ScanOptions, waitBytes } from '../engine/engine.ts';
import { PREVIEW_BYTES, TABLE_ROWS } from '../engine/sizes.ts';
import { CODE_TOO_LARGE, KIND_FAULT, KIND_VALUE } from '../table/meta.ts';
import {
  CODE_SHIFT,
  END,
  FAULT_OFFSET,
  FLAG_DROPPED,
  FLAG_STORED,
  FLAG_UNTERMINATED,
  LINE_END,
  META,
  ROW_WORDS,
  START,
} from '../table/row.ts';
import type { ScalarArea } from './area.ts';
import { skipStreamBom } from './stream-bom.ts';

const MAX_INT32 = 2 ** 31 - 1;
const NO_BYTES = new Uint8Array(0);
const NO_ROWS = new Int32Array(0);

/** `validate: 'none'`: frames are what stands between newlines. Looks at the bytes themselves only to tell a blank line. */
export class NewlineScanner implements FrameScanner {
  readonly captured: Uint8Array = new Uint8Array(PREVIEW_BYTES);
  rowCount = 0;
  position = 0;
  frameStart = 0;
  blankFrames = 0;
  longFrameBytes = 0;

  /** The window and the slack behind it, for the sentinel. */
  #bytes: Uint8Array = NO_BYTES;
  #rows: Int32Array = NO_ROWS;
  readonly #maxFrameBytes: number;
  readonly #waitBytes: number;
  #spilledBytes = 0;
  #spilledCr = false;
  /** What has left the window of the current frame is white space only. */
  #spilledBlank = true;
  #bomSettled = false;

  constructor(options: ScanOptions) {
    this.#maxFrameBytes = options.maxFrameBytes;
    this.#waitBytes = waitBytes(options.windowBytes);
  }

  get hasSpilled(): boolean {
    return this.#spilledBytes > 0;
  }

  enter(area: ScanArea, at: number): void {
    const { bytes, rows } = area as ScalarArea;
    this.#bytes = bytes;
    this.#rows = rows;
    this.position = at;
    this.frameStart = at;
  }

  scan(end: number): number {
    this.rowCount = 0;
    if (!this.#bomSettled) {
      const skipped = skipStreamBom(this.#bytes, this.position, end);
      if (skipped < 0) return 0;
      this.#bomSettled = true;
      this.position += skipped;
      this.frameStart = this.position;
    }
    // The sentinel keeps the search from running into what earlier reads left behind `end`.
    this.#bytes[end] = LF;
    while (this.position < end && this.rowCount < TABLE_ROWS) {
      const newline = this.#bytes.indexOf(LF, this.position);
      if (newline < end) this.#endFrame(newline, 0);
      else if (this.#spilledBytes === 0 && end - this.position <= this.#waitBytes) break;
      else this.position = end;
    }
    return this.rowCount;
  }

  finish(end: number): number {
    this.rowCount = 0;
    this.#bomSettled = true;
    if (end > this.frameStart || this.#spilledBytes > 0) this.#endFrame(end, FLAG_UNTERMINATED);
    return this.rowCount;
  }

  spill(): void {
    const { frameStart, position } = this;
    if (this.#spilledBytes === 0) {
      this.captured.set(this.#bytes.subarray(frameStart, Math.min(position, frameStart + PREVIEW_BYTES)));
      this.#spilledBlank = true;
    }
    this.#spilledBlank &&= this.#isBlank(frameStart, position);
    this.#spilledBytes += position - frameStart;
    if (position > frameStart) this.#spilledCr = this.#bytes[position - 1] === CR;
    this.frameStart = position;
  }

  close(): void {
    this.#bytes = NO_BYTES;
    this.#rows = NO_ROWS;
  }

  #endFrame(lineEnd: number, flags: number): void {
    const start = this.frameStart;
    const spilled = this.#spilledBytes > 0;
    const blank = this.#isBlank(start, lineEnd) && (!spilled || this.#spilledBlank);
    if (blank) {
      if (flags !== FLAG_UNTERMINATED) this.blankFrames++;
    } else {
      const lastIsCr = lineEnd > start ? this.#bytes[lineEnd - 1] === CR : this.#spilledCr;
      this.#writeRow(start, this.#spilledBytes + lineEnd - start - (lastIsCr ? 1 : 0), lineEnd, flags);
    }
    this.#spilledBytes = 0;
    this.position = flags === FLAG_UNTERMINATED ? lineEnd : lineEnd + 1;
    this.frameStart = this.position;
  }

  #writeRow(start: number, length: number, lineEnd: number, flags: number): void {
    const spilled = this.#spilledBytes > 0;
    const tooLarge = length > this.#maxFrameBytes;
    let meta = flags | (tooLarge ? KIND_FAULT | (CODE_TOO_LARGE << CODE_SHIFT) : KIND_VALUE);
    if (spilled) {
      meta |= tooLarge ? FLAG_DROPPED : FLAG_STORED;
      this.longFrameBytes = length;
    }
    const at = this.rowCount++ * ROW_WORDS;
    const rows = this.#rows;
    rows.fill(0, at, at + ROW_WORDS);
    rows[at + START] = spilled ? 0 : start;
    rows[at + END] = spilled ? Math.min(length, MAX_INT32) : start + length;
    rows[at + META] = meta;
    rows[at + FAULT_OFFSET] = tooLarge ? this.#maxFrameBytes : 0;
    rows[at + LINE_END] = lineEnd;
  }

  #isBlank(from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const byte = this.#bytes[i];
      if (byte !== SPACE && byte !== TAB && byte !== CR) return false;
    }
    return true;
  }
}
