import { describe, it } from 'vitest';
import { defaultOptions, expectEqualTables } from '../support/engine-account.ts';
import { FramePair } from '../support/frame-pair.ts';

const validations = ['full', 'envelope'] as const;

/**
 * Around an inner text: a message on which the kernel bets, and one whose bet is lost at once, so that the accelerators are at work alone.
 * They try again after 32 bytes, which is where its inner text begins. So blocks are counted from there in both.
 */
const around = [
  ['{"jsonrpc":"2.0","id":1,"method":"m","params":{', '}}'],
  ['{"a name that is not a member":{', '}}'],
  ['{"a name that is not a member":[', ']}'],
] as const;

/** Beginnings of up to 64 bytes wait in such a window; what is longer is scanned as it comes. */
const windowBytes = 256;
const filler = 'x'.repeat(70);

/** Offsets of a byte in its 64-byte block. */
const offsets = Array.from({ length: 64 }, (_, offset) => offset);

describe.each(validations)('in %s, both engines agree on', (validate) => {
  it('runs of backslashes of every length, from every offset of a block, whatever ends them', () => {
    const both = new FramePair({ ...defaultOptions, validate });
    for (const start of offsets) {
      for (let length = 0; length <= 130; length++) {
        const text = `${'x'.repeat(start)}${'\\'.repeat(length)}`;
        for (const end of ['"', 'n"', '",{"a":"]"}', 'u0041"', '\t"']) {
          const [before, after] = around[length % around.length] ?? around[0];
          both.add(latin1(`${before}"k":"${text}${end}${after}`));
        }
        both.add(latin1(`${around[2][0]}${' '.repeat(start)}${'\\'.repeat(length)}"]}`));
      }
    }
    both.compare();
  });

  it('runs of backslashes that a turn cuts', () => {
    for (const start of offsets) {
      for (const length of [1, 2, 3, 63, 64, 65]) {
        for (const cut of [0, 1, length >> 1, length - 1, length]) {
          const before = `{"unknown":{"k":"${filler}${'x'.repeat(start)}`;
          const bytes = latin1(`${before}${'\\'.repeat(length)}","id":[1,{"a":"}"}]}}\n{}`);
          expectEqualTables(bytes, [before.length + cut], { validate, windowBytes });
        }
      }
    }
  });

  it('every byte at every offset of a block, in strings, behind a backslash, and between values', () => {
    const both = new FramePair({ ...defaultOptions, validate });
    for (const offset of offsets) {
      for (let byte = 0; byte < 256; byte++) {
        const character = String.fromCharCode(byte);
        for (const [before, after] of around) {
          both.add(latin1(`${before}"k":"${'x'.repeat(offset)}${character}"${after}`));
          both.add(latin1(`${before}"k":"${'x'.repeat(offset)}\\${character}"${after}`));
          both.add(latin1(`${before}${' '.repeat(offset)}${character}${after}`));
        }
        both.add(latin1(`{"jsonrpc":"2.0",${' '.repeat(offset)}${character}"method":"m"}`));
      }
    }
    both.compare();
  });

  it('the strings of a frame over the limit whose text is ill-formed, whatever stands at the edges of blocks', () => {
    const both = new FramePair({ ...defaultOptions, validate, maxFrameBytes: 100 });
    for (const offset of offsets) {
      for (const edge of ['\\', '\\"', '\\\\', '"', '\\\\\\"', '\\\\"', '\xc3\xa9\\"', '\\\xe0\xb8\x97"']) {
        for (const [before, after] of [
          [`${around[1][0]}"k":"`, '"}'],
          [around[2][0], ']'],
        ] as const) {
          for (const bad of ['\xff', '\xe0\xb8', '\xf0\x9f\x98', '\t\xc3']) {
            // The bad byte comes behind, before, or in the block behind what stands at the edge.
            const filler = 'x'.repeat(offset);
            const behind = `${before}${filler}${edge}x${bad}x${after}`;
            const ahead = `${before}${bad}${filler}${edge}x${after}`;
            for (const part of [behind, ahead]) {
              both.add(latin1(`${part},"id":7,"method":"m","b":"${'y'.repeat(90)}"}`));
            }
          }
        }
      }
    }
    both.compare();
  });

  it('brackets, quotes and newlines that stand at the edges of blocks, right and wrong', () => {
    const both = new FramePair({ ...defaultOptions, validate });
    const pieces = [
      '[]',
      '{}',
      '[{}]',
      '{"a":[]}',
      '[1,"]"]',
      '"[{"',
      '[}',
      '{]',
      ']',
      '}}',
      '[',
      '{"a":"}',
      '\n',
      'y',
      '_',
    ];
    for (const offset of Array.from({ length: 70 }, (_, at) => at + 50)) {
      for (const piece of pieces) {
        for (const [before, after] of around) {
          both.add(latin1(`${before}"k":"${'x'.repeat(offset)}","l":${piece}${after}`));
          both.add(latin1(`${before}"k":${' '.repeat(offset)}${piece}${after}`));
          both.add(
            latin1(`${before}"k":${'[1,'.repeat(offset >> 2)}${piece}${']'.repeat(offset >> 2)}${after}`),
          );
        }
      }
    }
    both.compare();
  });

  it('frames of every length that end at every offset, with what may stand before a newline', () => {
    const both = new FramePair({ ...defaultOptions, validate, envelope: 'none' });
    for (let length = 0; length < 200; length++) {
      for (const end of ['', '\r', '\r\r', ' ', ' \r', '\t', 'x', '\\', '\x00']) {
        both.add(latin1(`"${'x'.repeat(length)}"${end}`));
        both.add(latin1(`${' '.repeat(length)}${end}`));
        both.add(latin1(`[${'1,'.repeat(length)}1]${end}`));
      }
    }
    both.compare();
  });

  it('numbers and literals of every length, whole and cut', () => {
    for (const number of [
      'true',
      'false',
      'null',
      '-1.5e-10',
      '0',
      '12345678901234567890',
      '1E5',
      'nul',
      '1.e',
      '-',
    ]) {
      for (const offset of offsets) {
        const before = `{"unknown":[["${'x'.repeat(offset)}",`;
        const after = `${' '.repeat(60)},1]]}\n{}`;
        for (let cut = 0; cut <= number.length; cut++) {
          const bytes = latin1(`${filler.replaceAll('x', ' ')}${before}${number}${after}`);
          expectEqualTables(bytes, [filler.length + before.length + cut], { validate, windowBytes });
        }
      }
    }
  });
});

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
