import type { FrameScanner, ScanOptions } from '../engine/engine.ts';
import { selectEngine } from '../engine/select.ts';
import { FramingError } from '../errors.ts';
import { FLAG_DROPPED, FLAG_STORED, LINE_END, META, ROW_WORDS, START } from '../table/row.ts';
import { NameCache } from '../text/name-cache.ts';
import { type BatchSource, FrameBatch } from './batch.ts';
import { type FrameReaderOptions, scanOptions } from './options.ts';
import { poisonByte, poisons } from './poison.ts';
import { countRows, emptyStats, type FrameReaderStats, type MutableStats } from './stats.ts';
import { FrameStore } from './store.ts';

/** Room that a read should find in the window; with less, the unfinished frame makes way. A quarter of the window. */
const ROOM_SHIFT = 2;

/** A CR before the newline is not counted by the limit but may have to be stored. */
const CR_BYTES = 1;

/** Starts reading a stream of frames. @throws FramingError `OPTION_RANGE`, `OPTION_INVALID`, `ENGINE_UNAVAILABLE` */
export function createFrameReader(options: FrameReaderOptions): FrameReader {
  return new FrameReader(options);
}

/**
 * Turns bytes into frames: feed it with `push`, or with `reserve` and `commit` to save the copy, then `end`.
 *
 * The same input gives the same frames however it is split. Work is linear in bytes. Memory is at most `maxFrameBytes` +
 * `windowBytes`, plus what is pushed after `push` said false. Callbacks run synchronously inside these calls.
 */
export class FrameReader {
  readonly #options: ScanOptions;
  readonly #handlers: FrameReaderOptions;
  readonly #scanner: FrameScanner;
  readonly #store: FrameStore;
  readonly #source: MutableSource;
  readonly #stats: MutableStats = emptyStats();

  /** Bytes landed in the window. */
  #filled = 0;
  /** Rows of the table that are not consumed: from `#head` to `#tail`. */
  #head = 0;
  #tail = 0;
  /** The store holds the beginning of the unfinished frame, or the whole of the frame in row 0. */
  #storing = false;
  #paused = false;
  #held = false;
  #inCallback = false;
  /** A chunk is being taken piece by piece: later chunks wait. */
  #feeding = false;
  #closed = false;
  #ending = false;
  #ended = false;
  /** Chunks that were pushed while frames were held and the window was full; copies. */
  #backlog: Uint8Array[] = [];

