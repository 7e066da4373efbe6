import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../../support/events.ts';
import { learned, NO_JSON } from '../../support/slots.ts';

const document =
  '{"name":"search","n":12.5,"list":[1,true,"é\\n"],"o":{"a":null, "b":{}},"s":"a text of some length"}';

/** Texts that end with each kind of value. */
const texts = [
  '1',
  '-12',
  '1.5',
  '1e5',
  '123456789012',
  'true',
  'false',
  'null',
  '"ab"',
  '"a\\n"',
  '"é"',
  '[]',
  '[1]',
  '{}',
  '{"a":1}',
  '{"a":"b"}',
];

describe('what stands behind a text does not matter', () => {
  it.each([...texts, document])('whichever byte it is, after %s', (text) => {
    const trial = learned(text);
    const { hits } = trial.stats;
    let fed = 0;
    for (let byte = 0; byte < 256; byte++) {
      for (const count of [1, 2, 8, 20]) {
        expect(trial.feed(text, { behind: new Uint8Array(count).fill(byte), before: fed % 5 })).not.toBe(
          NO_JSON,
        );
        // Keeps up the credit that numbers which go on behind the text use up.
        for (let good = 0; good < 5; good++)
          trial.feed(text.length > 20 ? text : '"a string that is a hit, and pays for many misses"');
        fed++;
      }
    }
    expect(trial.stats.passed).toBe(0);
    expect(trial.stats.hits).toBeGreaterThan(hits + 5 * fed);
  });

  it('wherever a text is cut off and goes on behind its end', () => {
    for (const text of [...texts, document]) {
      const bytes = bytesOf(text);
      const memory = joined(bytes, bytesOf(',"z":1}]}'), new Uint8Array(32));
      for (let end = 0; end <= bytes.length; end++) {
        const trial = learned(text);
        const value = trial.decode(memory, 0, end);
        if (end > 0 && end < bytes.length && /^["[{tfn]/.test(text)) expect(value).toBe(NO_JSON);
        expect(trial.stats.passed).toBe(0);
      }
    }
  });

  it('wherever strings, names and values that are known go on behind its end', () => {
    const known = '{"a":"known","b":{"c":"known too"}}';
    const bytes = joined(bytesOf(known), new Uint8Array(32));
    for (let end = 1; end < known.length; end++)
      expect(learned(known).decode(bytes, 0, end), `${end}`).toBe(NO_JSON);
    // Whole objects stand there too, which only together are one.
    for (const [text, behind] of [
      ['{"a":"know', 'n","b":{"c":"known too"}}'],
      ['{"a":"known","b":{}', '}'],
      ['{"a":"known"', ',"b":{}}'],
      ['{"a":"known"', '     }'],
      ['"', 'plain text'],
      ['"', '""""""""""'],
      ['"', 'éééééé'],
      ['["a","', 'éééééé"]'],
      ['"é\\"', 'plain text"'],
      ['{"a":"', 'plain text"}'],
      ['["', 'text"]'],
      ['{"a', '":"known"}'],
      ['{"a"', ':"known"}'],
      ['{"a":', '"known"}'],
    ] as const) {
      expect(learned(known, '["a"]').feed(text, { behind: bytesOf(behind) })).toBe(NO_JSON);
    }
  });

  it('when white space follows up to the end of the memory, and there begins a value', () => {
    for (const text of ['[1,', '["a"', '[ ', '{"a":', '{"a":1', '{"a":{"b":1', '{"a":[', '{ ']) {
      for (const byte of '"tfn[{-0]},\\') {
        for (let room = 8; room < 40; room++) {
          const memory = joined(text, ' '.repeat(room - 1), byte);
          const trial = learned('{"a":1}', '{"a":{"b":1}}', '{"a":["x"]}', '[1,"a"]');
          const { passed } = trial.stats;
          expect(trial.decode(memory, 0, text.length)).toBe(NO_JSON);
          expect(trial.stats.passed).toBe(passed);
        }
      }
    }
  });

  it('when the memory ends with the text, or soon behind it', () => {
    for (const text of [...texts, document]) {
      const bytes = bytesOf(text);
      for (let room = 0; room <= 12; room++) {
        const trial = learned(text);
        for (let cut = 0; cut <= Math.min(2, bytes.length); cut++) {
          const memory = joined(bytes.subarray(0, bytes.length - cut), new Uint8Array(room).fill(0x78));
          trial.decode(memory, 0, bytes.length - cut);
        }
      }
    }
  });
});

describe('the memory behind a text is not read beyond its end', () => {
  it.each(['\\', '"', 'x', 'é', ' ', '0', '\u0001'])(
    'wherever a string is cut off, and %j follows',
    (behind) => {
      for (const text of ['"', '"a', '"é', '"é\\', '"\\', '"\\"', '"é plain text', '{"a":"é', '["a","é']) {
        const bytes = bytesOf(text);
        for (let count = 8; count < 24; count++) {
          const trial = learned('"a"', '{"a":"b"}', '["a"]');
          const { passed } = trial.stats;
          expect(trial.decode(joined(bytes, behind.repeat(count)), 0, bytes.length)).toBe(NO_JSON);
          expect(trial.stats.passed).toBe(passed);
        }
      }
    },
  );

  it('wherever names and strings that are known are cut off', () => {
    const known =
      '{"a-name-that-is-longer-than-what-is-left-of-the-memory":"known by heart, all of it","b":1}';
    for (let end = 1; end < known.length; end++) {
      for (const room of [8, 9, 12]) {
        const trial = learned(known);
        const { passed } = trial.stats;
        expect(trial.decode(joined(known.slice(0, end), new Uint8Array(room)), 0, end)).toBe(NO_JSON);
        expect(trial.stats.passed).toBe(passed);
      }
    }
  });
});

describe('what stood at the same place before does not matter', () => {
  it('texts of all kinds in turns, each at the place of the last, each of its own length', () => {
    const trial = learned(...texts, document);
    for (let round = 0; round < 3; round++) {
      for (const [index, text] of [...texts, document, ...texts.toReversed()].entries()) {
        trial.feed(text, { before: (index + round) % 3 });
      }
    }
    expect(trial.stats.passed).toBe(0);
  });

  it('memory that is changed in place between two calls, and another view of the same memory', () => {
    const trial = learned('{"s":"aaaa"}', '{"s":"bbbb"}');
    const memory = joined(bytesOf('{"s":"aaaa"}'), new Uint8Array(32));
    expect(trial.decode(memory, 0, 12)).toEqual({ s: 'aaaa' });
    for (const letter of 'bcdefa') {
      memory.fill(letter.charCodeAt(0), 6, 10);
      expect(trial.decode(memory, 0, 12)).toEqual({ s: letter.repeat(4) });
      expect(trial.decode(new Uint8Array(memory.buffer), 0, 12)).toEqual({ s: letter.repeat(4) });
    }
  });

  it('memory of a view that does not begin where its buffer does', () => {
    const trial = learned('{"s":"aaaa","n":1}');
    const buffer = new Uint8Array(100).fill(0x22);
    for (let offset = 1; offset < 20; offset++) {
      const memory = buffer.subarray(offset);
      memory.set(bytesOf(`{"s":"aaaa","n":${offset % 10}}`), 3);
      expect(trial.decode(memory, 3, 21)).toEqual({ s: 'aaaa', n: offset % 10 });
    }
    expect(trial.stats.hits).toBeGreaterThan(19);
  });
});
