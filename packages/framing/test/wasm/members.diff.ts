import { describe, it } from 'vitest';
import type { ScanOptions } from '../../src/engine/engine.ts';
import { MAX_CAPTURED_METHOD_BYTES } from '../../src/engine/sizes.ts';
import { expectEqualTables } from '../support/engine-account.ts';

const validations = ['full', 'envelope'] as const;

/** Ways to spell a number of so many digits. */
function numbersOf(digits: number): string[] {
  const nines = '9'.repeat(digits);
  return [
    nines,
    `-${nines}`,
    `0${nines}`,
    `${nines}.0`,
    `1${'0'.repeat(digits - 1)}`,
    `1e${digits - 1}`,
    `1.5E+${digits - 1}`,
    `${nines}e-1`,
    `${nines}0e-1`,
    `0.${'0'.repeat(digits)}1e${2 * digits}`,
    `0.${nines}e${digits}`,
    `-0.${'0'.repeat(digits)}`,
  ];
}

/** Strings whose source text has so many bytes. */
function stringsOf(bytes: number): string[] {
  const rest = (taken: number): string => 'i'.repeat(Math.max(0, bytes - taken));
  return [
    `"${rest(0)}"`,
    `"\\n${rest(2)}"`,
    `"${rest(6)}\\u0041"`,
    `"\xc3\xa9${rest(2)}"`,
    `"${rest(3)}\xe0\xb8\x97"`,
    `"${rest(2)}\xe0\xb8"`,
  ];
}

/** Messages with such a value of a member, in every place among the others. */
function messagesWith(name: string, value: string, filler = ''): string[] {
  const member = `${name}:${value}`;
  const payload = `"params":{"a":"${filler}"}`;
  return [
    `{"jsonrpc":"2.0",${member},"method":"m",${payload}}`,
    `{${payload},${member},"id":1,"jsonrpc":"2.0","method":"m"}`,
    `{"jsonrpc":"2.0","method":"m","id":7,${payload},${member}}`,
    `{"jsonrpc":"2.0", ${name} : ${value} ,"result":{"a":"${filler}"}}`,
    `{"error":{"a":"${filler}"},${member},"jsonrpc":"2.0"}`,
  ];
}

function compare(lines: readonly string[], mode: Partial<ScanOptions>): void {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
  expectEqualTables(bytes, [], mode);
  expectEqualTables(bytes, [], { ...mode, shortcuts: false });
}

describe.each(validations)('in %s, both engines agree on', (validate) => {
  it.each([16, 17, 1024])(
    'ids as long as is allowed, by digits and by bytes, maxIdBytes %d',
    (maxIdBytes) => {
      const lengths = new Set([1, 2, 13, 14, 15, 16, 17, 18, 19, 20, 31, 32, 33, maxIdBytes - 1, maxIdBytes]);
      for (const length of [...lengths, maxIdBytes + 1, maxIdBytes + 64, maxIdBytes + 65]) {
        const values = [...numbersOf(length), ...stringsOf(length)];
        for (const utf8 of ['strict', 'replace'] as const) {
          compare(
            values.flatMap((value) => messagesWith('"id"', value)),
            { validate, maxIdBytes, utf8 },
          );
        }
      }
    },
  );

  it('ids and methods of frames over the limit, as long as is kept of them, whole and in small pieces', () => {
    const filler = 'f'.repeat(1100);
    const around = [-1, 0, 1, 2];
    const lines = [
      ...around.flatMap((more) => [...stringsOf(16 + more), ...stringsOf(80 + more)]),
      ...around.flatMap((more) => numbersOf(16 + more)),
      ...around.map((more) => `1${'0'.repeat(77 + more)}e-70`),
      ...['{}', '[1,{"a":"]"}]', 'null', 'true', '""', '-'],
    ].flatMap((value) => messagesWith('"id"', value, filler));
    lines.push(
      ...around
        .flatMap((more) => stringsOf(MAX_CAPTURED_METHOD_BYTES + more))
        .flatMap((value) => messagesWith('"method"', value, filler)),
    );
    const mode = { validate, maxFrameBytes: 1024, maxIdBytes: 16 };
    compare(lines, mode);
    for (const line of lines) {
      const bytes = Buffer.from(`${line}\n`, 'latin1');
      for (const step of [13, 100]) {
        const cuts = Array.from({ length: Math.floor(bytes.length / step) }, (_, at) => (at + 1) * step);
        expectEqualTables(bytes, cuts, { ...mode, windowBytes: 64 });
      }
    }
  });

  it('names in every spelling, and names that are nearly one', () => {
    const lines = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'].flatMap((name) =>
      spellings(name).flatMap((spelling) => [
        ...messagesWith(`"${spelling}"`, '{}'),
        ...messagesWith(`"${spelling}"`, '"2.0"'),
        ...messagesWith(`"${spelling}"`, '1'),
      ]),
    );
    for (const duplicates of ['fault', 'last'] as const) compare(lines, { validate, duplicates });
  });

  it('versions in every spelling', () => {
    const lines = spellings('2.0').flatMap((spelling) => [
      `{"jsonrpc":"${spelling}","id":1,"method":"m"}`,
      `{"jsonrpc":"${spelling}"}`,
    ]);
    compare(lines, { validate });
  });
});

/** The name with each and all of its characters escaped, and with something before, in and behind it. */
function spellings(name: string): string[] {
  const characters = [...name];
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [
    name,
    characters.map(escaped).join(''),
    characters.map((character) => escaped(character).toUpperCase().replace('U', 'u')).join(''),
    ...characters.map((_, at) => characters.map((c, index) => (index === at ? escaped(c) : c)).join('')),
    ...characters.map((_, at) => characters.filter((_c, index) => index !== at).join('')),
    ...['\\"', '\\u0022', '\\u0000', '\\u0122', '\\n', '\xc3\xa9', 'x', ' ', '\\u00e9', '\\/'].flatMap(
      (odd) => [odd + name, name + odd, `${name.slice(0, 1)}${odd}${name.slice(1)}`],
    ),
  ];
}
