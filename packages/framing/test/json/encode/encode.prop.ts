import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../../src/index.ts';
import { encodeDeep } from '../../src/json/encode-deep.ts';
import { poisons } from '../../src/reader/poison.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

const anyValue = fc.anything({
  withNullPrototype: true,
  withDate: true,
  withSparseArray: true,
  withUnicodeString: true,
  withBoxedValues: true,
});

// Nothing is borrowed here, so one of the passes over the suite is enough.
describe.skipIf(poisons)(`the encoder (seed ${seed})`, () => {
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
          expect(decodeJson(text)).toStrictEqual(JSON.parse(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});
