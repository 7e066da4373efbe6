import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeJson, encodeJson, JsonNumber, lazyJson } from '../../../src/index.ts';
import { decodeNumbers } from '../../../src/json/numbers/decode-numbers.ts';
import { mayHoldLongInteger } from '../../../src/json/numbers/number-text.ts';
import { bytesOf } from '../../support/events.ts';
import { spacedJson } from '../../support/json-texts.ts';
import { during, expectSame } from '../../support/lazy.ts';
import { numberText, parsedWith, plainDocument, writtenWith } from '../../support/number-texts.ts';
import { cutPositions, cuts } from '../../support/streams.ts';
import { holds, seed, timeBoxMs } from '../../support/time-box.ts';

const documents = fc.oneof(spacedJson, plainDocument);

function isBig(number: string): boolean {
  return /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number));
}

const raw = (number: string): JsonNumber => new JsonNumber(number);
const bigint = (number: string): unknown => (isBig(number) ? BigInt(number) : Number(number));

/** Deep-equal, and with members in the same order. */
function expectEqual(actual: unknown, expected: unknown): void {
  expectSame(actual, expected);
  const options = { numbers: 'raw', nonFinite: 'null' } as const;
  expect(encodeJson(actual, options)).toBe(encodeJson(expected, options));
}

describe(`numbers (seed ${seed})`, () => {
  it(
    'are raw text or exact integers, and all else is what JSON.parse gives, wherever and however it is decoded',
    () => {
      holds(
        fc.property(documents, cuts, fc.boolean(), (text, places, isChecked) => {
          for (const [numbers, revive] of [
            ['raw', raw],
            ['bigint', bigint],
          ] as const) {
            const expected = parsedWith(text, revive);
            expectEqual(decodeJson(text, { numbers }), expected);
            expectEqual(lazyJson(bytesOf(text)).decode({ numbers }), expected);
            const line = bytesOf(`{"jsonrpc":"2.0","id":"é","method":"m","params":{"v":${text}}}\n`);
            let whole: unknown;
            let payload: unknown;
            during(
              line,
              (batch, index) => {
                whole = batch.value(index);
                payload = batch.payload(index);
              },
              { numbers, validate: isChecked ? 'full' : 'envelope' },
              cutPositions(places, line.length),
            );
            // Looked at when the batch is gone: nothing is borrowed.
            expectEqual(whole, { jsonrpc: '2.0', id: 'é', method: 'm', params: { v: expected } });
            expectEqual(payload, { v: expected });
          }
          expectSame(decodeJson(text, { numbers: 'double' }), JSON.parse(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'decoded raw and encoded give the text again, character for character',
    () => {
      holds(
        fc.property(plainDocument, (text) => {
          expect(encodeJson(decodeJson(text, { numbers: 'raw' }))).toBe(text);
          expect(encodeJson(decodeJson(text, { numbers: 'raw' }), { numbers: 'raw' })).toBe(text);
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'decoded and encoded as bigints keep every digit of the integers, and of the others what JSON.stringify keeps',
    () => {
      const written = (number: string): string => (isBig(number) ? number : JSON.stringify(Number(number)));
      holds(
        fc.property(documents, (text) => {
          const value = decodeJson(text, { numbers: 'bigint' });
          expect(encodeJson(value, { numbers: 'bigint', nonFinite: 'null' })).toBe(
            writtenWith(text, written),
          );
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'in mutilated texts are refused exactly where JSON.parse refuses them',
    () => {
      const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
      const change = fc.tuple(place, fc.constantFrom(...'{}[]",:\\x0-+e.Eu \n\u0000\ufeff'), fc.boolean());
      holds(
        fc.property(documents, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
          let bad = text;
          for (const [where, what, isInserted] of changes) {
            const at = Math.floor(where * bad.length);
            bad = bad.slice(0, at) + what + bad.slice(isInserted ? at : at + 1);
          }
          const told = attempt(() => JSON.parse(bad));
          expectSame(
            attempt(() => doubles(decodeNumbers(bad, 'raw'))),
            told,
          );
          // With digits enough that the native decoder is not asked.
          const long = '1'.repeat(16);
          expectSame(
            attempt(() => (decodeNumbers(`[${long},${bad}]`, 'bigint') as unknown[]).length > 0),
            attempt(() => JSON.parse(`[${long},${bad}]`).length > 0),
          );
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'are looked for as a plain search would',
    () => {
      const pieces = fc.array(
        fc.oneof(
          fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }),
          fc.constantFrom('a', '-', ' ', '"', '.', 'e', 'E'),
        ),
      );
      holds(
        fc.property(pieces, (parts) => {
          const text = parts.join('');
          expect(mayHoldLongInteger(text)).toBe(/(?<![\d.])\d{16,}(?![\d.eE])/.test(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'as objects of their own are what their text says',
    () => {
      holds(
        fc.property(numberText, (text) => {
          const number = new JsonNumber(text);
          expect(String(number)).toBe(text);
          expect(Object.is(number.number(), JSON.parse(text))).toBe(true);
          if (/^-?\d+$/.test(text)) expect(number.bigint()).toBe(BigInt(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});

/** The value with its numbers as doubles. */
function doubles(value: unknown): unknown {
  if (value instanceof JsonNumber) return value.number();
  if (Array.isArray(value)) return value.map(doubles);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, doubles(member)] as const);
  return Object.fromEntries(members);
}

function attempt(act: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: act() };
  } catch (error) {
    return { error: String(error) };
  }
}
