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

  it.each([
    'tiny',
    'calls',
    'calls-thai',
    '1kb',
    '64kb',
    'escapes',
    'thai-emoji',
    'deep',
    'sdk-order',
  ] as const)('for the corpus %s, and the machine is not needed for any of it', (name) => {
    const { bytes } = createCorpus(name, { targetBytes: 200_000 });
    expectEqualTables(bytes, {});
    expectEqualTables(bytes, { validate: 'envelope' });
    const machine = vi.spyOn(GrammarMachine.prototype, 'run');
    table(bytes, defaults);
    expect(machine).not.toHaveBeenCalled();
    machine.mockRestore();
  });

  it.each([
    ['arrays', (depth: number) => '['.repeat(depth), (depth: number) => ']'.repeat(depth)],
    ['objects', (depth: number) => '{"k":'.repeat(depth), (depth: number) => '}'.repeat(depth)],
    [
      'both in turn',
      (depth: number) => '{"k":['.repeat(depth >> 1),
      (depth: number) => ']}'.repeat(depth >> 1),
    ],
  ])(
    'for %s in each other, as deep as one integer counts, a level more, and all levels of a bet',
    (_, opens, closes) => {
      for (const levels of [30, 31, 32, 33, 62, 63, 64, 65, 96, 1021, 1022, 1023, 1024, 1025, 1026]) {
        const head = `{"jsonrpc":"2.0","id":1,"result":{"a":${opens(levels)}`;
        const tail = `1${closes(levels)},"b":[{}]}}\n`.replace('1]', ']');
        for (const text of [
          head + tail,
          head + tail.replace(']', '}'),
          head + tail.replace('}', ']'),
          `${head}\n`,
        ]) {
          const bytes = new TextEncoder().encode(text);
          for (const validate of ['full', 'envelope'] as const) {
            for (const maxDepth of [512, 1023, 1024, 1025, 5000])
              expectEqualTables(bytes, { validate, maxDepth });
          }
        }
      }
    },
  );

  it('for every sequence of three bytes in text', () => {
    const line = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"a":"  ???  "}}\n');
    const at = line.indexOf(0x3f);
    for (const lead of [
      0x7f, 0x80, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
    ]) {
      for (const second of [0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe0, 0xff]) {
        for (const third of [0x20, 0x22, 0x7f, 0x80, 0xbf, 0xc0, 0xe0]) {
          line.set([lead, second, third], at);
          for (const validate of ['full', 'envelope'] as const) expectEqualTables(line, { validate });
        }
      }
    }
  });

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
