import { describe, expect, it } from 'vitest';
import { numbers, strings } from '../../support/json-shapes.ts';
import { learned, NO_JSON, SlotTrial } from '../../support/slots.ts';

/** Feeds texts of known shape: every one of them must be a hit. */
function feedKnown(trial: SlotTrial, texts: Iterable<string>, before = 0): void {
  for (const text of texts) {
    const { hits } = trial.stats;
    trial.feed(text, { before });
    expect(trial.stats.hits, text).toBe(hits + 1);
  }
}

/** Places where a value can stand. */
const places: readonly (readonly [string, (value: string) => string])[] = [
  ['the root', (value) => value],
  ['a member', (value) => `{"a":1,"value":${value}}`],
  ['a member before another', (value) => `{"value":${value},"b":"c"}`],
  ['an item', (value) => `[${value}]`],
  ['an item among others', (value) => `{"list":[0,${value}, ${value} ,"x"]}`],
  ['a member before white space', (value) => `{"value": ${value}\r\n }`],
];

describe.each(places)('what stands at %s is read as JSON.parse reads it', (_, at) => {
  it('a number of every form', () => {
    feedKnown(learned(at('1'), at('-1')), numbers.map(at));
  });

  it('a number of every count of digits, before and behind the point', () => {
    const trial = learned(at('1'));
    const digits = '12345678901234567890123456789012';
    const texts: string[] = [];
    for (let whole = 1; whole <= 20; whole++) {
      texts.push(
        digits.slice(0, whole),
        `-${digits.slice(0, whole)}`,
        '9'.repeat(whole),
        `-${'9'.repeat(whole)}`,
      );
      for (let fraction = 1; fraction <= 20; fraction++) {
        const number = `${digits.slice(0, whole)}.${digits.slice(5, 5 + fraction)}`;
        texts.push(
          number,
          `-${number}`,
          `0.${'0'.repeat(whole)}${digits.slice(0, fraction)}`,
          `${number}e-${whole}`,
        );
      }
    }
    feedKnown(trial, texts.map(at));
  });

  it('a string of every kind', () => {
    feedKnown(learned(at('"other"')), strings.map(at));
  });

  it('true, false and null', () => {
    feedKnown(learned(at('0')), ['true', 'false', 'null'].map(at));
  });

  it('an empty object or array, white space in it or not', () => {
    feedKnown(learned(at('0')), ['{}', '[]', '{ }', '[ ]', '{\n\t }', '[\r\n]'].map(at));
  });

  it.each([
    ...[
      '-',
      '+1',
      '01',
      '-01',
      '00',
      '.5',
      '-.5',
      '1.',
      '1.e5',
      '1e',
      '1e+',
      '1E-',
      '1.5e',
      '1e5.5',
      '0x1',
      '--1',
      '1-2',
    ],
    ...[
      '1a',
      '1_0',
      'Infinity',
      '-Infinity',
      'NaN',
      'tru',
      'truE',
      'truex',
      'fals',
      'falsy',
      'nul',
      'nulll',
      'undefined',
    ],
    ...[
      '"',
      '"a',
      '"a\\"',
      '"\\x"',
      '"\\u12"',
      '"\\u12g4"',
      '"\t"',
      '"a\nb"',
      '"\0"',
      "'a'",
      '{',
      '[',
      '[1',
      '[1,',
      '[1,]',
    ],
    ...[
      '[,1]',
      '{,}',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{a:1}',
      '[1 2]',
      '{"a":1 "b":2}',
      '\u00a0 1',
      '\ufeff1',
      '1 2',
    ],
    ...['0123456789', '-0123456789', '00.5', '01e5', '000000000000', '0.5.5', '1e5e5'],
  ])('nothing that is no value: %j', (text) => {
    const trial = learned(at('1'), at('"a"'), at('[1]'), at('{"a":1}'));
    const { hits } = trial.stats;
    const value = trial.feed(at(text));
    // Between two quotes, one more makes two strings.
    if (text === '"' && value !== NO_JSON) return;
    expect(value).toBe(NO_JSON);
    expect(trial.stats.hits).toBe(hits);
  });
});

