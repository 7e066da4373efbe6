import { describe, expect, it } from 'vitest';
import type { FrameScanner, ScanArea, ScanEngine, ScanOptions } from '../../src/engine/engine.ts';
import { FLAG_METHOD, META, ROW_WORDS } from '../../src/table/row.ts';
import { fuzz } from './fuzz.ts';
import { ourEngines } from './trial.ts';

/** Does what the scanner does and then takes its rows for its own. */
class FalseScanner implements FrameScanner {
  readonly #scanner: FrameScanner;
  readonly #falsify: (row: Int32Array) => void;
  #area: ScanArea | undefined;

  constructor(scanner: FrameScanner, falsify: (row: Int32Array) => void) {
    this.#scanner = scanner;
    this.#falsify = falsify;
  }

  get rowCount(): number {
    return this.#scanner.rowCount;
  }
  get position(): number {
    return this.#scanner.position;
  }
  get frameStart(): number {
    return this.#scanner.frameStart;
  }
  get hasSpilled(): boolean {
    return this.#scanner.hasSpilled;
  }
  get blankFrames(): number {
    return this.#scanner.blankFrames;
  }
  get longFrameBytes(): number {
    return this.#scanner.longFrameBytes;
  }
  get captured(): Uint8Array {
    return this.#scanner.captured;
  }

  enter(area: ScanArea, at: number): void {
    this.#area = area;
    this.#scanner.enter(area, at);
  }
  scan(end: number): number {
    return this.#taken(this.#scanner.scan(end));
  }
  finish(end: number): number {
    return this.#taken(this.#scanner.finish(end));
  }
  close(): void {
    this.#scanner.close();
  }
  spill(): void {
    this.#scanner.spill();
  }

  #taken(count: number): number {
    for (let row = 0; row < count; row++) {
      const words = this.#area?.rows.subarray(row * ROW_WORDS, (row + 1) * ROW_WORDS);
      if (words !== undefined) this.#falsify(words);
    }
    return count;
  }
}

function falseEngine(engine: ScanEngine, falsify: (row: Int32Array) => void): ScanEngine {
  return {
    name: engine.name,
    openArea: (size) => engine.openArea(size),
    createScanner: (options: ScanOptions) => new FalseScanner(engine.createScanner(options), falsify),
  };
}

describe('the fuzz target', () => {
  it('finds no difference between the engines in a few hundred runs', () => {
    const report = fuzz({ seed: 1, runs: 400 });
    expect(report.failure?.message).toBeUndefined();
    expect(report).toMatchObject({ runs: 400 });
  });

  it('reaches many different outcomes, so that a run is worth its time', () => {
    expect(fuzz({ seed: 2, runs: 400 }).outcomes).toBeGreaterThan(150);
  });

  it('repeats itself when it is given the same seed', () => {
    const [first, second] = [fuzz({ seed: 3, runs: 60 }), fuzz({ seed: 3, runs: 60 })];
    expect(second.outcomes).toBe(first.outcomes);
  });

  it('catches an engine that forgets a flag, and makes the input small', () => {
    const wasm = falseEngine(ourEngines.wasm, (row) => {
      row[META] = (row[META] ?? 0) & ~FLAG_METHOD;
    });
    // A seed whose first difference is in a frame within its limit: one over the limit cannot be made shorter than that.
    const { failure, runs } = fuzz({ seed: 6, runs: 400, engines: { ...ourEngines, wasm } });
    expect(runs).toBeLessThan(400);
    expect(failure?.message).toContain('seed 6, run ');
    expect(failure?.message).toContain('wasm with bets, to the byte');
    // `{"method":0}` and a newline, or the same at the end of the stream.
    expect(failure?.trial.bytes.length).toBeLessThan(40);
    expect(failure?.trial.cuts).toEqual([]);
  });

  it('catches an engine that is wrong only where nobody looks twice: one byte in one kind of row', () => {
    const wasm = falseEngine(ourEngines.wasm, (row) => {
      if (((row[META] ?? 0) & 0xff00) !== 0) row[ROW_WORDS - 1] = 1;
    });
    expect(fuzz({ seed: 5, runs: 400, engines: { ...ourEngines, wasm } }).failure).toBeDefined();
  });
});
