import type { Random } from '@linewire/testkit';

/*
 * What inputs are put together from, as Latin-1 text: a character is a byte, so that bytes which are no UTF-8 can be written down.
 */

/** Bytes that decide something, and sequences whole and broken. */
export const nastyBytes: readonly string[] = [
  ...['"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\r', '\r\n', ' ', '\t', '\0', '\x01', '\x1f', '\x7f'],
  ...['\x80', '\xbf', '\xc0', '\xc1', '\xc2', '\xdf', '\xe0', '\xed', '\xef', '\xf0', '\xf4', '\xf5', '\xff'],
  ...['\xc2\x80', '\xdf\xbf', '\xe0\xa0\x80', '\xe0\x9f\xbf', '\xed\x9f\xbf', '\xed\xa0\x80', '\xef\xbf\xbf'],
  ...[
    '\xf0\x90\x80\x80',
    '\xf0\x8f\xbf\xbf',
    '\xf4\x8f\xbf\xbf',
    '\xf4\x90\x80\x80',
    '\xf0\x9f\x98',
    '\xe0\xb8',
  ],
  ...['\xef\xbb\xbf', '\xef\xbb', '\xbb\xbf', '\xe0\xb8\x97\xe0\xb8\x94', '\xf0\x9f\x98\x80', '\xc3\xa9'],
  ...['\\u', '\\"', '\\\\', '\\n', '\\u0041', '\\ud83d', '\\x', '\\u00g0', '0', '9', '-', '.', 'e', 'E', '+'],
];

export const numbers: readonly string[] = [
  ...['0', '-0', '1', '-1', '1.0', '1e0', '10e-1', '1.5', '1E+2', '0e999', '0.0e-5', '100e-2', '1e999999999'],
  ...['1e-999999999', '0.00012e4', '0.00012e5', '1e15', '1e16', '1e17', '1e400', '9007199254740993'],
  ...['99999999999999', '999999999999999', '9999999999999999', '12345678901234567', `1${'0'.repeat(40)}`],
  ...[
    `1${'0'.repeat(70)}.${'0'.repeat(20)}e-65`,
    `0.${'0'.repeat(30)}1e31`,
    '-',
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '--1',
    '0x1',
    '1.e5',
    '1e5.5',
  ],
];

const literals: readonly string[] = [
  'null',
  'true',
  'false',
  'nul',
  'True',
  'fals',
  'nulll',
  'falsE',
  'undefined',
];

/** Names of members, good and nearly good, in several spellings. */
export const names: readonly string[] = [
  ...['"jsonrpc"', '"id"', '"method"', '"params"', '"result"', '"error"', '"x"', '""', '"ids"', '"i"'],
  ...[
    '"\\u0069d"',
    '"i\\u0064"',
    '"\\u006aso\\u006erpc"',
    '"metho\\u0064"',
    '"meth\\u006Fd"',
    '"\\u0070arams"',
  ],
  ...[
    '"resul\\u0074"',
    '"error\\u0000"',
    '"id\\""',
    '"i\\d"',
    '"methods"',
    '"jsonrpc2"',
    '"\xc3\xa9"',
    '"Id"',
  ],
  ...['"\\u006a\\u0073\\u006f\\u006e\\u0072\\u0070\\u0063"', '"\\u00e9"', '"\\/id"', '"result\\u0022"'],
];

/** Whole lines that no message generator would think of. */
export const oddLines: readonly string[] = [
  ...[
    '',
    ' ',
    '\t\r ',
    'Content-Length: 12',
    'content-length:',
    'Content-Len',
    'cOnTeNt-LeNgTh:5',
    'c',
    '{',
    '}',
  ],
  ...[
    '[',
    '"',
    '\\',
    '{}',
    '[]',
    '{}{}',
    '[]x',
    '"a" "b"',
    '1 2',
    '{"a":1}}',
    '\xef\xbb\xbf{}',
    '\xef\xbb\xbf',
  ],
  ...[
    '{} \xef\xbb\xbf',
    '{}\xc3',
    '[1,2]\xff',
    '-',
    '1.',
    'null',
    '42',
    '"x',
    '\x1b[0m{}',
    '{"a":1,}',
    '[1,]',
    '{]',
  ],
  ...[
    '[[[[[[[[[[]]]]]]]]]]',
    '{"id":1,"id":2}',
    '[}',
    '\r',
    '\r{}',
    '{}\r\r',
    '{"a"}',
    '{"a" 1}',
    '{,}',
    '[,]',
  ],
];

export const lineEnds: readonly string[] = [
  '\n',
  '\n',
  '\n',
  '\n',
  '\r\n',
  '\r\r\n',
  ' \n',
  '\n\n',
  ' \r \n',
];

const spaces: readonly string[] = ['', '', '', '', '', '', '', ' ', '\t', '\r', '  ', ' '.repeat(70)];

