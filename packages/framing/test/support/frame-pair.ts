import { LF } from '../../src/bytes.ts';
import type { ScanArea, ScanEngine, ScanOptions } from '../../src/engine/engine.ts';
import { TABLE_ROWS } from '../../src/engine/sizes.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import { CODE_UTF8 } from '../../src/table/meta.ts';
import { CODE_MASK, CODE_SHIFT, LINE_END, META, ROW_WORDS, START } from '../../src/table/row.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';
import { defaultOptions } from './engine-account.ts';

/** Whole frames, scanned by both engines a window full at a time: for tests that need millions. */
export class FramePair {
  readonly #sides: readonly [Side, Side];
  readonly #bytes = new Uint8Array(defaultOptions.windowBytes);
  #length = 0;
  /** By row, whether its text is to be well-formed, or `undefined` where only the engines must agree. */
  #expected: (boolean | undefined)[] = [];

  constructor(options: ScanOptions) {
    this.#sides = [new Side(scalarEngine, options), new Side(wasmEngine, options)];
  }

  /** `isGood`: whether its text must be found well-formed; then it must be one frame. */
  add(frame: Uint8Array, isGood?: boolean): void {
    if (this.#length + frame.length + 1 > this.#bytes.length || this.#expected.length === TABLE_ROWS) {
      this.compare();
    }
    this.#bytes.set(frame, this.#length);
    this.#length += frame.length;
    this.#bytes[this.#length++] = LF;
    this.#expected.push(isGood);
  }

  /** Throws where the rows of the frames since the last time differ, or say other than expected. */
  compare(): void {
    const bytes = this.#bytes.subarray(0, this.#length);
    const [scalar, wasm] = [this.#sides[0].rows(bytes), this.#sides[1].rows(bytes)];
    const count = Math.max(scalar.length, wasm.length) / ROW_WORDS;
    for (let row = 0; row < count; row++) {
      const from = row * ROW_WORDS;
      let isEqual = true;
      for (let word = from; word < from + ROW_WORDS; word++) isEqual &&= scalar[word] === wasm[word];
      const code = ((wasm[from + META] ?? 0) >> CODE_SHIFT) & CODE_MASK;
      const isGood = this.#expected[row];
      if (isEqual && (isGood === undefined || (code === CODE_UTF8) === !isGood)) continue;
      const rows = [wasm, scalar].map((words) => words.subarray(from, from + ROW_WORDS).join());
      const text = Buffer.from(bytes.subarray(wasm[from + START], wasm[from + LINE_END])).toString('latin1');
      throw new Error(`${JSON.stringify(text)}: wasm ${rows[0]}, scalar ${rows[1]}, to be good: ${isGood}`);
    }
    this.#length = 0;
    this.#expected = [];
  }
}

/** One engine at work on windows full of whole frames. */
class Side {
  readonly #area: ScanArea;
  readonly #engine: ScanEngine;
  readonly #options: ScanOptions;
  readonly #rows = new Int32Array(4 * TABLE_ROWS * ROW_WORDS);

  constructor(engine: ScanEngine, options: ScanOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#area = engine.openArea(options);
  }

  /** The rows of all frames, valid until the next call. */
  rows(bytes: Uint8Array): Int32Array {
    const scanner = this.#engine.createScanner(this.#options);
    this.#area.window.set(bytes);
    scanner.enter(this.#area, 0);
    let length = 0;
    do {
      const table = this.#area.rows.subarray(0, scanner.scan(bytes.length) * ROW_WORDS);
      this.#rows.set(table, length);
      length += table.length;
    } while (scanner.rowCount === TABLE_ROWS);
    return this.#rows.subarray(0, length);
  }
}
