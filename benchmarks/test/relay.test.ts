import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureRelays, relaySides, writeRelayFile } from '../src/relay-case.ts';

describe('a relay', () => {
  it('is timed on every side, and fails the case when it sees another number of frames', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linewire relay '));
    try {
      const path = join(folder, 'calls.jsonl');
      const input = { path, ...writeRelayFile(path, 2_000_000), repeats: 3 };
      const { rows, noise } = await measureRelays(input, 1, true);
      expect(rows.map(({ side, samples }) => [side, samples.length])).toEqual(
        Object.values(relaySides).map((side) => [side, 1]),
      );
      expect(noise).toMatchObject([{ group: 'transport', side: relaySides.bytes }]);
      await expect(measureRelays({ ...input, frameCount: input.frameCount + 1 }, 1, true)).rejects.toThrow(
        'frames',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
