import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallStream, callStreamChunks } from '@linewire/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PassThroughFile, passThroughSides, runPassThroughCase } from '../src/pass-through-case.ts';
import { ownRuntime } from '../src/runtimes.ts';

const stream: CallStream = { era: 'legacy', mix: 'mixed', callCount: 3000 };
let folder: string;
let file: PassThroughFile;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire through '));
  const path = join(folder, 'calls.jsonl');
  const bytes = Buffer.concat([...callStreamChunks(stream)]);
  writeFileSync(path, bytes);
  file = { path, byteCount: bytes.length, messageCount: 3002 };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('lines that only pass', () => {
  it('come out as they went in, by every side, and start-up is taken off', async () => {
    const { rows, noise } = await runPassThroughCase(file, [ownRuntime], true, true);
    expect(rows.map(({ side, node, samples }) => [side, node, samples.length])).toEqual([
      [passThroughSides.cat, undefined, 2],
      [passThroughSides.startUp, ownRuntime.version, 2],
      [passThroughSides.bare, ownRuntime.version, 2],
      [passThroughSides.wasm, ownRuntime.version, 2],
      [passThroughSides.scalar, ownRuntime.version, 2],
    ]);
    const [cat, startUp, bare] = rows;
    expect(cat?.detail?.['netMs']).toBe(cat?.median);
    expect(startUp?.detail).toBeUndefined();
    expect(bare?.detail?.['netMs']).toBeCloseTo((bare?.median ?? 0) - (startUp?.median ?? 0));
    expect(noise).toMatchObject([{ group: 'through', side: 'bare', node: ownRuntime.version }]);
  });

  it('are counted: a side that sees another number of frames or bytes fails the case', async () => {
    const wrong = { ...file, messageCount: 3001 };
    await expect(runPassThroughCase(wrong, [ownRuntime], true, true)).rejects.toThrow(
      /table, wasm saw .*"frameCount":3002.* instead of .*3001/,
    );
    const short = { ...file, byteCount: 1 };
    await expect(runPassThroughCase(short, [ownRuntime], true, true)).rejects.toThrow(/^bare saw/);
  });
});
