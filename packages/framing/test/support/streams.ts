import fc from 'fast-check';
import { joined } from './events.ts';

/** One change to the bytes of a stream; positions are fractions, so that they survive shrinking of the stream. */
type Mutation = (bytes: Uint8Array) => Uint8Array;

const keys = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'other', '', '__proto__', 'ids', 'i'];

/** A key in one of its spellings: plain, or with some characters escaped. */
const key: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...keys), fc.integer({ min: 0, max: 40 }))
  .map(([name, roll]) => {
    if (roll > 3) return JSON.stringify(name);
    const escaped = [...name].map((character, index) =>
      roll === 0 || index === roll
        ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
        : character,
    );
    return `"${escaped.join('')}"`;
  });

const oddNumbers = [
  '0',
  '-0',
  '1',
  '1.0',
  '1e0',
  '10e-1',
  '1.5',
  '-1',
  '9007199254740993',
  '1e400',
  '1e999999999',
  '1e-999999999',
  '0e999',
  '0.0e-5',
  '100e-2',
  '12345678901234567890',
  '1E+2',
  '-',
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  '1e+',
  '--1',
  '0x1',
  '99999999999999999',
  '1e15',
  '1e16',
  '1e17',
  '0.00012e4',
  '0.00012e5',
  '999999999999999',
  '1000000000000000',
];
const oddTexts = [
  '""',
  '"a"',
  '"2.0"',
  '"2\\u002e0"',
  '"ping"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"ทดสอบ"',
  '"😀é"',
  '"a\\nb"',
  '"\\x41"',
  '"\\u00g0"',
  '"\u2028\ufeff"',
  '"\u0000"',
  '"unclosed',
  '"\\',
  '"0123456789abcdef"',
  '"0123456789abcdefg"',
  '"ééééééé"',
  '"ééééééééé"',
];
const oddRest = [
  'null',
  'true',
  'false',
  'nul',
  'tru',
  'True',
  'undefined',
  '{}',
  '[]',
  '[1,2]',
  '{"a":{"b":[1,"x"]}}',
  '[[[[[[]]]]]]',
  '{"a":[{"b":[{}]}]}',
  '[1,]',
  '{"a":1,}',
  '[}',
  '{]',
  '{"a"}',
  '{"a" 1}',
  '{"id":1,"id":2}',
  '[1 2]',
  '[\u0001]',
  '{"a":nope}',
  '[\u00a0]',
  '["\\q"]',
];
const value: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddNumbers),
  fc.constantFrom(...oddTexts),
  fc.constantFrom(...oddRest),
  fc.json({ maxDepth: 3 }),
  fc.integer({ min: 0, max: 1200 }).map((length) => `"${'x'.repeat(length)}"`),
  fc.integer({ min: 0, max: 40 }).map((depth) => `${'[{"k":'.repeat(depth)}0${'}]'.repeat(depth)}`),
);

const space: fc.Arbitrary<string> = fc.constantFrom('', '', '', '', '', '', ' ', '\t', '\r', '  ');

const member: fc.Arbitrary<string> = fc
  .tuple(space, key, space, space, value, space)
  .map(([a, name, b, c, item, d]) => `${a}${name}${b}:${c}${item}${d}`);

/** Members that are right together, so that good messages are not rare. */
const goodMembers: fc.Arbitrary<string[]> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('1', '"a"', '1.0', '77', '"é"'),
      fc.constantFrom('ping', 'tools/call', 'é', 'a\\u0062'),
    )
    .map(([id, method]) => ['"jsonrpc":"2.0"', `"id":${id}`, `"method":"${method}"`]),
  fc.constant<string[]>(['"jsonrpc":"2.0"', '"method":"note"']),
  fc.constant<string[]>(['"jsonrpc":"2.0"', '"id":2', '"result":{"a":[1,"é",{"b":null}]}']),
  fc.constant<string[]>(['"jsonrpc":"2.0"', '"id":null', '"error":{"code":1}']),
  fc.constant<string[]>(['"jsonrpc":"2.0"', '"id":"x"', '"method":"m"', '"params":{"a":"b"}']),
);

const message: fc.Arbitrary<string> = fc
  .tuple(
    goodMembers,
    fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.array(member, { maxLength: 3 })),
  )
  .chain(([good, more]) =>
    fc.shuffledSubarray([...good, ...more], { minLength: Math.max(good.length - 1, 0) }),
  )
  .map((members) => `{${members.join(',')}}`);

const noise: readonly string[] = [
  '',
  ' ',
  '\t\r ',
  'Content-Length: 12',
  'content-length:',
  'Content-Len',
  'cOnTeNt-LeNgTh:5',
  'c',
  'Content-Type: x',
  'npm warn',
  '\u001b[0m{}',
  '42',
  '"started"',
  'null',
  '[]',
  '{}',
  '{',
  '}',
  '[',
  '"',
  '\\',
  '[1,2,3]',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  '{}{}',
  '[]x',
  '"a" "b"',
  '1 2',
  'true false',
  '{"a":1}}',
  '\ufeff{}',
  '\ufeff',
  '\ufefe',
  '{"a":1} é',
  '{} \ufeff',
  '-',
  '1.',
  '[[[[[[[[[[]]]]]]]]]]',
];

