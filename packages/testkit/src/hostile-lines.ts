import type { Random } from './random.ts';

/* Good messages that are made to cost a decoder which learns: what it learned is never right again, or only nearly. */

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

function word(random: Random, charCount: number): string {
  let text = '';
  for (let at = 0; at < charCount; at++) text += alphabet[random.integer(0, 25)] as string;
  return text;
}

function call(n: number, params: string): string {
  return `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":${params}}`;
}

/** Names, and how many there are, differ in every message. */
export function newShapeCall(random: Random, n: number): string {
  const members = Array.from({ length: random.integer(3, 8) }, () => {
    const name = word(random, random.integer(3, 12));
    return `"${name}":${random.integer(0, 1) === 0 ? random.integer(0, 99_999) : `"${word(random, 8)}"`}`;
  });
  return call(n, `{"name":"t","arguments":{${members.join(',')}}}`);
}

/** `Aa` and `BB` have one hash wherever a hash multiplies by 31 and adds: any row of them collides with any other. */
const twins = ['Aa', 'BB'];
const twinsInName = 10;

/** Objects of names that all are one length, begin and end alike, and have one hash in the commonest of hash functions. */
export function floodCall(random: Random, n: number): string {
  const first = random.integer(0, 1023);
  const members = Array.from({ length: 48 }, (_, m) => {
    const bits = (first + m * 7) & 1023;
    let name = 'k';
    for (let at = 0; at < twinsInName; at++) name += twins[(bits >> at) & 1] as string;
    return `"${name}_":${random.integer(0, 9)}`;
  });
  return call(n, `{"name":"t","arguments":{${members.join(',')}}}`);
}

/** How many members the one object of a line of `hostile-members` has. */
const floodMembers = 1_000_000;

export function manyMembersCall(random: Random, n: number): string {
  const salt = random.integer(0, 46_655).toString(36);
  const members = Array.from({ length: floodMembers }, (_, m) => `"${salt}${m.toString(36)}":${m & 7}`);
  return call(n, `{"name":"t","arguments":{${members.join(',')}}}`);
}

/** The deepest container of a line of `hostile-depth`, the message itself being level 1. */
const hostileDepth = 512;

export function deepestCall(random: Random, n: number): string {
  let head = '';
  let tail = '';
  // The message and its params are the first two levels.
  for (let level = 3; level <= hostileDepth; level++) {
    const isObject = random.integer(0, 1) === 0;
    head += isObject ? '{"k":' : '[';
    tail = (isObject ? '}' : ']') + tail;
  }
  return call(n, `{"a":${head}${random.integer(0, 9)}${tail}}`);
}

/**
 * Two messages of one shape, then one that is like them up to the name of its last member, which comes once only: whoever compares
 * from the front finds out last.
 */
export function lateMissCall(random: Random, n: number): string {
  const last = n % 3 === 2 ? `"las${n.toString(36)}"` : '"last"';
  const page = `"query":"${word(random, 12)}","page":${random.integer(1, 99)},"perPage":${random.integer(10, 99)}`;
  const rest = `"state":"${word(random, 6)}","since":${random.integer(1000, 9999)},"text":"${word(random, 40)}"`;
  return call(n, `{"name":"search_issues","arguments":{${page},${rest},${last}:${random.integer(0, 9)}}}`);
}

const nearly =
  'https://files.example/archive/2026/q3/reports/quarterly-summary-for-the-northern-district-page-';

/** One shape; strings that share their first ninety bytes and their length, and never come twice. */
export function nearStringsCall(random: Random, n: number): string {
  const texts = [0, 1].map((at) => `"${nearly}${digits(n * 8 + at)}"`);
  const args = `"from":${texts[0]},"to":${texts[1]},"mode":"${digits(n * 8 + random.integer(2, 7))}"`;
  return call(n, `{"name":"copy_page","arguments":{${args}}}`);
}

/**
 * Objects that share all but a few bytes near their end. Four come in pairs, again and again: whoever learns them by heart has to compare all
 * others, which never come twice, with each of the four.
 */
export function nearObjectsCall(random: Random, n: number): string {
  const isKnown = n % 200 < 8;
  const tail = isKnown ? ['aaaaaaa', 'bbbbbbb', 'ccccccc', 'ddddddd'][(n % 200) >> 1] : digits(n);
  const meta = `{"source":"${nearly.repeat(4)}${tail}","mode":"read"}`;
  return call(n, `{"name":"copy_page","arguments":{"page":${random.integer(1, 9)}},"_meta":${meta}}`);
}

function digits(n: number): string {
  return String(n % 10_000_000).padStart(7, '0');
}