describe('a string is read as JSON.parse reads it', () => {
  const long = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(4);

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('at every length, %i bytes from where a word begins', (before) => {
    const trial = learned('{"s":"","t":0}');
    for (let length = 0; length <= 140; length++) {
      const text = long.slice(0, length);
      feedKnown(trial, [`{"s":"${text}","t":1}`, `"${text}"`], before);
    }
  });

  it.each([
    'é',
    'ก',
    '😀',
    '\\n',
    '\\"',
    '\\\\',
    '\\u00e9',
    '\\ud83d',
    '\u007f',
    '\t',
    '\u0000',
    '\u001f',
    '\\q',
    '"',
  ])('with %j at every position', (odd) => {
    for (let length = 0; length <= 24; length++) {
      const trial = learned('{"s":"","t":0}');
      for (let at = 0; at <= length; at++) {
        const text = `{"s":"${long.slice(0, at)}${odd}${long.slice(at, length)}","t":1}`;
        trial.feed(text, { before: length & 3 });
      }
      expect(trial.stats.passed).toBe(0);
    }
  });

  it('with an escape after any number of bytes, until the rest is left to the runtime', () => {
    const trial = learned('{"s":"","t":0}');
    let walked = 0;
    for (let length = 230; length < 280; length++) {
      const { hits } = trial.stats;
      trial.feed(`{"s":"é${'x'.repeat(length)}\\u00e9\\n","t":1}`);
      walked += trial.stats.hits - hits;
      for (let good = 0; good < 10; good++)
        trial.feed('{"s":"some text of which every byte earns a half","t":0}');
    }
    expect(trial.stats.passed).toBe(0);
    // The last escape may be 256 bytes behind the opening quote, and eight bytes of others are between.
    expect(walked).toBe(256 - 8 - 230);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 40, 61, 62, 63, 64, 65, 66])(
    'when it came before, %i bytes long, and when it differs from it in one byte',
    (length) => {
      const known = long.slice(0, length);
      const of = (text: string): string => `{"a":1,"s":"${text}","t":[]}`;
      const trial = learned(of(known));
      feedKnown(trial, [of(known)]);
      for (let at = 0; at < length; at++) {
        const changed = `${known.slice(0, at)}_${known.slice(at + 1)}`;
        feedKnown(trial, [of(changed), of(known)]);
      }
      feedKnown(trial, [of(known.slice(1)), of(`${known}x`), of(`${known}é`), of(`${known}\\n`), of('')]);
      trial.feed(of(`${known}\n`));
      trial.feed(of(`${known}"`));
    },
  );

  it('when more different ones come again than a slot remembers', () => {
    const trial = learned('{"s":""}');
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    for (let round = 0; round < 20; round++)
      feedKnown(
        trial,
        words.slice(0, 1 + (round % 7)).map((word) => `{"s":"${word}"}`),
      );
  });

  it('as a key too: every name JSON has, index-like, inherited, escaped or empty', () => {
    const names = [
      ...[
        '',
        '0',
        '1',
        '10',
        '01',
        '-1',
        '4294967294',
        '4294967295',
        '1.5',
        'a',
        'a"b',
        'a\\',
        '\n',
        'é',
        'ก',
        '😀',
        '\ud83d',
      ],
      ...Object.getOwnPropertyNames(Object.prototype),
      ...[
        'length',
        'then',
        'toJSON',
        'prototype',
        'x'.repeat(123),
        'x'.repeat(124),
        'x'.repeat(125),
        'x'.repeat(200),
      ],
    ];
    for (const first of names) {
      for (const second of names) {
        const trial = new SlotTrial();
        const escaped = `"${[...second].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
        for (let round = 0; round < 3; round++) {
          trial.feed(`{"b":1,${JSON.stringify(first)}:${round},${JSON.stringify(second)}:{"c":[]},"a":2}`);
          trial.feed(`{${JSON.stringify(first)}:{"__proto__":{"x":1}},${escaped}:${round}}`);
        }
      }
    }
  });
});

describe('names that mean something to an object', () => {
  it('become members of their own, and the prototype stays', () => {
    const trial = new SlotTrial();
    for (let round = 0; round < 5; round++) {
      const value = trial.feed('{"a":1,"__proto__":{"polluted":1},"constructor":null,"b":2}');
      expect(Object.keys(value as object)).toEqual(['a', '__proto__', 'constructor', 'b']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    }
  });
});

describe('names that a program has given all objects', () => {
  const { prototype } = Object;

  it.each([
    ['a setter', { set: () => {}, configurable: true }],
    [
      'a value that cannot be changed, as of a frozen prototype',
      { value: 0, writable: false, configurable: true },
    ],
  ])('become members all the same: %s', (_, descriptor) => {
    Object.defineProperty(prototype, 'inherited', descriptor);
    try {
      const trial = new SlotTrial();
      for (let round = 0; round < 5; round++)
        trial.feed(`{"a":1,"inherited":${round},"b":{"inherited":"x"}}`);
    } finally {
      Reflect.deleteProperty(prototype, 'inherited');
    }
  });
});

describe('a text about as long as texts are walked', () => {
  it.each([-1, 0, 1])('is read as JSON.parse reads it: 16 MiB and %i', (more) => {
    const length = 16 * 1024 * 1024 + more;
    const trial = learned('{"a":"","b":[1]}');
    const text = `{"a":"${'x'.repeat(length - 16)}","b":[2]}`;
    expect(text.length).toBe(length);
    const { hits } = trial.stats;
    trial.feed(text);
    expect(trial.stats).toMatchObject(more > 0 ? { hits, passed: 1 } : { hits: hits + 1, passed: 0 });
  });
});
