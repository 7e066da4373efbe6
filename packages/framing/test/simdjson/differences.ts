/**
 * Where simdjson 0.9.2 of npm (the library's version 0.9.1) and `JSON.parse` differ: every difference that the tests meet must be explained
 * by an entry of this list, and every entry must still hold. The README of the package lists them by name.
 */
export interface SimdjsonDifference {
  readonly name: string;
  /** A text that both are given. `JSON.parse` accepts it. */
  readonly example: string;
  /** `refused`: simdjson does not accept the text. `other value`: its `parse` makes something else of it; as a validator it agrees. */
  readonly kind: 'refused' | 'other value';
  readonly reason: string;
  /** Takes what makes the difference out of a text that `JSON.parse` accepts. */
  tame(text: string): string;
}

const maxLevels = 1024;

export const simdjsonDifferences: readonly SimdjsonDifference[] = [
  {
    name: 'integers outside −2^63 … 2^64 − 1',
    example: '[18446744073709551616]',
    kind: 'refused',
    reason: 'a number without fraction and exponent is read into 64 bits; there is no way out to a double',
    tame: (text) => mapTokens(text, (token) => (isWideInteger(token) ? '0' : token)),
  },
  {
    name: 'numbers beyond the largest double',
    example: '[1e309]',
    kind: 'refused',
    reason: 'infinity is an error, where `JSON.parse` gives Infinity',
    tame: (text) => mapTokens(text, (token) => (isInfinite(token) ? '0' : token)),
  },
  {
    name: 'more than 1,024 levels',
    example: `${'['.repeat(maxLevels)}0${']'.repeat(maxLevels)}`,
    kind: 'refused',
    reason: 'the depth is limited; a scalar counts as a level, an empty container does not',
    tame: flattened,
  },
  {
    name: 'an escaped high surrogate without an escape behind it',
    example: '"\\ud83d."',
    kind: 'refused',
    reason: 'a half of a pair has no UTF-8',
    tame: withoutLoneSurrogates,
  },
  {
    name: 'an escaped high surrogate before another escape than a low one',
    example: '"\\ud83d\\u0041"',
    kind: 'other value',
    reason: 'the two are joined to one wrong character without a look at the second',
    tame: withoutLoneSurrogates,
  },
  {
    name: 'an escaped low surrogate on its own',
    example: '"\\ude00"',
    kind: 'other value',
    reason: 'it becomes three bytes that are not UTF-8, which are three U+FFFD in the end',
    tame: withoutLoneSurrogates,
  },
  {
    name: 'a lone surrogate in a string, not escaped',
    example: '"\ud83d"',
    kind: 'other value',
    reason: 'the string is made UTF-8 first, with U+FFFD in its place; cannot happen in bytes',
    tame: (text) => text.toWellFormed(),
  },
  {
    name: 'negative zero',
    example: '[-0,-1e-400]',
    kind: 'other value',
    reason: 'integers have none, and what is too small for a double loses its sign; plain `-0.0` keeps it',
    tame: (text) => mapTokens(text, (token) => (token.startsWith('-') && Number(token) === 0 ? '0' : token)),
  },
  {
    name: 'a member named `__proto__`',
    example: '{"__proto__":[]}',
    kind: 'other value',
    reason: 'members are set, not defined: it becomes the prototype, or is lost if it is a scalar',
    tame: (text) =>
      mapTokens(text, (token) =>
        token.startsWith('"') && JSON.parse(token) === '__proto__' ? '"_"' : token,
      ),
  },
  {
    name: 'a NUL in a name',
    example: '{"a\\u0000b":1}',
    kind: 'other value',
    reason: 'names end at their first NUL',
    tame: (text) =>
      mapTokens(text, (token) => (token.startsWith('"') ? token.replaceAll('\\u0000', '.') : token)),
  },
];

/** Strings, numbers and single characters of a text that is JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|-?[\d][\d.eE+-]*|[\s\S]/g;

function mapTokens(text: string, change: (token: string) => string): string {
  return text.replaceAll(tokens, change);
}

function isWideInteger(token: string): boolean {
  if (!/^-?\d+$/.test(token)) return false;
  const value = BigInt(token);
  return value < -(2n ** 63n) || value >= 2n ** 64n;
}

function isInfinite(token: string): boolean {
  return /^-?\d.*[.eE]/.test(token) && !Number.isFinite(Number(token));
}

/** Without what stands inside more levels than simdjson reads. */
function flattened(text: string): string {
  let level = 0;
  return mapTokens(text, (token) => {
    if (token === '[' || token === '{') level++;
    const isInside = level >= maxLevels;
    if (token === ']' || token === '}') level--;
    if (!isInside) return token;
    // The outermost of the containers that go leaves a value behind.
    return level === maxLevels - 1 ? '0' : '';
  });
}

/** One escape, or one other character, of a string. */
const units = /\\u[\da-fA-F]{4}|\\.|[^\\]/g;

function withoutLoneSurrogates(text: string): string {
  return mapTokens(text, (token) => (token.includes('\\u') ? withoutLoneHalves(token) : token));
}

function withoutLoneHalves(token: string): string {
  const found = token.match(units) ?? [];
  const half = (at: number): number => {
    const unit = found[at] ?? '';
    return unit.length === 6 ? Number.parseInt(unit.slice(2), 16) & 0xfc00 : 0;
  };
  let result = '';
  for (let at = 0; at < found.length; at++) {
    if (half(at) === 0xd800 && half(at + 1) === 0xdc00) result += `${found[at++]}${found[at]}`;
    else result += half(at) === 0xd800 || half(at) === 0xdc00 ? '.' : found[at];
  }
  return result;
}

/** The text without anything that the list knows. */
export function tamed(text: string): string {
  return simdjsonDifferences.reduce((tame, difference) => difference.tame(tame), text);
}
