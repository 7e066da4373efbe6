import type { FrameScanner, ScanOptions } from '../engine/engine.ts';
import { FLAG_DROPPED, FLAG_STORED, LINE_END, META, ROW_WORDS, START } from '../table/row.ts';
import { NameCache } from '../text/name-cache.ts';
import type { BatchSource } from './batch.ts';
import { poisonByte } from './poison.ts';
import { FrameStore } from './store.ts';

/** Room that a read should find in the window: a quarter of it. With less, the unfinished frame makes way. */
const ROOM_SHIFT = 2;

/** A CR before the newline is not counted by the limit but may have to be stored. */
const CR_BYTES = 1;

/**
 * Where bytes land, and where they go when the window is needed again: an unfinished frame moves to the window's front while it is
 * small, to the store when it is not. Each byte moves at most twice, whatever the size of the reads.
 */
export class Landing {
  readonly window: Uint8Array;
  /** What batches read from. */
  readonly source: BatchSource;
  /** The most memory the store ever held, in bytes. */
  peakStoredBytes = 0;
  /** Bytes of the frames over the limit that had left the window. */
  droppedBytes = 0;
  /** Bytes landed in the window. */
  filled = 0;

  readonly #source: MutableSource;
  readonly #scanner: FrameScanner;
  readonly #store: FrameStore;
  /** The store holds the beginning of the unfinished frame, or the whole of the frame in row 0. */
  #storing = false;

  constructor(scanner: FrameScanner, options: ScanOptions) {
    this.window = scanner.window;
    this.#scanner = scanner;
    this.#store = new FrameStore(options.maxFrameBytes + CR_BYTES);
    this.#source = {
      options,
      rows: scanner.rows,
      window: scanner.window,
      captured: scanner.captured,
      stored: scanner.captured,
      windowOffset: 0,
      longFrameOffset: 0,
      longFrameBytes: 0,
      names: new NameCache(),
    };
    this.source = this.#source;
  }

  /** Free bytes at the window's end. */
  get room(): number {
    return this.window.length - this.filled;
  }

  /** Memory held by the store now, in bytes. */
  get storedBytes(): number {
    return this.#store.heldBytes;
  }

  /**
   * Gives a read at least a quarter of the window, except while frames that are not scanned yet fill it (the reader is paused).
   * Only when no row points into the window.
   */
  makeRoom(): void {
    const { frameStart, position } = this.#scanner;
    const isScanned = position === this.filled;
    const unfinished = this.filled - frameStart;
    const wanted = this.window.length >> ROOM_SHIFT;
    if (unfinished === 0 && !this.#storing) this.#shiftTo(this.filled);
    else if (this.room >= wanted) return;
    else if (!this.#storing && (this.window.length - unfinished >= wanted || !isScanned))
      this.#shiftTo(frameStart);
    else if (isScanned) this.#spill();
  }

  /** The scanner has written a fresh table: brings the bytes of a long frame together, or ends the storing of a blank one. */
  settle(rowCount: number): void {
    if (!this.#storing || this.#scanner.hasSpilled) return;
    const { rows, longFrameBytes } = this.#scanner;
    if (rowCount === 0 || !this.#isLongRow0()) {
      this.#endStoring();
      return;
    }
    this.#source.longFrameBytes = longFrameBytes;
    if ((rows[META] & FLAG_DROPPED) !== 0) {
      this.droppedBytes += longFrameBytes;
      return;
    }
    this.#store.append(this.window.subarray(0, rows[LINE_END]));
    this.#noteStored();
    this.#source.stored = this.#store.view();
  }

  /** The rows from `from` to `to` are done with: their memory may go. */
  release(from: number, to: number): void {
    if (from === 0 && to > 0 && this.#storing && this.#isLongRow0()) this.#endStoring();
  }

  /**
   * Everything that landed is scanned and consumed. Unless the next frame has begun already, which may be as long as the last, the
   * store's memory is given back: system calls and page faults for it cost as much as scanning does (bench case `frame index`, 1mb).
   */
  rest(): void {
    if (this.#store.heldBytes > 0 && !this.#storing && this.#scanner.frameStart === this.filled)
      this.#store.free();
  }

  /** Overwrites the bytes of the rows from `from` to `to` (poison mode). */
  poison(from: number, to: number): void {
    const { rows } = this.#scanner;
    for (let index = from; index < to; index++) {
      const row = index * ROW_WORDS;
      if ((rows[row + META] & FLAG_STORED) !== 0) this.#store.fill(poisonByte);
      this.window.fill(poisonByte, rows[row + START], rows[row + LINE_END]);
    }
  }

  /** Gives all memory of the store back. */
  close(): void {
    this.#store.free();
  }

  #isLongRow0(): boolean {
    return (this.#scanner.rows[META] & (FLAG_STORED | FLAG_DROPPED)) !== 0;
  }

  #endStoring(): void {
    this.#storing = false;
    this.#store.clear();
    this.#source.stored = this.#source.captured;
  }

  /** Moves what stands from `position` on to the front of the window. */
  #shiftTo(position: number): void {
    if (position === 0) return;
    if (position < this.filled) this.window.copyWithin(0, position, this.filled);
    this.#scanner.rebase(position);
    this.filled -= position;
    this.#source.windowOffset += position;
  }

  /** Moves the unfinished frame, or its newest bytes, from the window to the store. */
  #spill(): void {
    const from = this.#scanner.frameStart;
    if (!this.#storing) {
      this.#storing = true;
      this.#source.longFrameOffset = this.#source.windowOffset + from;
    }
    const moved = this.filled;
    this.#scanner.spill();
    this.#store.append(this.window.subarray(from, moved));
    this.#noteStored();
    this.filled = 0;
    this.#source.windowOffset += moved;
  }

  #noteStored(): void {
    this.peakStoredBytes = Math.max(this.peakStoredBytes, this.#store.heldBytes);
  }
}

type MutableSource = { -readonly [Key in keyof BatchSource]: BatchSource[Key] };
