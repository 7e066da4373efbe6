import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson, JsonEncoder } from '../../../src/index.ts';
import { encodeDeep } from '../../../src/json/encode/encode-deep.ts';
import { encodeRules } from '../../../src/json/encode/options.ts';
import { poisons } from '../../../src/reader/poison.ts';
import { encoded, encodedWithin } from '../../support/encoded.ts';
import { oddValues } from '../../support/odd-values.ts';
import { holds, seed, timeBoxMs } from '../../support/time-box.ts';

const lax = { nonFinite: 'null' } as const;

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
          expect(encodeJson(value, lax)).toBe(text);
          expect(encodeDeep(value, '', encodeRules(lax))).toBe(text);
          expect(text).not.toContain('\n');
          expect(decodeJson(text)).toStrictEqual(JSON.parse(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'writes the same bytes with one encoder for all values, whatever came before, and at the end of its target',
    () => {
      const encoder = new JsonEncoder(lax);
      const odd = fc.constantFrom(...oddValues.map(([, make]) => make));
      const plain = fc.oneof(
        anyValue,
        fc.record({ a: anyValue, b: fc.string(), c: fc.double() }, { requiredKeys: ['a'] }),
      );
      const made = fc.oneof(
        plain.map((value) => () => value),
        odd.map((make) => () => [make()]),
      );
      holds(
        fc.property(made, fc.nat(60), (make, less) => {
          const text = JSON.stringify(make()) as string | undefined;
          if (text === undefined) return;
          expect(encoded(encoder, make(), 1 << 18)).toBe(text);
          const capacity = Math.max(0, new TextEncoder().encode(text).length + 10 - less);
          expect(encodedWithin(encoder, make(), capacity, less % 4)).toBe(less > 10 ? undefined : text);
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'refuses numbers that JSON cannot say in the same way as a string and as bytes, and only them',
    () => {
      const encoder = new JsonEncoder();
      const number = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1, 0.5, null, 'null', undefined);
      const { tree } = fc.letrec((tie) => ({
        tree: fc.oneof(
          { maxDepth: 4 },
          number,
          fc.array(tie('tree'), { maxLength: 4 }),
          fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('tree')),
        ),
      }));
      const outcome = (run: () => string): string => {
        try {
          return run();
        } catch (error) {
          return (error as Error).message;
        }
      };
      holds(
        fc.property(tree, (value) => {
          const text = outcome(() => encodeJson(value));
          expect(outcome(() => encoded(encoder, value))).toBe(text);
          let isOdd = false;
          JSON.stringify(value, (_, item: unknown) => {
            if (typeof item === 'number' && !Number.isFinite(item)) isOdd = true;
            return item;
          });
          if (isOdd) expect(text).toMatch(/^the value at \$.* is (NaN|Infinity)$/);
          else if (value !== undefined) expect(text).toBe(JSON.stringify(value));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'writes every double like JSON.stringify',
    () => {
      const encoder = new JsonEncoder();
      const target = Buffer.alloc(64);
      const decimals = fc
        .tuple(fc.oneof(fc.integer(), fc.maxSafeInteger()), fc.integer({ min: 0, max: 9 }))
        .map(([n, digits]) => n / 10 ** digits);
      const number = fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.maxSafeInteger(),
        decimals,
      );
      holds(
        fc.property(number, (value) => {
          expect(target.toString('utf8', 0, encoder.encodeInto(target, 0, value))).toBe(
            JSON.stringify(value),
          );
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});
