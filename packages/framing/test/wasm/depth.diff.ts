import { describe, it } from 'vitest';
import type { ScanOptions } from '../../src/engine/engine.ts';
import { expectEqualTables } from '../support/engine-account.ts';

const modes: readonly Partial<ScanOptions>[] = [
  { validate: 'full' },
  { validate: 'envelope' },
  { validate: 'full', envelope: 'none' },
  { validate: 'envelope', envelope: 'none' },
];

/** Frames that nest `depth` levels deep: arrays, objects, both in turn, and what may follow where the limit was passed. */
function nested(depth: number): string[] {
  const arrays = '['.repeat(depth);
  const objects = '{"k":'.repeat(depth - 1);
  const turns = Array.from({ length: depth }, (_, level) => (level % 2 === 0 ? '{"k":' : '['));
  const backTurns = turns.map((open) => (open === '[' ? ']' : '}')).reverse();
  return [
    arrays + ']'.repeat(depth),
    `${arrays}1,"]",{}${']'.repeat(depth)}`,
    `${objects}{}${'}'.repeat(depth - 1)}`,
    `${turns.join('')}0${backTurns.join('')}`,
    // The wrong bracket above, at and below the limit.
    `${turns.join('')}0]${backTurns.join('')}`,
    `${arrays}${']'.repeat(depth - 1)}}`,
    `${arrays}}`,
    `{"jsonrpc":"2.0","params":{"k":${arrays}${']'.repeat(depth)}},"id":1,"method":"m"}`,
    `{"a":${arrays}"\xff"${']'.repeat(depth)},"b":[[1],[2]],"id":"x","id":2}`,
    `[${arrays}${']'.repeat(depth)},${arrays}${']'.repeat(depth)}]`,
    `{"a":${arrays}${']'.repeat(depth)},"a" 1}`,
  ];
}

function bytesOf(frames: readonly string[]): Uint8Array {
  return Buffer.from(frames.join('\n'), 'latin1');
}

describe('both engines count levels alike', () => {
  const limits = [1, 2, 3, 4, 31, 32, 33, 62, 63, 64, 65, 127, 128, 512];

  it.each(modes)('around every limit, %j', (mode) => {
    for (const maxDepth of limits) {
      for (const depth of [1, maxDepth - 2, maxDepth - 1, maxDepth, maxDepth + 1, maxDepth + 2]) {
        if (depth < 1) continue;
        const bytes = bytesOf(nested(depth));
        expectEqualTables(bytes, [], { ...mode, maxDepth });
        expectEqualTables(bytes, [], { ...mode, maxDepth, shortcuts: false });
      }
    }
  });

  it.each(modes)('around a limit that a turn cuts anywhere, %j', (mode) => {
    for (const frame of [...nested(5), ...nested(4), ...nested(6)]) {
      const bytes = bytesOf([`${' '.repeat(40)}${frame}`, '{}']);
      for (let cut = 40; cut < bytes.length; cut++) {
        expectEqualTables(bytes, [cut], { ...mode, maxDepth: 5, windowBytes: 64 });
      }
    }
  });

  it.each(modes)('around the limit of the area that readers share, %j', (mode) => {
    for (const depth of [16_384, 16_385]) {
      expectEqualTables(bytesOf(nested(depth)), [], { ...mode, maxDepth: 16_384 });
    }
  });

  it.each(['full', 'envelope'] as const)(
    'around the highest limit, in an area of its own, %s',
    (validate) => {
      const maxDepth = 1_000_000;
      const frames = [maxDepth, maxDepth + 2].map((depth) => {
        const open = '{"k":['.repeat(depth / 2);
        const close = ']}'.repeat(depth / 2);
        return `${open}1,"]"${close}`;
      });
      const bytes = bytesOf([...frames, `${'['.repeat(maxDepth)}}`]);
      expectEqualTables(bytes, [], { validate, maxDepth, maxFrameBytes: 1 << 24 });
    },
  );

  it('at whatever level a string, a number or a literal stands when the levels no longer count', () => {
    for (const text of [
      '"\\\\"',
      '"\\""',
      '"[{"',
      '-1.5e3',
      'true',
      '"\xe0\xb8\x97"',
      '"\xe0\xb8"',
      '\xff',
      '\\',
      '\t',
    ]) {
      for (const validate of ['full', 'envelope'] as const) {
        const frame = `{"a":[[[[${text},[${text}]]]],${text}],"id":1,"method":"m","jsonrpc":"2.0"}`;
        for (let maxDepth = 1; maxDepth < 8; maxDepth++) {
          const bytes = bytesOf([frame, frame]);
          expectEqualTables(bytes, [], { validate, maxDepth });
          for (let cut = 17; cut < frame.length; cut++) {
            expectEqualTables(bytes, [cut], { validate, maxDepth, windowBytes: 64, maxFrameBytes: 40 });
          }
        }
      }
    }
  });
});
