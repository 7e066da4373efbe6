import { LF } from '../bytes.ts';
import type { AreaPool } from '../engine/areas.ts';
import { type FrameScanner, type ScanArea, waitBytes } from '../engine/engine.ts';
import { TABLE_ROWS } from '../engine/sizes.ts';
import { forgetMemory } from '../json/shapes/walk.ts';
import { FLAG_DROPPED, LINE_END, META } from '../table/row.ts';
import { NameCache } from '../text/name-cache.ts';
import { beginText } from '../text/recent-text.ts';
import { type BatchSource, isLong, type MutableSource } from './batch-source.ts';
import { Carry } from './carry.ts';
import { HeldFrames } from './held-frames.ts';
import { LongFrame } from './long-frame.ts';
import { PayloadSlots } from './payload-slots.ts';
import { poisonByte, poisons } from './poison.ts';
import type { ReaderSettings } from './settings.ts';

const NO_BYTES = new Uint8Array(0);
const NO_ROWS = new Int32Array(0);

/**
 * A reader's turns in an area that it shares with the other readers of its thread.
 *
 *     0 ········ entry ······ headroom ············· filled ········ windowBytes
 *                └─ carried ──┘└─ landed this turn ──┘
 *
 * Bytes land at the same place in every turn, so that a view of it may be given out long before they come; the beginning of a frame
 * that waits from the last turn is put in front of them. When a turn is over, nothing is left in the area: rows that are not consumed
 * are held elsewhere, an unfinished frame goes to the store, and a beginning that waits to the carry.
 */
export class Landing {
  /** Most bytes that can land in one turn. */
  readonly room: number;
  /** What batches of rows in the area read from. */
  readonly source: BatchSource;
  /** The rows that were not consumed in their turn. Only when it is empty may a turn begin. */
  readonly held: HeldFrames;
  /** The most memory that stores ever held, in bytes. */
  peakStoredBytes = 0;
  /** Bytes of the frames over the limit that had left the window. */
  droppedBytes = 0;

  readonly #scanner: FrameScanner;
  readonly #areas: AreaPool;
  readonly #source: MutableSource;
  readonly #carry = new Carry();
  readonly #headroom: number;
  readonly #windowBytes: number;
  /** The area that this reader is at work in; undefined between its calls. */
  #area: ScanArea | undefined;
  /** The area that `reserve` gave a view of, and that view. */
  #reserved: ScanArea | undefined;
  #reservedView: Uint8Array = NO_BYTES;
  /** Where this turn's bytes begin and end in the window. */
  #entry = 0;
  #filled = 0;
  /** The most that a turn of this call has filled. */
  #highest = 0;
  /** The last table was full: what follows it is not known. */
  #isTableFull = false;
  /** Stream offset of the first byte that is not scanned. */
  #offset = 0;

  constructor(areas: AreaPool, options: ReaderSettings) {
    this.#scanner = areas.engine.createScanner(options);
    this.#areas = areas;
    this.#windowBytes = options.windowBytes;
    this.#headroom = waitBytes(options.windowBytes);
    this.room = this.#windowBytes - this.#headroom;
    this.#source = {
      options,
      names: new NameCache(),
      slots: new PayloadSlots(),
      rows: NO_ROWS,
      window: NO_BYTES,
      windowOffset: 0,
      leap: undefined,
      long: new LongFrame(options.maxFrameBytes, options.windowBytes),
    };
    this.source = this.#source;
    this.held = new HeldFrames(this.#source);
  }

  get blankFrames(): number {
    return this.#scanner.blankFrames;
  }

  /** Memory held by stores now, in bytes. */
  get storedBytes(): number {
    return this.#source.long.heldBytes + this.held.source.long.heldBytes;
  }

  /** Bytes that the reader keeps beside the one frame of up to `maxFrameBytes` that it may store. */
  get keptBytes(): number {
    const { long } = this.held.source;
    return this.held.byteLength + this.#carry.length + (long.isOpen ? this.#source.long.storedBytes : 0);
  }

  /** Where bytes land, in an area that is idle. The same view again and again: no object per read. */
  reserve(): Uint8Array {
    const area = this.#areas.idle();
    if (area !== this.#reserved) {
      this.#reserved = area;
      this.#reservedView = area.window.subarray(this.#headroom, this.#windowBytes);
    }
    return this.#reservedView;
  }

  /** What the last `reserve` returned. */
  get reservedView(): Uint8Array {
    return this.#reservedView;
  }

  /** A reader is at work in the area of the reserved view: what has landed there is worth nothing. */
  get isReservedBusy(): boolean {
    return this.#reserved?.busy === true;
  }

