import { type CorpusName, corpora, createCorpus, handedCases } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { ScanOptions } from '../../src/engine/engine.ts';
import { expectEqualTables } from '../support/engine-account.ts';
import { cutPositions, cuts, stream, streamAroundLimit } from '../support/streams.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

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
      expectEqualTables(piece, cutPositions([0.1, 0.2, 0.25, 0.6, 0.61], piece.length), mode);
    }
  });

  it(
    `for random and mutated streams, cut anywhere, in every mode (seed ${seed})`,
    () => {
      holds(
        fc.property(
          fc.oneof(stream, streamAroundLimit),
          cuts,
          fc.constantFrom(...modes),
          (bytes, fractions, mode) => {
            fc.pre(bytes.length < 200_000);
            expectEqualTables(bytes, cutPositions(fractions, bytes.length), mode);
          },
        ),
      );
    },
    timeBoxMs + 30_000,
  );
});
