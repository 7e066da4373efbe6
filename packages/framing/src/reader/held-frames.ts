import { searchableView } from '../engine/window-bytes.ts';
import { END, LINE_END, META, ROW_WORDS, START } from '../table/row.ts';
import { type BatchSource, isLong, type MutableSource } from './batch-source.ts';
import { LongFrame } from './long-frame.ts';
import { poisonByte, poisons } from './poison.ts';

const NO_BYTES = new Uint8Array(0);
const NO_ROWS = new Int32Array(0);

/**
 * Frames that a callback has not consumed. They leave the area, which other readers need, and are delivered from here until they are:
 * copied once, whatever number of callbacks that takes, and never scanned again.
 */
export class HeldFrames {
  /** What batches of held frames read from. */
  readonly source: BatchSource;
  readonly #source: MutableSource;

  constructor({ options, names, slots }: BatchSource) {
    this.#source = {
      options,
      names,
      slots,
      rows: NO_ROWS,
      window: NO_BYTES,
      windowOffset: 0,
      leap: undefined,
      long: new LongFrame(options.maxFrameBytes, options.windowBytes),
    };
    this.source = this.#source;
  }

  /** Memory held for their bytes. A long one among them is not counted. */
  get byteLength(): number {
    return this.#source.window.length;
  }

  /** Takes the rows of `live` from `from` to `to`, which become rows 0 and up. */
  take(live: MutableSource, from: number, to: number): void {
    const source = this.#source;
    const rows = live.rows.slice(from * ROW_WORDS, to * ROW_WORDS);
    const firstIsLong = isLong(rows[META]);
    const start = rows[firstIsLong ? LINE_END : START];
    const end = rows[rows.length - ROW_WORDS + LINE_END];
    const bytes = searchableView(new ArrayBuffer(end - start), 0, end - start);
    bytes.set(live.window.subarray(start, end));
    for (let row = firstIsLong ? ROW_WORDS : 0; row < rows.length; row += ROW_WORDS) {
      rows[row + START] -= start;
      rows[row + END] -= start;
      rows[row + LINE_END] -= start;
    }
    source.rows = rows;
    source.window = bytes;
    source.windowOffset = live.windowOffset + start;
    if (!firstIsLong) return;
    // The long frame goes with its row; the next one to grow long gets this one's memory.
    const { long } = live;
    live.long = source.long;
    source.long = long;
  }

  /** All of them are consumed. */
  clear(): void {
    if (poisons) this.#source.window.fill(poisonByte);
    this.#source.window = NO_BYTES;
    this.#source.rows = NO_ROWS;
    // Two frames at the limit must never be in memory at once.
    this.#source.long.rest();
  }
}
