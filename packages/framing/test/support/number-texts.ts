import fc from 'fast-check';

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

const integerPart = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0, 3)).map(([first, rest]) => `${first}${rest}`),
  // Around the last integers that a double holds, and far beyond them.
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(13, 18)).map(([first, rest]) => `${first}${rest}`),
  fc.tuple(fc.integer({ min: 1, max: 9 }), digits(19, 120)).map(([first, rest]) => `${first}${rest}`),
  fc.constantFrom('9007199254740991', '9007199254740992', '9007199254740993', '18446744073709551616'),
);

const fraction = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  digits(1, 20).map((text) => `.${text}`),
);

const exponent = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc
    .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 4))
    .map((parts) => parts.join('')),
);

/** Numbers in every form that JSON has. */
export const numberText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '-'), integerPart, fraction, exponent)
  .map((parts) => parts.join(''));

const plainText = fc.stringMatching(/^[a-z 0-9.,:{}[\]-]{0,20}$/).map((text) => JSON.stringify(text));

/** Documents that `JSON.stringify` would write the same way, but for their numbers: no white space, no escapes, no name twice. */
export const plainDocument: fc.Arbitrary<string> = fc.letrec<{
  value: string;
  array: string;
  object: string;
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: numberText },
    { weight: 1, arbitrary: plainText },
    { weight: 1, arbitrary: fc.constantFrom('true', 'false', 'null', '[]', '{}') },
    { weight: 2, arbitrary: tie('array') },
    { weight: 2, arbitrary: tie('object') },
  ),
  array: fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join()}]`),
  object: fc
    .array(tie('value'), { maxLength: 5 })
    .map((values) => `{${values.map((value, index) => `"k${index}":${value}`).join()}}`),
})).value;

/** Stands before the text of a number that is made a string: no other string of these documents has it. */
const MARK = '\ue000';

/**
 * What `JSON.parse` makes of a text whose numbers have become strings, each passed through `revive`: an account of the numbers that the code
 * under test has no hand in.
 */
export function parsedWith(text: string, revive: (number: string) => unknown): unknown {
  const marked = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${MARK}${token}"`,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? revive(value.slice(1)) : value,
  );
}

/** The text that a value of `parsedWith(text, (number) => MARK + …)` stands for: the marked strings without quotes. */
export function writtenWith(text: string, written: (number: string) => string): string {
  const value = parsedWith(text, (number) => MARK + written(number));
  return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1');
}
