import type { Random } from '@linewire/testkit';

/** A shape that documents of one kind share: names in their order, and what kind of value stands where. */
export type Shape =
  | { readonly kind: 'scalar'; readonly pool: readonly string[] }
  | { readonly kind: 'array'; readonly items: readonly Shape[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Shape])[] };

/** Every form of number that JSON has, those that are hard to read right among them. */
export const numbers: readonly string[] = [
  ...['0', '-0', '1', '-1', '7', '42', '-15', '1.0', '-0.0', '-0e0', '0e999', '0.0e-5', '0.000', '-0.000000'],
  ...[
    '0.1',
    '-0.1',
    '0.2',
    '0.3',
    '1.5',
    '123.456',
    '1e3',
    '1E+2',
    '1E2',
    '15e-1',
    '10e-1',
    '1e400',
    '-1e400',
  ],
  ...['1e-400', '-1e-400', '5e-324', '2.4703282292062327e-324', '1.7976931348623157e308', '1.8e308'],
  ...['99999999', '999999999', '1000000000', '1073741823', '1073741824', '2147483647', '2147483648'],
  ...['-2147483648', '-2147483649', '4294967295', '4294967296', '9999999999', '123456789012345'],
  ...['999999999999999', '1000000000000000', '9007199254740991', '9007199254740993', '-9007199254740993'],
  ...['99999999999999999', '123456789012345678', '123456789012345678901234567890', '-1234567890123456'],
  ...[
    '0.30000000000000004',
    '0.123456789012345',
    '0.1234567890123456',
    '12345678.1234567',
    '1.00000000000000001',
  ],
  ...[
    '123456789.987654321',
    '0.00000000000001',
    '0.000000000000001',
    '9007199254740992.5',
    '0.12345678901234',
  ],
  ...[
    '-1.7976931348623157',
    '3.141592653589793',
    '1234567890123.4',
    '99999999999999.9',
    '4.35',
    '1.005',
    '-2.675',
  ],
];

/** Strings as they are written, of every class of text and around the lengths at which they are read another way. */
export const strings: readonly string[] = [
  ...['""', '"a"', '"ok"', '"abc"', '"text"', '"2.0"', '"tools/call"', '"é"', '"ทดสอบ"', '"😀"', '"a😀"'],
  ...['"\\n"', '"\\""', '"\\\\"', '"\\/"', '"\\u0041"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\ud83d\\ude00"'],
  ...[
    '"\\u0000"',
    '"\\u0022"',
    '"a\\\\"',
    '"\\\\\\""',
    '"é\\u00e9"',
    '"\u007f"',
    '"\u2028\ufeff"',
    '"{[,]}:"',
  ],
  ...[9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 33, 61, 62, 63, 64, 65, 66, 127, 300].map(
    (length) => `"${'abcdefghijklmnopqrstuvwxyz '.repeat(12).slice(0, length)}"`,
  ),
];

const literals = ['true', 'false', 'null'];
const empties = ['{}', '[]', '{ }', '[ ]', '{\t\r}', '[  ]'];
const pools = [
  numbers,
  numbers,
  strings,
  strings,
  strings,
  literals,
  empties,
  [...numbers, ...strings, ...literals],
];

const names: readonly string[] = [
  ...[
    'a',
    'b',
    'c',
    'id',
    'name',
    'method',
    'params',
    'arguments',
    'jsonrpc',
    'x'.repeat(60),
    'y'.repeat(130),
  ],
  ...['', '0', '1', '10', '-1', '01', '4294967295', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...[
    'é',
    '😀',
    'ก',
    'a"b',
    'a\\',
    'a b',
    '\ud83d',
    '\u2028',
    'length',
    '__defineGetter__',
    'a',
    'b',
    'c',
    'd',
  ],
];

/** A name as JSON writes it, or with some or all of its characters escaped. */
function spelledName(random: Random, name: string): string {
  const roll = random.integer(0, 19);
  if (roll > 1) return JSON.stringify(name);
  const units = name.split('').map((unit, index) => {
    const isEscaped = roll === 0 || index === 0 || /[\ud800-\udfff"\\]/.test(unit);
    return isEscaped ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit;
  });
  return `"${units.join('')}"`;
}

export function randomShape(random: Random, depth: number): Shape {
  const roll = random.integer(0, 9);
  if (depth === 0 || roll < 4) return { kind: 'scalar', pool: random.pick(pools) };
  const count = random.integer(0, random.pick([2, 4, 9]));
  if (roll < 6)
    return { kind: 'array', items: Array.from({ length: count }, () => randomShape(random, depth - 1)) };
  const members = Array.from(
    { length: count },
    () => [spelledName(random, random.pick(names)), randomShape(random, depth - 1)] as const,
  );
  return { kind: 'object', members };
}

/** How a program writes JSON: what stands after the brace, before and after the colon, after the comma, and before the closing brace. */
type Style = readonly [
  open: string,
  beforeColon: string,
  afterColon: string,
  afterComma: string,
  close: string,
];

const styles: readonly Style[] = [
  ['', '', '', '', ''],
  ['', '', '', '', ''],
  // Python's json.dumps, and with indent.
  ['', '', ' ', ' ', ''],
  ['\n  ', '', ' ', '\n  ', '\n'],
  [' ', ' ', ' ', ' ', ' '],
  ['', '\t', '\r', '  ', ' '],
];

/** A document of the shape: other values, and by chance a few other members. `strictly`: nothing but the values changes. */
export function document(random: Random, shape: Shape, strictly = true): string {
  return written(random, shape, random.pick(styles), strictly);
}

function written(random: Random, shape: Shape, style: Style, strictly: boolean): string {
  if (!strictly && random.integer(0, 19) === 0) shape = randomShape(random, 2);
  if (shape.kind === 'scalar') return random.pick(shape.pool);
  const [open, beforeColon, afterColon, afterComma, close] = style;
  const [first, last] = shape.kind === 'array' ? '[]' : '{}';
  const parts =
    shape.kind === 'array'
      ? shape.items.map((item) => written(random, item, style, strictly))
      : shape.members.map(
          ([name, value]) => `${name}${beforeColon}:${afterColon}${written(random, value, style, strictly)}`,
        );
  if (!strictly) edit(random, parts);
  return `${first}${open}${parts.join(`,${afterComma}`)}${close}${last}`;
}

/** Leaves one out, doubles one, or moves one, each now and then. */
function edit(random: Random, parts: string[]): void {
  if (parts.length === 0) return;
  const roll = random.integer(0, 11);
  const at = random.integer(0, parts.length - 1);
  const part = parts[at] ?? '';
  if (roll === 0 || roll === 1) parts.splice(at, 1);
  if (roll === 1 || roll === 2) parts.splice(random.integer(0, parts.length), 0, part);
}
