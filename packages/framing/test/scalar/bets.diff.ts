import { createCorpus, handedCases } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ScanOptions } from '../../src/engine/engine.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import { GrammarMachine } from '../../src/scalar/machine.ts';
import { ROW_WORDS } from '../../src/table/row.ts';
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
  windowBytes: 1 << 20,
};

const modes: readonly Partial<ScanOptions>[] = [
  {},
  { validate: 'envelope' },
  { envelope: 'none' },
  { envelope: 'none', validate: 'envelope' },
  { utf8: 'replace', duplicates: 'last' },
  { maxFrameBytes: 1024, maxDepth: 3, maxIdBytes: 16 },
];

const area = scalarEngine.openArea(defaults);

/** Every row of the table, word by word, for bytes that fit the window. */
function table(bytes: Uint8Array, options: ScanOptions): number[] {
  const scanner = scalarEngine.createScanner(options);
  area.window.set(bytes);
  scanner.enter(area, 0);
  const words: number[] = [];
  const take = (count: number): void => {
    words.push(...area.rows.subarray(0, count * ROW_WORDS));
  };
  while (scanner.position < bytes.length) {
    const count = scanner.scan(bytes.length);
    take(count);
    if (count === 0) break;
  }
  take(scanner.finish(bytes.length));
  return words;
}

function expectEqualTables(bytes: Uint8Array, mode: Partial<ScanOptions>): void {
  const options = { ...defaults, ...mode };
  expect(table(bytes, options)).toEqual(table(bytes, { ...options, shortcuts: false }));
}

describe('the bet on a whole frame and the grammar machine write the same table, to the bit', () => {
  it.each(modes)('for every handed case, %j', (mode) => {
    for (const { bytes } of handedCases()) expectEqualTables(bytes, mode);
  });

  it.each(['tiny', 'calls', '1kb', 'escapes', 'thai-emoji', 'sdk-order'] as const)(
    'for the corpus %s, and the machine is not needed for any of it',
    (name) => {
      const { bytes } = createCorpus(name, { targetBytes: 200_000 });
      expectEqualTables(bytes, {});
      expectEqualTables(bytes, { validate: 'envelope' });
      const machine = vi.spyOn(GrammarMachine.prototype, 'run');
      table(bytes, defaults);
      expect(machine).not.toHaveBeenCalled();
      machine.mockRestore();
    },
  );

  it(
    `for random and mutated streams in every mode (seed ${seed})`,
    () => {
      holds(
        fc.property(fc.oneof(stream, streamAroundLimit), fc.constantFrom(...modes), (bytes, mode) =>
          expectEqualTables(bytes, mode),
        ),
      );
    },
    timeBoxMs + 30_000,
  );
});
