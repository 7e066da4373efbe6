import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poisons } from '../../src/reader/poison.ts';
import { bytesOf } from '../support/events.ts';
import { jsonCorpora, mutatedText, parsed } from '../support/json-corpora.ts';
import { spacedJson } from '../support/json-texts.ts';
import { simdjsonMissing, simdjsonNote, simdjsonPackage } from '../support/simdjson.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';
import { simdjsonDifferences, tamed } from './differences.ts';
import { ThirdOpinion } from './third-opinion.ts';

const isSkipped = simdjsonMissing !== undefined || poisons;

describe.skipIf(isSkipped)(`the full scan, JSON.parse and simdjson${simdjsonNote}`, () => {
  it.each(jsonCorpora())(
    'agree on every text of $name, but for the listed differences',
    ({ texts }) => {
      const opinion = new ThirdOpinion();
      let count = 0;
      for (const text of texts()) {
        count++;
        expect(opinion.complaint(text)).toBeUndefined();
      }
      expect(count).toBeGreaterThan(20);
    },
    120_000,
  );

  it(
    `agree on mutations of all of them (seed ${seed})`,
    () => {
      const opinion = new ThirdOpinion();
      holds(
        fc.property(fc.integer(), (mutation) => {
          expect(opinion.complaint(mutatedText(mutation))).toBeUndefined();
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    `agree on random JSON in every spelling (seed ${seed})`,
    () => {
      const opinion = new ThirdOpinion();
      holds(
        fc.property(fc.oneof(spacedJson, fc.json({ stringUnit: 'binary' })), (text) => {
          const bytes = bytesOf(text);
          expect(opinion.complaint({ name: text, bytes, expected: parsed(bytes) })).toBeUndefined();
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});

describe.skipIf(isSkipped)(`the listed differences of simdjson${simdjsonNote}`, () => {
  it.each(simdjsonDifferences)('$name: $kind, as ever', ({ example, kind, tame }) => {
    const simdjson = simdjsonPackage();
    const value: unknown = JSON.parse(example);
    expect(simdjson.isValid(example)).toBe(kind === 'other value');
    if (kind === 'other value') expect(simdjson.parse(example)).not.toStrictEqual(value);

    const harmless = tame(example);
    expect(simdjson.isValid(harmless)).toBe(true);
    expect(simdjson.parse(harmless)).toStrictEqual(JSON.parse(harmless));
  });

  it('explain nothing else: a text without any of them stays as it is when they are taken out', () => {
    const text = ' {"a": [1, -1.5e3, "\\ud83d\\ude00 \\\\ud800", {"0": null}], "b\\n": "", "": [[], {}]}\n';
    expect(tamed(text)).toBe(text);
  });
});
