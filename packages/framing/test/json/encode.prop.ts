import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson, encodeText } from '../../src/index.ts';
import { encodeDeep } from '../../src/json/encode-deep.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

const anyValue = fc.anything({
  withNullPrototype: true,
  withDate: true,
  withSparseArray: true,
  withUnicodeString: true,
  withBoxedValues: true,
});

describe(`the encoder (seed ${seed})`, () => {
  it(
    'is byte-equal to JSON.stringify for any value, and so is the one for deep values',
    () => {
      holds(
        fc.property(anyValue, (value) => {
          const text = JSON.stringify(value) as string | undefined;
          if (text === undefined) return;
          expect(encodeJson(value)).toBe(text);
          expect(encodeDeep(value)).toBe(text);
          expect(text).not.toContain('\n');
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'and the decoder take each other back',
    () => {
      holds(
        fc.property(fc.jsonValue(), (value) => {
          expect(decodeJson(encodeJson(value))).toStrictEqual(JSON.parse(JSON.stringify(value)));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'writes any text as JSON.stringify does',
    () => {
      holds(
        fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
          expect(encodeText(text)).toBe(JSON.stringify(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});