const escapes: readonly string[] = [
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\n',
  '\\u00e9',
  '\\uD83D\\uDE00',
  '\\u0022',
];
const characters: readonly string[] = [
  '\xc3\xa9',
  '\xe0\xb8\x97',
  '\xf0\x9f\x98\x80',
  '\xef\xbb\xbf',
  '\xe2\x80\xa8',
];

/** The inside of a string: plain runs around the sizes of vectors and blocks, escapes, other alphabets, now and then a fault. */
function text(random: Random): string {
  let made = '';
  for (let piece = random.integer(0, 5); piece > 0; piece--) {
    const roll = random.integer(0, 99);
    if (roll < 40) made += 'x'.repeat(random.integer(0, random.pick([3, 17, 66, 140])));
    else if (roll < 60) made += random.pick(escapes).repeat(random.integer(1, random.pick([2, 70])));
    else if (roll < 80) made += random.pick(characters).repeat(random.integer(1, random.pick([2, 40])));
    else if (roll < 94) made += random.pick(['a', '{', '[', '}', ']', ':', ',', ' ', '1', '"id":1', '/*']);
    else made += random.pick(nastyBytes);
  }
  return made;
}

function value(random: Random, depth: number): string {
  const roll = random.integer(0, 99);
  if (roll < 30) return `"${text(random)}"`;
  if (roll < 45) return random.pick(numbers);
  if (roll < 55) return random.pick(literals);
  if (roll < 60) return nest(random, random.pick([2, 5, 32, 63, 64, 65, 130]));
  if (roll < 62) return `${random.integer(1, 9)}`.repeat(random.integer(1, 200));
  if (depth === 0) return '{}';
  const items = Array.from({ length: random.integer(0, 4) }, () => value(random, depth - 1));
  const space = random.pick(spaces);
  if (roll < 80) return `[${space}${items.join(`${space},`)}${space}]`;
  return `{${space}${items.map((item) => `${random.pick(names)}${space}:${item}`).join(`,${space}`)}}`;
}

/** Brackets within brackets, closed in the right order or, seldom, not. */
function nest(random: Random, levels: number): string {
  let open = '';
  let close = '';
  for (let level = random.integer(1, levels); level > 0; level--) {
    const isArray = random.integer(0, 1) === 0;
    open += isArray ? '[' : '{"k":';
    close = (isArray ? ']' : '}') + close;
  }
  const inner = random.pick(['', '0', '"\\\\"', '1,2', '"\xc3\xa9"']);
  return open + inner + (random.integer(0, 9) === 0 ? close.slice(random.integer(0, 1)) : close);
}

const envelopes: readonly (readonly string[])[] = [
  ['"jsonrpc":"2.0"', '"id":1', '"method":"ping"'],
  ['"jsonrpc":"2.0"', '"id":"a"', '"method":"m"', '"params":{"a":"b"}'],
  ['"jsonrpc":"2.0"', '"method":"note"', '"params":{}'],
  ['"jsonrpc":"2.0"', '"id":2', '"result":{"a":[1,"\xc3\xa9",{"b":null}]}'],
  ['"jsonrpc":"2.0"', '"id":null', '"error":{"code":1}'],
  ['"jsonrpc":"2\\u002e0"', '"id":1.0', '"method":"a\\u0062"'],
];

/** A message, right or wrong, its members in any order. */
function message(random: Random): string {
  const members = random.integer(0, 9) === 0 ? [] : [...random.pick(envelopes)];
  if (random.integer(0, 2) > 0) {
    const payload = random.pick(['"params"', '"result"', '"error"', '"x"']);
    members.push(`${payload}:{"a":${value(random, 3)},"b":${value(random, 2)}}`);
  }
  for (let more = random.pick([0, 0, 0, 1, 2, 3]); more > 0; more--) {
    members.push(`${random.pick(names)}${random.pick(spaces)}:${value(random, 3)}`);
  }
  const fill = random.integer(0, 9);
  if (fill === 0) members.push(`"x":"${'y'.repeat(random.integer(800, 1200))}"`);
  if (fill === 1) members.push(`"id":"${'i'.repeat(random.integer(12, 20))}"`);
  if (fill === 2) members.push(`"method":"${'m'.repeat(random.integer(1020, 1030))}"`);
  if (fill === 3) members[1] = `"id":${random.pick(numbers)}`;
  const shift = random.integer(0, members.length);
  const turned = [...members.slice(shift), ...members.slice(0, shift)];
  const space = random.pick(spaces);
  return `${random.pick(spaces)}{${space}${turned.join(`,${space}`)}}${random.pick(spaces)}`;
}

/** A line of any kind. */
export function line(random: Random): string {
  const roll = random.integer(0, 9);
  if (roll < 7) return message(random);
  if (roll < 8) return random.pick(oddLines);
  return value(random, 4);
}