const line: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: message },
  { weight: 2, arbitrary: fc.constantFrom(...noise) },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`) },
);

const lineEnd: fc.Arbitrary<string> = fc.constantFrom(
  '\n',
  '\n',
  '\n',
  '\n',
  '\r\n',
  '\r\r\n',
  ' \n',
  '\n\n',
  ' \r \n',
);

const brokenBytes: readonly (readonly number[])[] = [
  [0xff],
  [0xc0, 0xaf],
  [0x80],
  [0xe0, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf0, 0x9f],
  [0xe0],
  [0xc3],
  [0xef, 0xbb],
  [0xef, 0xbb, 0xbf],
  [0xe0, 0xb8, 0x97],
  [0xf0, 0x9f, 0xa7, 0xaa],
  [0x0a],
  [0x0d],
  [0x0d, 0x0a],
  [0x00],
  [0x22],
  [0x5c],
  [0x7b],
  [0x7d],
  [0x5b],
  [0x5d],
  [0x2c],
  [0x3a],
  [0x20],
  [0x09],
  [0x31],
  [0x2e],
  [0x65],
  [0x2d],
  [0x5c, 0x75],
  [0x5c, 0x22],
  [0x7f],
  [0xef, 0xbf, 0xbd],
  [0xc2, 0x85],
];

const place: fc.Arbitrary<number> = fc.double({ min: 0, max: 1, noNaN: true });

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...brokenBytes)).map(([at, bytes]) => splice(at, 0, bytes)),
  fc.tuple(place, fc.constantFrom(...brokenBytes)).map(([at, bytes]) => splice(at, bytes.length, bytes)),
  fc.tuple(place, fc.integer({ min: 1, max: 5 })).map(([at, count]) => splice(at, count, [])),
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([at, byte]) => splice(at, 1, [byte])),
  fc.tuple(place, place, fc.integer({ min: 1, max: 60 })).map(([at, to, count]) => (bytes: Uint8Array) => {
    const from = Math.floor(at * bytes.length);
    return splice(to, 0, [...bytes.subarray(from, from + count)])(bytes);
  }),
);

function splice(at: number, removed: number, inserted: readonly number[]): Mutation {
  return (bytes) => {
    const from = Math.floor(at * bytes.length);
    return joined(bytes.subarray(0, from), inserted, bytes.subarray(from + removed));
  };
}

/** Streams of good, odd and damaged lines. */
export const stream: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.constantFrom<readonly number[]>(
      [],
      [],
      [],
      [],
      [0xef, 0xbb, 0xbf],
      [0xef, 0xbb],
      [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf],
    ),
    fc.array(fc.tuple(line, lineEnd), { maxLength: 8 }),
    fc.oneof(
      fc.constant(''),
      line,
      line.map((text) => `${text}\r`),
    ),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Mutation[]>([]) },
      { weight: 2, arbitrary: fc.array(mutation, { maxLength: 4 }) },
    ),
  )
  .map(([mark, lines, tail, mutations]) => {
    let bytes = joined(mark, lines.map(([text, end]) => text + end).join(''), tail);
    for (const mutate of mutations) bytes = mutate(bytes);
    return bytes;
  });

/** Frames around a limit of 1 KiB, so that one byte decides. */
export const streamAroundLimit: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"',
        '{"params":{"x":"',
        '"',
        '{"result":{"t":"é',
      ),
      fc.oneof(
        fc.integer({ min: 1021, max: 1027 }),
        fc.integer({ min: 4090, max: 4102 }),
        fc.integer({ min: 8000, max: 13_000 }),
      ),
      fc.constantFrom(
        '"}}',
        '"},"id":"late","jsonrpc":"2.0","method":"after"}',
        '"',
        '"},"id":7,"jsonrpc":"2.0"}',
        '"},"\\u0069d":8,"id":9}',
        '',
      ),
      fc.constantFrom('\n', '\r\n', '\r\r\n', ' \n', ''),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((frames) =>
    joined(
      frames
        .map(([head, length, tail, end]) => {
          const fill = Math.max(length - Buffer.byteLength(head) - tail.length, 0);
          return head + 'x'.repeat(fill) + tail + end;
        })
        .join(''),
    ),
  );

/** Cuts as fractions of the stream. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(place, { maxLength: 6 });

/** Sorted byte positions of such cuts. */
export function cutPositions(fractions: readonly number[], length: number): number[] {
  return fractions.map((fraction) => Math.floor(fraction * length)).sort((a, b) => a - b);
}
