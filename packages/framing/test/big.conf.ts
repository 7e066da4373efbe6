import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fixturePath } from '@linewire/testkit';
import { describe, expect, it } from 'vitest';
import { poisons } from '../src/reader/poison.ts';
import { brief, joined, read, type Settings, values } from './support/events.ts';

const run = promisify(execFile);

async function generated(kind: string, size: number): Promise<Uint8Array> {
  const options = { encoding: 'buffer', maxBuffer: 1 << 26 } as const;
  const { stdout } = await run(process.execPath, [fixturePath('gen-big.mjs'), kind, String(size)], options);
  return new Uint8Array(stdout);
}

/** Whole, and in reads of a pipe's usual and unusual sizes. */
const splits = ['whole', 65_536, 4096, 1000] as const;

const result = ['result id 1', 'request id "ok"'];
const tooLarge = (limit: number): string[] => [`fault FRAME_TOO_LARGE @${limit} id 1`, 'request id "ok"'];

interface BigCase {
  readonly kind: string;
  readonly size: number;
  readonly settings: Settings;
  readonly expected: readonly string[];
}

const smallWindow = { windowBytes: 4096 };
const usualWindow = {};
const limited = { windowBytes: 4096, maxFrameBytes: 65_536 };

const cases: readonly BigCase[] = [
  ...[3071, 3072, 3073, 4095, 4096, 4097, 8192].map((size) => sized(size, smallWindow, result)),
  ...[196_607, 196_608, 196_609, 219_264, 262_143, 262_144, 262_145].map((size) =>
    sized(size, usualWindow, result),
  ),
  ...[65_535, 65_536].map((size) => sized(size, limited, result)),
  ...[65_537, 200_000].map((size) => sized(size, limited, tooLarge(65_536))),
  { kind: 'thai', size: 300_000, settings: smallWindow, expected: result },
  { kind: 'emoji', size: 300_000, settings: smallWindow, expected: result },
  { kind: 'escapes', size: 300_000, settings: smallWindow, expected: result },
  { kind: 'backslashes', size: 300_000, settings: smallWindow, expected: result },
  { kind: 'keys', size: 10_000, settings: smallWindow, expected: result },
  { kind: 'samekey', size: 10_000, settings: smallWindow, expected: result },
  { kind: 'overlimit', size: 1 << 20, settings: { maxFrameBytes: 1 << 20 }, expected: tooLarge(1 << 20) },
  {
    kind: 'nonewline',
    size: 100_000,
    settings: smallWindow,
    expected: ['fault FRAME_TRUNCATED @100000 unterminated'],
  },
  {
    kind: 'nonewline',
    size: 100_000,
    settings: limited,
    expected: ['fault FRAME_TOO_LARGE @65536 unterminated'],
  },
  { kind: 'blank', size: 100_000, settings: smallWindow, expected: ['request id "ok"'] },
  {
    kind: 'deep',
    size: 10_000,
    settings: { ...smallWindow, maxDepth: 10_002 },
    expected: ['request id 1', 'request id "ok"'],
  },
  {
    kind: 'deep',
    size: 10_000,
    settings: { ...smallWindow, maxDepth: 10_001 },
    expected: ['fault JSON_DEPTH @10050', 'request id "ok"'],
  },
  {
    kind: 'deepopen',
    size: 100_000,
    settings: { ...smallWindow, maxDepth: 1_000_000 },
    expected: ['fault JSON_SYNTAX @100000', 'request id "ok"'],
  },
  {
    kind: 'deepopen',
    size: 100_000,
    settings: smallWindow,
    expected: ['fault JSON_DEPTH @512', 'request id "ok"'],
  },
  {
    kind: 'digits',
    size: 100_000,
    settings: { ...smallWindow, envelope: 'none' },
    expected: ['value', 'value'],
  },
  {
    kind: 'numbers',
    size: 20_000,
    settings: { ...smallWindow, envelope: 'none' },
    expected: ['value', 'value'],
  },
  { kind: 'slowbyte', size: 60, settings: smallWindow, expected: ['result id 1'] },
];

function sized(size: number, settings: Settings, expected: readonly string[]): BigCase {
  return { kind: 'frame', size, settings, expected };
}

// Each case is a process; the other pass over the suite has big frames enough of its own.
describe.skipIf(poisons).concurrent('generated streams', () => {
  it.for(cases)('$kind of $size bytes', async ({ kind, size, settings, expected }) => {
    const bytes = await generated(kind, size);
    for (const split of splits) expect(brief(bytes, settings, split)).toEqual(expected);
  });

  it('deliver 5,000 tiny frames in order', async () => {
    const bytes = await generated('tiny', 5000);
    const numbers = values(bytes, { ...smallWindow, envelope: 'none' }, 1000).map(
      (value) => (value as { i: number }).i,
    );
    expect(numbers).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  });

  it('keep every character over all edges', async () => {
    for (const [kind, character] of [
      ['thai', 'ก'],
      ['emoji', '🧪'],
      ['escapes', 'ก'],
      ['backslashes', '\\'],
    ] as const) {
      const bytes = await generated(kind, 50_000);
      const [value] = values(bytes, smallWindow, 1000);
      const { t } = (value as { result: { t: string } }).result;
      expect(t.length).toBeGreaterThan(5000);
      expect(t.replaceAll(character, '')).toBe('');
    }
  });

  it('count every blank line and store none of a blank line that is longer than the limit', async () => {
    const lines = await generated('blank', 100_000);
    expect(read(lines, smallWindow, () => {}, 1000).stats().blankFrames).toBe(100_000);
    const long = joined(' '.repeat(200_000), '\r\n{}\n');
    expect(brief(long, limited, 1000)).toEqual(['invalid ENVELOPE_VERSION']);
    expect(read(long, limited, () => {}, 1000).stats()).toMatchObject({ blankFrames: 1, storedBytes: 0 });
  });
});
