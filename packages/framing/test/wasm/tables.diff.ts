import { type CorpusName, corpora, createCorpus, handedCases } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScanEngine, ScanOptions } from '../../src/engine/engine.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import {
  FLAG_DROPPED,
  FLAG_STORED,
  ID_END,
  ID_START,
  META,
  METHOD_END,
  METHOD_START,
  ROW_WORDS,
} from '../../src/table/row.ts';
import { escapedPreview } from '../../src/text/preview.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';
import { stream, streamAroundLimit } from '../support/streams.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

const defaults: ScanOptions = {
  envelope: 'jsonrpc',
  validate: 'full',
  utf8: 'strict',
  duplicates: 'fault',
  maxFrameBytes: 1 << 20,
  maxDepth: 512,
  maxIdBytes: 1024,
  windowBytes: 1 << 18,
};

const modes: readonly Partial<ScanOptions>[] = [
  {},
  { validate: 'envelope' },
  { envelope: 'none' },
  { envelope: 'none', validate: 'envelope' },
  { envelope: 'none', validate: 'none' },
  { utf8: 'replace', duplicates: 'last' },
  { validate: 'envelope', utf8: 'replace' },
  { maxFrameBytes: 1024, maxDepth: 3, maxIdBytes: 16 },
  { validate: 'envelope', maxFrameBytes: 1024, maxDepth: 3, maxIdBytes: 16 },
  { envelope: 'none', validate: 'none', maxFrameBytes: 1024 },
];

const entry = 64;

/**
 * Everything that a scanner says about `bytes`, which come in pieces that end at `cuts`: its rows word by word, what it captured of
 * dropped frames, its counters. What waits between two pieces is brought along, as a reader does.
 */
function account(
  engine: ScanEngine,
  bytes: Uint8Array,
  cuts: readonly number[],
  options: ScanOptions,
): unknown[] {
  const area = engine.openArea(options);
  const scanner = engine.createScanner(options);
  const said: unknown[] = [];
  let waiting: Uint8Array = new Uint8Array(0);
  let end = entry;
  const take = (count: number): void => {
    for (let row = 0; row < count; row++) {
      said.push(Array.from(area.rows.subarray(row * ROW_WORDS, (row + 1) * ROW_WORDS)).join());
    }
    said.push(count, scanner.blankFrames);
    const meta = count > 0 ? area.rows[META] : 0;
    if ((meta & (FLAG_STORED | FLAG_DROPPED)) !== 0) said.push(scanner.longFrameBytes);
    if ((meta & FLAG_DROPPED) !== 0) said.push(capturedParts(area.rows, scanner.captured));
  };
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    const piece = bytes.subarray(from, to);
    from = to;
    // What other streams left in the window must not matter.
    area.window.fill(0xc3);
    area.window.set(waiting, entry);
    area.window.set(piece, entry + waiting.length);
    end = entry + waiting.length + piece.length;
    scanner.enter(area, entry);
    do take(scanner.scan(end));
    while (scanner.rowCount === 1024);
    if (scanner.frameStart < scanner.position) {
      scanner.spill();
      waiting = new Uint8Array(0);
      said.push('spilled', scanner.hasSpilled);
    } else {
      waiting = area.window.slice(scanner.position, end);
    }
    said.push(waiting.length);
  }
  area.window.set(waiting, entry);
  scanner.enter(area, entry);
  take(scanner.finish(entry + waiting.length));
  return said;
}

/** What row 0 points to in the bytes that were captured of a dropped frame. */
function capturedParts(rows: Int32Array, captured: Uint8Array): string[] {
  const part = (from: number, to: number): string =>
    Buffer.from(captured.subarray(from, to)).toString('latin1');
  return [part(0, 32), part(rows[ID_START], rows[ID_END]), part(rows[METHOD_START], rows[METHOD_END])];
}

function expectEqualTables(bytes: Uint8Array, cuts: readonly number[], mode: Partial<ScanOptions>): void {
  const options = { ...defaults, ...mode };
  const scalar = account(scalarEngine, bytes, cuts, options);
  const wasm = account(wasmEngine, bytes, cuts, options);
  const at = scalar.findIndex((said, index) => String(said) !== String(wasm[index]));
  const place = `${JSON.stringify(mode)} cut at ${cuts.slice(0, 9)}: ${escapedPreview(bytes, 0, Math.min(bytes.length, 300))}`;
  if (at >= 0) expect(wasm.slice(at, at + 3), place).toEqual(scalar.slice(at, at + 3));
  expect(wasm.length, place).toBe(scalar.length);
}

/** Cuts at fractions of the length, so that they survive shrinking. */
const cutsOf = (bytes: Uint8Array, fractions: readonly number[]): number[] =>
  fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b);

describe('both engines write the same table, to the byte', () => {
  it.each(modes)('for every handed case, whole and cut at every byte, %j', (mode) => {
    for (const { bytes } of handedCases()) {
      if (bytes.length > 200_000) continue;
      expectEqualTables(bytes, [], mode);
      const step = Math.ceil(bytes.length / 64);
      for (let cut = 1; cut < bytes.length; cut += step) expectEqualTables(bytes, [cut], mode);
      if (bytes.length < 300) expectEqualTables(bytes, Array.from(bytes.keys()), mode);
    }
  });

  it.each(Object.keys(corpora) as CorpusName[])('for the corpus %s', (name) => {
    const { bytes } = createCorpus(name, { targetBytes: 150_000 });
    const piece = bytes.subarray(0, 200_000);
    for (const mode of modes) {
      expectEqualTables(piece, [], mode);
      expectEqualTables(piece, cutsOf(piece, [0.1, 0.2, 0.25, 0.6, 0.61]), mode);
    }
  });

  it(
    `for random and mutated streams, cut anywhere, in every mode (seed ${seed})`,
    () => {
      holds(
        fc.property(
          fc.oneof(stream, streamAroundLimit),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
          fc.constantFrom(...modes),
          (bytes, fractions, mode) => {
            fc.pre(bytes.length < 200_000);
            expectEqualTables(bytes, cutsOf(bytes, fractions), mode);
          },
        ),
      );
    },
    timeBoxMs + 30_000,
  );
});
