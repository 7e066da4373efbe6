import fc from 'fast-check';

const names = [
  'a',
  'b',
  'name',
  '',
  '0',
  '1',
  '10',
  '__proto__',
  'constructor',
  'toString',
  'é',
  '😀',
  'a"b',
  'a\\',
  'ก',
];

const numbers = [
  '0',
  '-0',
  '7',
  '-15',
  '1.0',
  '1e3',
  '1E+2',
  '15e-1',
  '-0.0',
  '0.1',
  '1e400',
  '-1e-400',
  '999999999999999',
  '-1000000000000000',
  '9007199254740993',
  '123456789012345678901234567890',
];

const texts = [
  '""',
  '"plain"',
  '"with \\"quotes\\" and \\\\"',
  '"\\u0061\\n\\/\\b\\f\\r\\t"',
  '"\\ud83d\\ude00"',
  '"\\ud83d"',
  '"\\ude00\\ud83d"',
  '"😀é ทดสอบ"',
  '"é\\u00e9"',
  '"\u2028\ufeff\u007f"',
  '"{[,]}:"',
  '"]"',
];

/** A string in one of its spellings. */
function spelled(text: string, roll: number): string {
  const plain = JSON.stringify(text);
  if (roll > 2) return plain;
  const units = text.split('');
  const escaped = units.map((unit, index) =>
    roll === 0 || index === 0
      ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(unit).slice(1, -1),
  );
  // Half a pair that is not escaped has no UTF-8.
  return roll === 1 && /[\ud800-\udfff]/.test(text) ? plain : `"${escaped.join('')}"`;
}

const roll = fc.integer({ min: 0, max: 8 });

const name: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() }),
    roll,
  )
  .map(([text, how]) => spelled(text, how));

const scalar: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...texts),
  fc.constantFrom('true', 'false', 'null', '{}', '[]'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(fc.string({ unit: 'grapheme' }), roll).map(([text, how]) => spelled(text, how)),
);

function valueTexts(space: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar, tie('array'), tie('object')),
    array: fc
      .tuple(space, fc.array(fc.tuple(space, tie('value'), space), { maxLength: 5 }))
      .map(([empty, items]) => `[${items.length === 0 ? empty : items.map((item) => item.join('')).join()}]`),
    object: fc
      .tuple(space, fc.array(fc.tuple(space, name, space, tie('value'), space), { maxLength: 6 }))
      .map(([empty, members]) => {
        const parts = members.map(([a, key, b, value, c]) => `${a}${key}${b}:${a}${value}${c}`);
        return `{${parts.length === 0 ? empty : parts.join()}}`;
      }),
  })).value;
}

/** JSON texts with duplicate and oddly spelled names, every form of number and string, and white space that may stand in a frame. */
export const spacedJson: fc.Arbitrary<string> = valueTexts(
  fc.constantFrom('', '', '', ' ', '\t', '\r', '  '),
);

/** The same without white space. */
export const tightJson: fc.Arbitrary<string> = valueTexts(fc.constant(''));