  /**
   * Keeps bytes outside of any area when they can be nothing but more of a beginning that waits. It keeps work linear: in tiny pieces, a
   * line would else be moved in and out of the window with each of them. False: they need a turn.
   */
  keepsAside(chunk: Uint8Array): boolean {
    const { length } = chunk;
    // Most chunks end with their line; then there is nothing to search for.
    if (!this.#mayKeep(length) || chunk[length - 1] === LF || chunk.indexOf(LF) >= 0) return false;
    this.#carry.append(chunk, 0, length);
    return true;
  }

  /** The same for the first `byteCount` bytes of the reserved view. */
  keepsLanded(byteCount: number): boolean {
    if (!this.#mayKeep(byteCount)) return false;
    const view = this.#reservedView;
    // A sentinel ends the search. It fits: nothing near the length of the view may be kept.
    view[byteCount] = LF;
    if (view.indexOf(LF) < byteCount) return false;
    this.#carry.append(view, 0, byteCount);
    return true;
  }

  /** Occupies an idle area until `release`. @throws what `AreaPool.idle` does */
  open(): ScanArea {
    return this.#area ?? this.#occupy(this.#areas.idle());
  }

  /** Begins a turn with a copy of `bytes`, no more than `room`. @throws like `open` */
  enterWith(bytes: Uint8Array): void {
    const area = this.open();
    area.window.set(bytes, this.#headroom);
    this.#enter(area, bytes.length);
  }

  /** Begins a turn with the first `byteCount` bytes of the reserved view. */
  enterLanded(byteCount: number): void {
    if (this.#reserved !== undefined) this.#enter(this.#occupy(this.#reserved), byteCount);
  }

  /** A fresh table. Returns its number of rows; 0: what is left must wait. Only when the last table is consumed. */
  scan(): number {
    if (this.#scanner.position === this.#filled) return this.#settle(0);
    return this.#settle(this.#scanner.scan(this.#filled));
  }

  /** The end of the stream: a fresh table with at most one row. */
  finish(): number {
    // What was kept aside is new to the scanner. There is no newline in it, so no row comes of it.
    if (this.#scanner.position < this.#filled) this.#scanner.scan(this.#filled);
    return this.#settle(this.#scanner.finish(this.#filled));
  }

  /**
   * Ends a turn. The rows from `head` to `tail` are not consumed.
   * Returns how many bytes at the window's end may hold frames and were not scanned, because the table before them was full. They are
   * the caller's to keep.
   */
  leave(head: number, tail: number): number {
    if (head < tail) this.held.take(this.#source, head, tail);
    const { window, windowOffset, long } = this.#source;
    const { frameStart, position } = this.#scanner;
    this.#offset = windowOffset + position;
    if (frameStart < position) {
      if (!long.isOpen) long.begin(windowOffset + frameStart);
      this.#scanner.spill();
      long.append(window, frameStart, position);
      this.#noteStored();
    }
    if (this.#isTableFull) return this.#filled - position;
    if (position < this.#filled) this.#carry.append(window, position, this.#filled);
    return 0;
  }

  /** The last `byteCount` bytes of this turn, a view. */
  lastBytes(byteCount: number): Uint8Array {
    return this.#source.window.subarray(this.#filled - byteCount, this.#filled);
  }

  /** The call is over: others may work in the area. Nothing happens when none was needed. */
  release(): void {
    const area = this.#area;
    if (area === undefined) return;
    if (poisons) area.window.fill(poisonByte, 0, this.#highest);
    this.#area = undefined;
    area.busy = false;
    if (this.#carry.length > 0) return;
    // No frame has begun behind the last one. A big one would need the memory again: giving it back and faulting it in costs as much as
    // scanning does (bench case `frame index`, 1mb).
    this.#source.long.rest();
    this.held.source.long.rest();
  }

  /** There will be no more turns: lets go of every area. What is held stays. */
  retire(): void {
    // What reads text fast remembers the memory it read last, for which a closed reader's own window may be too large.
    beginText(NO_BYTES, 0);
    forgetMemory();
    this.#scanner.close();
    this.#areas.close();
    this.#source.window = NO_BYTES;
    this.#source.rows = NO_ROWS;
    this.#source.leap = undefined;
    this.#reserved = undefined;
    this.#reservedView = NO_BYTES;
  }

  /** Gives all memory back, what is held too; there will be no more turns. */
  close(): void {
    this.#carry.clear();
    this.held.clear();
    this.held.source.long.close();
    this.#source.long.close();
    this.retire();
  }

  /** So many bytes may become part of the beginning that waits, if they hold no newline. */
  #mayKeep(byteCount: number): boolean {
    return !this.#source.long.isOpen && this.#carry.length + byteCount <= this.#headroom;
  }

  #occupy(area: ScanArea): ScanArea {
    area.busy = true;
    this.#area = area;
    this.#highest = 0;
    return area;
  }

  #enter(area: ScanArea, byteCount: number): void {
    const source = this.#source;
    this.#entry = this.#carry.moveBefore(area.window, this.#headroom);
    this.#filled = this.#headroom + byteCount;
    this.#highest = Math.max(this.#highest, this.#filled);
    source.window = area.window;
    source.rows = area.rows;
    source.leap = source.options.validate === 'none' ? undefined : area.leap;
    source.windowOffset = this.#offset - this.#entry;
    this.#scanner.enter(area, this.#entry);
  }

  /** The scanner has written a fresh table: brings the bytes of a long frame together, or lets go of one that was white space. */
  #settle(rowCount: number): number {
    this.#isTableFull = rowCount === TABLE_ROWS;
    const { rows, window, long } = this.#source;
    if (!long.isOpen || this.#scanner.hasSpilled) return rowCount;
    const { longFrameBytes, captured } = this.#scanner;
    if (rowCount === 0 || !isLong(rows[META])) {
      long.end();
    } else if ((rows[META] & FLAG_DROPPED) !== 0) {
      this.droppedBytes += longFrameBytes;
      long.completeDropped(longFrameBytes, captured);
    } else {
      long.append(window, this.#entry, rows[LINE_END]);
      long.complete(longFrameBytes);
      this.#noteStored();
    }
    return rowCount;
  }

  #noteStored(): void {
    this.peakStoredBytes = Math.max(this.peakStoredBytes, this.storedBytes);
  }
}
