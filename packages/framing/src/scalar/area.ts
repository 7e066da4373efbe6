import type { AreaSize, ScanArea } from '../engine/engine.ts';
import { TABLE_ROWS } from '../engine/sizes.ts';
import { searchableView } from '../engine/window-bytes.ts';
import { ROW_WORDS } from '../table/row.ts';
import { wordsOver } from '../text/plain-text.ts';

/** Bytes behind a window that a scanner may read or set: a sentinel, and look-ahead that would else leave the array. */
const WINDOW_SLACK_BYTES = 16;

/** Plain memory, from the JavaScript heap's own allocator. The scalar scanners keep depth and ids elsewhere, so only the window has a size. */
export class ScalarArea implements ScanArea {
  readonly window: Uint8Array;
  readonly rows: Int32Array = new Int32Array(TABLE_ROWS * ROW_WORDS);
  readonly leap = undefined;
  busy = false;

  /** The window and the slack behind it. */
  readonly bytes: Uint8Array;
  /** The same memory, four bytes at a time. */
  readonly words: Int32Array;

  constructor({ windowBytes }: AreaSize) {
    const length = windowBytes + WINDOW_SLACK_BYTES;
    this.bytes = searchableView(new ArrayBuffer(length), 0, length);
    this.words = wordsOver(this.bytes);
    this.window = this.bytes.subarray(0, windowBytes);
  }
}