  constructor(options: FrameReaderOptions) {
    this.#options = scanOptions(options);
    this.#handlers = options;
    this.#scanner = selectEngine(options.engine).createScanner(this.#options);
    this.#store = new FrameStore(this.#options.maxFrameBytes + CR_BYTES);
    this.#source = {
      options: this.#options,
      rows: this.#scanner.rows,
      window: this.#scanner.window,
      captured: this.#scanner.captured,
      stored: this.#scanner.captured,
      windowOffset: 0,
      longFrameOffset: 0,
      longFrameBytes: 0,
      names: new NameCache(),
    };
  }

  /** No frames are delivered until `resume`. */
  get paused(): boolean {
    return this.#paused;
  }

  /**
   * Takes a chunk of any size; its bytes are copied, so the chunk may be reused at once.
   *
   * @returns false when frames are paused or held: stop feeding until `resume`, or the chunks pile up
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  push(chunk: Uint8Array): boolean {
    this.#assertFeedable('push');
    if (this.#backlog.length > 0) this.#backlog.push(chunk.slice());
    else this.#feed(chunk);
    return !this.#blocked;
  }

  /**
   * The free part of the window, to read into. Valid until the next call of this reader. Empty while held frames fill the window.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  reserve(): Uint8Array {
    this.#assertFeedable('reserve');
    this.#makeRoom();
    return this.#scanner.window.subarray(this.#filled);
  }

  /**
   * Says that `byteCount` bytes have landed at the start of what `reserve` returned.
   *
   * @returns like `push`
   * @throws FramingError `REENTRANT`, `READER_CLOSED`, `OPTION_RANGE` when more than the reserved bytes are named
   */
  commit(byteCount: number): boolean {
    this.#assertFeedable('commit');
    const room = this.#scanner.window.length - this.#filled;
    if (!Number.isInteger(byteCount) || byteCount < 0 || byteCount > room) {
      throw new FramingError(
        'OPTION_RANGE',
        `commit takes an integer from 0 to ${room} reserved bytes, not ${String(byteCount)}`,
      );
    }
    this.#land(byteCount);
    return !this.#blocked;
  }

  /**
   * The stream has ended. A whole object without a newline is delivered, any other rest is a `FRAME_TRUNCATED` fault.
   * While paused, that comes after `resume`.
   *
   * @throws FramingError `REENTRANT` inside the callback, `READER_CLOSED` after `close` or `end`
   */
  end(): void {
    this.#assertFeedable('end');
    this.#ending = true;
    this.#held = false;
    this.#advance();
  }

  /** Stops delivering. Inside the callback it takes effect when the callback returns. */
  pause(): void {
    this.#paused = true;
  }

  /** Delivers what was held, then goes on. */
  resume(): void {
    this.#paused = false;
    this.#held = false;
    if (!this.#inCallback) this.#advance();
  }

  /** Drops everything; nothing is delivered any more. Legal at any time, also inside the callback. */
  close(): void {
    this.#closed = true;
    this.#backlog = [];
    if (!this.#inCallback) this.#store.clear();
  }

  /** Counters since the start. A copy. */
  stats(): FrameReaderStats {
    const storedBytes = this.#store.heldBytes;
    const { blankFrames } = this.#scanner;
    return {
      ...this.#stats,
      blankFrames,
      storedBytes,
      windowBytes: this.#options.windowBytes,
      fallbackFrames: 0,
    };
  }

  get #blocked(): boolean {
    return this.#paused || this.#head < this.#tail;
  }

  #assertFeedable(call: string): void {
    if (this.#inCallback) {
      throw new FramingError(
        'REENTRANT',
        `${call}() was called inside onFrames: feed the reader after the callback has returned`,
      );
    }
    if (this.#closed || this.#ending)
      throw new FramingError('READER_CLOSED', `${call}() was called after close() or end()`);
  }

  #feed(chunk: Uint8Array): void {
    this.#feeding = true;
    let offset = 0;
    while (offset < chunk.length && !this.#closed) {
      const room = this.#roomForFeed();
      if (room === 0) {
        this.#backlog.unshift(chunk.slice(offset));
        break;
      }
      const part = offset === 0 && chunk.length <= room ? chunk : chunk.subarray(offset, offset + room);
      this.#scanner.window.set(part, this.#filled);
      offset += part.length;
      this.#land(part.length);
    }
    this.#feeding = false;
  }

  /** Bytes that fit the window now. Held frames that fill it are offered once more. */
  #roomForFeed(): number {
    this.#makeRoom();
    if (this.#filled === this.#scanner.window.length && this.#held) {
      this.#held = false;
      this.#advance();
      this.#makeRoom();
    }
    return this.#scanner.window.length - this.#filled;
  }

  #land(byteCount: number): void {
    this.#filled += byteCount;
    this.#stats.bytes += byteCount;
    this.#held = false;
    this.#advance();
  }

  /** Delivers and scans until the bytes are used up, or the callback holds frames. */
  #advance(): void {
    for (;;) {
      if (this.#closed || this.#paused || this.#held) return;
      if (this.#head < this.#tail) {
        this.#deliver();
        continue;
      }
      if (this.#scanner.position < this.#filled && this.#takeRows(this.#scanner.scan(this.#filled))) continue;
      if (this.#feeding) return;
      const chunk = this.#backlog.shift();
      if (chunk !== undefined) {
        this.#feed(chunk);
        if (this.#blocked) return;
        continue;
      }
      if (!this.#ending || this.#ended) return;
      this.#ended = true;
      this.#takeRows(this.#scanner.finish(this.#filled));
    }
  }

  /** Makes the rows of a fresh table the ones to deliver. False: there are none. */
  #takeRows(count: number): boolean {
    this.#head = 0;
    this.#tail = count;
    const { rows, frameStart } = this.#scanner;
    if (count > 0) countRows(this.#stats, rows, count);
    if (this.#storing && frameStart > 0) {
      // The stored frame has ended: it is in row 0, or it was blank.
      if (count > 0 && this.#isLongRow0()) this.#completeLongFrame(rows[META], rows[LINE_END]);
      else this.#endStoring();
    }
    return count > 0;
  }

  /** The frame in row 0 outgrew the window and ends before `lineEnd`: brings its last bytes together with the rest. */
  #completeLongFrame(meta: number, lineEnd: number): void {
    this.#source.longFrameBytes = this.#scanner.longFrameBytes;
    if ((meta & FLAG_DROPPED) === 0) {
      this.#store.append(this.#scanner.window.subarray(0, lineEnd));
      this.#noteStored();
      this.#source.stored = this.#store.view();
    } else {
      this.#stats.droppedBytes += this.#source.longFrameBytes;
    }
  }

  #deliver(): void {
    const count = this.#tail - this.#head;
    const batch = new FrameBatch(this.#source, this.#head, count);
    let consumed: number;
    this.#inCallback = true;
    this.#stats.batches++;
    try {
      const returned = this.#handlers.onFrames(batch);
      consumed = typeof returned === 'number' ? returned : batch.consumed >= 0 ? batch.consumed : count;
      batch.release();
      this.#inCallback = false;
    } catch (error) {
      consumed = batch.release();
      this.#inCallback = false;
      this.#report(error);
    }
    this.#consume(Math.min(Math.max(Math.trunc(consumed), 0), count), count);
  }

  #consume(consumed: number, count: number): void {
    const from = this.#head;
    this.#head += consumed;
    if (consumed > 0) {
      if (poisons) this.#poison(from, this.#head);
      if (from === 0 && this.#storing && this.#isLongRow0()) this.#endStoring();
    }
    if (consumed < count) this.#held = true;
    if (this.#closed) this.#store.clear();
  }

  #endStoring(): void {
    this.#storing = false;
    this.#store.clear();
    this.#source.stored = this.#source.captured;
  }

  #isLongRow0(): boolean {
    return (this.#scanner.rows[META] & (FLAG_STORED | FLAG_DROPPED)) !== 0;
  }

  #report(error: unknown): void {
    if (this.#handlers.onError === undefined) {
      throwLater(error);
      return;
    }
    try {
      this.#handlers.onError(error);
    } catch (secondError) {
      throwLater(secondError);
    }
  }

  /** Gives a read at least a quarter of the window, unless held frames are in the way. Each byte moves at most once. */
  #makeRoom(): void {
    if (this.#head < this.#tail) return;
    const scanner = this.#scanner;
    if (scanner.position < this.#filled) return;
    const unfinished = this.#filled - scanner.frameStart;
    if (unfinished === 0 && !this.#storing) {
      this.#shiftTo(this.#filled);
      return;
    }
    const windowBytes = scanner.window.length;
    const wanted = windowBytes >> ROOM_SHIFT;
    if (this.#storing) {
      this.#spill();
    } else if (windowBytes - this.#filled < wanted) {
      if (windowBytes - unfinished >= wanted) this.#shiftTo(scanner.frameStart);
      else this.#spill();
    }
  }

  /** Moves what stands from `position` on to the front of the window. */
  #shiftTo(position: number): void {
    if (position === 0) return;
    const { window } = this.#scanner;
    if (position < this.#filled) window.copyWithin(0, position, this.#filled);
    this.#scanner.rebase(position);
    this.#filled -= position;
    this.#source.windowOffset += position;
  }

  /** Moves the unfinished frame, or its newest bytes, from the window to the store. */
  #spill(): void {
    const scanner = this.#scanner;
    const from = scanner.frameStart;
    if (!this.#storing) {
      this.#storing = true;
      this.#source.longFrameOffset = this.#source.windowOffset + from;
    }
    const moved = this.#filled;
    scanner.spill();
    this.#store.append(scanner.window.subarray(from, moved));
    this.#noteStored();
    this.#filled = 0;
    this.#source.windowOffset += moved;
  }

  #noteStored(): void {
    const { heldBytes } = this.#store;
    if (heldBytes > this.#stats.peakStoredBytes) this.#stats.peakStoredBytes = heldBytes;
  }

  #poison(from: number, to: number): void {
    const { rows, window } = this.#scanner;
    for (let index = from; index < to; index++) {
      const row = index * ROW_WORDS;
      if ((rows[row + META] & FLAG_STORED) !== 0) this.#store.fill(poisonByte);
      window.fill(poisonByte, rows[row + START], rows[row + LINE_END]);
    }
  }
}

/** Makes an error nobody takes an uncaught exception, without breaking off the delivery of frames. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

type MutableSource = { -readonly [Key in keyof BatchSource]: BatchSource[Key] };
