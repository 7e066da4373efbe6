import { beforeAll, describe, it } from 'vitest';
import { defaultOptions, expectEqualTables } from '../support/engine-account.ts';
import { FramePair } from '../support/frame-pair.ts';

/** Bytes on both sides of every edge in the table of well-formed sequences, and one that is ASCII. */
const edges = [
  ...[0x61, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf],
  ...[0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff],
];
const anyByte = [0x61, ...range(0x80, 0xff)];

/** Offsets of a byte in its 64-byte block. */
const offsets = range(0, 63);

/**
 * The ways into a string: a bet on the whole message, and the grammar with its accelerators, since the bet is lost at once. They try again
 * after 32 bytes, which is where the second bracket stands. So blocks are counted from there in both.
 */
const heads = ['{"jsonrpc":"2.0","method":"m","params":{"a":"', '{"a name that is not a member":{"a":"'];

interface Sample {
  readonly sequence: readonly number[];
  readonly isGood: boolean;
}

const samples: Sample[] = [];
/** Few enough to stand at every offset. */
const edgeSamples: Sample[] = [];

beforeAll(() => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const isGood = (sequence: readonly number[]): boolean => {
    try {
      decoder.decode(Uint8Array.from(sequence));
      return true;
    } catch {
      return false;
    }
  };
  const add = (list: Sample[], ...choices: (readonly number[])[]): void => {
    for (const sequence of product(choices)) list.push({ sequence, isGood: isGood(sequence) });
  };
  add(samples, anyByte);
  add(samples, anyByte, anyByte);
  add(samples, range(0xe0, 0xef), anyByte, anyByte);
  add(
    samples,
    range(0xf0, 0xf4),
    range(0x80, 0xbf),
    [0x61, 0x7f, 0x80, 0xbf, 0xc2],
    [0x61, 0x80, 0xbf, 0xf0],
  );
  add(samples, edges, edges, edges, [0x61, 0x80, 0xbf, 0xe0]);
  add(edgeSamples, edges, [0x61, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2], [0x61, 0x80, 0xbf, 0xe1]);
  add(
    edgeSamples,
    [0xf0, 0xf1, 0xf4, 0xf5],
    [0x61, 0x80, 0x8f, 0x90, 0xbf],
    [0x61, 0x80, 0xf0],
    [0x61, 0xbf],
  );
});

describe('the kernel takes for UTF-8 what TextDecoder takes, and faults what it refuses, as the scalar engine does', () => {
  for (const validate of ['full', 'envelope'] as const) {
    it(`in strings, every sequence of up to three bytes and a grid of longer ones, ${validate}`, () => {
      const both = new FramePair({ ...defaultOptions, validate });
      samples.forEach(({ sequence, isGood }, index) => {
        both.add(frame(textBefore(index, index % 64), sequence, 'x"}}'), isGood);
      });
      both.compare();
    });

    it(`in strings, sequences at the edges of the table, at every offset of a block, ${validate}`, () => {
      const both = new FramePair({ ...defaultOptions, validate });
      edgeSamples.forEach(({ sequence, isGood }, index) => {
        for (const offset of offsets) {
          both.add(frame(textBefore(index, offset), sequence, '"}}'), isGood);
        }
      });
      both.compare();
    });

    it(`in strings, all of it accepted with utf8: 'replace', ${validate}`, () => {
      const both = new FramePair({ ...defaultOptions, validate, utf8: 'replace' });
      edgeSamples.forEach(({ sequence }, index) => {
        for (const offset of offsets) {
          both.add(frame(textBefore(index, offset), sequence, '"}}'), true);
        }
      });
      both.compare();
    });
  }

  it('between values, where envelope skips what is well-formed', () => {
    const both = new FramePair({ ...defaultOptions, validate: 'envelope' });
    edgeSamples.forEach(({ sequence, isGood }, index) => {
      for (const offset of offsets) {
        const head =
          index % 2 === 0 ? '{"jsonrpc":"2.0","method":"m","params":{' : '{"a name that is not a member":[';
        const tail = index % 2 === 0 ? '}}' : ']}';
        both.add(frame(head + ' '.repeat(offset), sequence, tail), isGood);
      }
    });
    both.compare();
  });

  it('between values, where full finds either fault', () => {
    const both = new FramePair({ ...defaultOptions, validate: 'full' });
    edgeSamples.forEach(({ sequence }, index) => {
      const offset = index % 64;
      both.add(frame(`{"x":[${' '.repeat(offset)}`, sequence, ']}'));
      both.add(frame(`{}${' '.repeat(offset)}`, sequence));
      both.add(frame('', sequence, ' '.repeat(offset)));
    });
    both.compare();
  });
});

describe('a sequence that a turn cuts is the same sequence', () => {
  const cutSequences = [
    ...['\xc3\xa9', '\xe0\xa0\x80', '\xed\x9f\xbf', '\xef\xbb\xbf', '\xf0\x90\x80\x80', '\xf4\x8f\xbf\xbf'],
    ...[
      '\xc1\xbf',
      '\xe0\x9f\xbf',
      '\xed\xa0\x80',
      '\xf0\x8f\xbf\xbf',
      '\xf4\x90\x80\x80',
      '\xf5\x80\x80\x80',
    ],
    ...[
      '\xc3',
      '\xe0\xa0',
      '\xf0\x90\x80',
      '\xf0\x90',
      '\x80',
      '\xff',
      '\xc3"',
      '\xe0\xa0"',
      '\xf0\x90\x80"',
    ],
    ...[
      '\xc3\\',
      '\xe0\xa0\\',
      '\xf0\x90\x80\\',
      '\xc3\n',
      '\xe0\xa0\n',
      '\xf0\x90\x80\n',
      '\\\xc3\xa9',
      '\\\xf0',
    ],
  ];
  // Beginnings of up to 64 bytes wait here; what is longer is scanned as it comes.
  const windowBytes = 256;

  it.each([
    { validate: 'full' },
    { validate: 'envelope' },
    { validate: 'full', utf8: 'replace' },
    { validate: 'envelope', utf8: 'replace' },
  ] as const)('in a string and between values, at every offset of a block, %j', (mode) => {
    for (const sequence of cutSequences) {
      for (const offset of offsets) {
        const before = `{"x":[["${'x'.repeat(70 + offset)}`;
        const outside = `{"x":[["${'x'.repeat(60 + offset)}", `;
        for (let part = 0; part <= sequence.length; part++) {
          const bytes = latin1(`${before}${sequence}yyy"]]}\n{}`);
          expectEqualTables(bytes, [before.length + part], { ...mode, windowBytes });
          if (mode.validate === 'envelope') {
            const loose = latin1(`${outside}${sequence}1]]}\n{}`);
            expectEqualTables(loose, [outside.length + part], { ...mode, windowBytes });
          }
        }
      }
    }
  });
});

/**
 * The beginning of a frame up to a place in a string that is `offset` bytes behind where blocks or, after a first byte that is not ASCII,
 * vectors begin to be counted.
 */
function textBefore(index: number, offset: number): string {
  return (heads[index % heads.length] ?? '') + (index % 4 < 2 ? '' : '\xc3\xa9') + 'x'.repeat(offset);
}

/** Texts and sequences, joined. */
function frame(before: string, sequence: readonly number[], after = ''): Uint8Array {
  return latin1(before + String.fromCharCode(...sequence) + after);
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function product(choices: readonly (readonly number[])[]): number[][] {
  return choices.reduce<number[][]>(
    (made, bytes) => made.flatMap((start) => bytes.map((byte) => [...start, byte])),
    [[]],
  );
}
