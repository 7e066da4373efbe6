import { areasFor } from '../../src/engine/areas.ts';
import {
  type FrameScanner,
  type ScanArea,
  type ScanEngine,
  type ScanOptions,
  waitBytes,
} from '../../src/engine/engine.ts';
import { PREVIEW_BYTES, TABLE_ROWS } from '../../src/engine/sizes.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import {
  END,
  FAULT_OFFSET,
  FLAG_DROPPED,
  FLAG_STORED,
  ID_END,
  ID_START,
  LINE_END,
  META,
  METHOD_END,
  METHOD_START,
  PAYLOAD_END,
  PAYLOAD_START,
  ROW_WORDS,
  START,
} from '../../src/table/row.ts';
import { escapedPreview } from '../../src/text/preview.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';

/** What readers have when they say nothing, but for a limit that tests can reach. */
export const defaultOptions: ScanOptions = {
  envelope: 'jsonrpc',
  validate: 'full',
  utf8: 'strict',
  duplicates: 'fault',
  maxFrameBytes: 1 << 20,
  maxDepth: 512,
  maxIdBytes: 1024,
  windowBytes: 1 << 18,
};

/** Most bytes of an input that a failure shows. */
const SHOWN_BYTES = 300;

/** Bytes around what has landed that are overwritten before each turn: more than any scanner may look at. */
const LITTERED_BYTES = 192;

/**
 * Everything that one scanner says about one stream whose bytes come in pieces that end at `cuts`. Each turn does what a reader does:
 * bytes land at one place in the window, what waits from the last turn goes in front of them, an unfinished frame is spilled.
 *
 * `said` is the account to the byte: rows word by word, what was captured of dropped frames, counters, what was left waiting. It depends on
 * the cuts, and is equal for equal engines. `frames` is the same told in positions and texts of the stream: it must not depend on the cuts,
 * nor on `shortcuts`.
 */
export class EngineAccount {
  readonly said: string[] = [];
  readonly frames: string[] = [];
  /** What stands around the bytes that land: it must not matter. */
  litter = 0xc3;

  readonly #scanner: FrameScanner;
  readonly #bytes: Uint8Array;
  readonly #ends: readonly number[];
  readonly #landing: number;
  #turn = 0;
  #from = 0;
  #waiting: Uint8Array = new Uint8Array(0);
  /** Stream offsets of the first byte that is not scanned, and of the frame that has begun to leave the window. */
  #offset = 0;
  #longStart = -1;
  #previewBytes = 0;

  constructor(engine: ScanEngine, bytes: Uint8Array, cuts: readonly number[], options: ScanOptions) {
    this.#scanner = engine.createScanner(options);
    this.#bytes = bytes;
    this.#landing = waitBytes(options.windowBytes);
    this.#ends = endsOf(bytes.length, cuts, options.windowBytes - this.#landing);
  }

  /** The end of the stream has been told. */
  get isDone(): boolean {
    return this.#turn > this.#ends.length;
  }

  /** One turn in `area`: the next piece, or after the last one the end of the stream. */
  step(area: ScanArea): void {
    const isLast = this.#turn === this.#ends.length;
    const to = this.#ends[this.#turn] ?? this.#bytes.length;
    this.#turn++;
    const piece = this.#bytes.subarray(this.#from, to);
    this.#from = to;
    const entry = this.#landing - this.#waiting.length;
    const end = this.#landing + piece.length;
    const { window } = area;
    window.fill(
      this.litter,
      Math.max(0, entry - LITTERED_BYTES),
      Math.min(end + LITTERED_BYTES, window.length),
    );
    window.set(this.#waiting, entry);
    window.set(piece, this.#landing);
    this.#scanner.enter(area, entry);
    const windowOffset = this.#offset - entry;
    if (isLast) this.#finish(area, end, windowOffset);
    else this.#scan(area, end, windowOffset);
  }

  #scan(area: ScanArea, end: number, windowOffset: number): void {
    const scanner = this.#scanner;
    do this.#take(area, scanner.scan(end), windowOffset);
    while (scanner.rowCount === TABLE_ROWS);
    const { frameStart, position } = scanner;
    this.#offset = windowOffset + position;
    // A copy: `slice` would not make one, since the window is a Buffer.
    this.#waiting = Uint8Array.from(area.window.subarray(position, end));
    if (frameStart < position) {
      if (this.#longStart < 0) this.#beginLong(windowOffset + frameStart, position - frameStart);
      scanner.spill();
      this.said.push(`spilled ${scanner.hasSpilled}`);
    }
    this.said.push(`${this.#waiting.length} wait`);
  }

  /** The preview is taken from the bytes that leave first. With bets on they are always enough: a short beginning waits. */
  #beginLong(start: number, byteCount: number): void {
    this.#longStart = start;
    this.#previewBytes = Math.min(byteCount, PREVIEW_BYTES);
  }

  #finish(area: ScanArea, end: number, windowOffset: number): void {
    const scanner = this.#scanner;
    if (scanner.position < end) this.#take(area, scanner.scan(end), windowOffset);
    this.#take(area, scanner.finish(end), windowOffset);
    this.frames.push(`${scanner.blankFrames} blank`);
  }

  #take({ rows }: ScanArea, count: number, windowOffset: number): void {
    const scanner = this.#scanner;
    for (let row = 0; row < count; row++) {
      const words = rows.subarray(row * ROW_WORDS, (row + 1) * ROW_WORDS);
      this.said.push(words.join());
      this.frames.push(this.#frame(words, windowOffset));
    }
    this.said.push(`${count} rows, ${scanner.blankFrames} blank`);
    // A blank frame that has left the window ends without a row.
    if (!scanner.hasSpilled) this.#longStart = -1;
  }

  /** A row in terms of the stream. */
  #frame(words: Int32Array, windowOffset: number): string {
    const { longFrameBytes, captured } = this.#scanner;
    const word = (index: number): number => words[index] ?? 0;
    const meta = word(META);
    const isLong = (meta & (FLAG_STORED | FLAG_DROPPED)) !== 0;
    const isDropped = (meta & FLAG_DROPPED) !== 0;
    const start = isLong ? this.#longStart : windowOffset + word(START);
    const length = isLong ? longFrameBytes : word(END) - word(START);
    const source = isDropped ? captured : this.#bytes.subarray(start, start + length);
    const text = (from: number, to: number): string => latin1(source.subarray(word(from), word(to)));
    if (isLong) this.said.push(`${longFrameBytes} long`);
    if (isDropped) {
      this.said.push(latin1(captured.subarray(0, this.#previewBytes)));
      this.said.push(text(ID_START, ID_END), text(METHOD_START, METHOD_END));
    }
    return [
      `${start}+${length} ${(meta & ~(FLAG_STORED | FLAG_DROPPED)).toString(16)}`,
      `id ${text(ID_START, ID_END)} method ${text(METHOD_START, METHOD_END)}`,
      `payload ${word(PAYLOAD_START)}-${word(PAYLOAD_END)} fault ${word(FAULT_OFFSET)}`,
      `newline ${windowOffset + word(LINE_END)}`,
    ].join(', ');
  }
}

/** The whole account of a stream, told in one area without a break: that of the readers, unless another is given. */
export function account(
  engine: ScanEngine,
  bytes: Uint8Array,
  cuts: readonly number[],
  options: ScanOptions,
  area: ScanArea = areasFor(engine, options).idle(),
): EngineAccount {
  const told = new EngineAccount(engine, bytes, cuts, options);
  while (!told.isDone) told.step(area);
  return told;
}

/** Throws unless both engines give the same account of `bytes`, to the byte. `mode` changes the default options. */
export function expectEqualTables(
  bytes: Uint8Array,
  cuts: readonly number[],
  mode: Partial<ScanOptions> = {},
): void {
  const options = { ...defaultOptions, ...mode };
  const scalar = account(scalarEngine, bytes, cuts, options);
  const found = difference(scalar.said, account(wasmEngine, bytes, cuts, options).said);
  if (found === undefined) return;
  const text = escapedPreview(bytes, 0, Math.min(bytes.length, SHOWN_BYTES));
  throw new Error(`wasm's ${found}\n${JSON.stringify(mode)} cut at ${cuts.slice(0, 9)}: ${text}`);
}

/** First place where two accounts differ, with what stands there; undefined when they are equal. */
export function difference(expected: readonly string[], actual: readonly string[]): string | undefined {
  const at = expected.findIndex((line, index) => line !== actual[index]);
  if (at < 0 && expected.length === actual.length) return undefined;
  const index = at < 0 ? expected.length : at;
  return `entry ${index} is\n  ${actual[index] ?? 'missing'}\ninstead of\n  ${expected[index] ?? 'nothing'}`;
}

/** Ends of the pieces: the cuts and the whole, and between them no piece that does not fit `room`. */
function endsOf(length: number, cuts: readonly number[], room: number): number[] {
  const ends: number[] = [];
  let from = 0;
  for (const end of [...cuts, length]) {
    for (; end - from > room; from += room) ends.push(from + room);
    ends.push(end);
    from = end;
  }
  return ends;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
