import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFramingError, type LazyValue, lazyJson } from '../../../src/index.ts';
import { bytesOf } from '../../support/events.ts';
import { spacedJson, tightJson } from '../../support/json-texts.ts';
import { during, expectSame, pathsOf, readLazy, rebuilt } from '../../support/lazy.ts';
import { cutPositions, cuts } from '../../support/streams.ts';
import { holds, seed, timeBoxMs } from '../../support/time-box.ts';

/** Everything that must hold of a lazy value and what `JSON.parse` makes of its text. */
function expectEqual(lazy: LazyValue, parsed: unknown): void {
  for (const [path, value] of pathsOf(parsed)) {
    const there = lazy.get(...path);
    expectSame(there.decode(), value);
    expectSame(JSON.parse(there.raw()), value);
    expect(lazy.find(...path)?.raw()).toBe(there.raw());
    expect(Buffer.from(there.rawBytes()).toString()).toBe(there.raw());
    if (typeof value === 'number') {
      expect(there.number()).toBe(value);
      expect(Object.is(Number(there.numberText()), value)).toBe(true);
    }
    if (Array.isArray(value)) expect(there.length).toBe(value.length);
  }
  const again = rebuilt(lazy);
  expectSame(again, parsed);
  // Key order too.
  expect(JSON.stringify(again)).toBe(JSON.stringify(parsed));
}

describe(`lazy values (seed ${seed})`, () => {
  it(
    'give at every path, and by iteration, what JSON.parse gives, however the frame is cut',
    () => {
      holds(
        fc.property(spacedJson, cuts, fc.boolean(), (text, places, isChecked) => {
          const parsed: unknown = JSON.parse(text);
          const line = bytesOf(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"v":${text}}}\n`);
          during(
            line,
            (batch, index) => {
              expectEqual(batch.lazyPayload(index)?.get('v') as LazyValue, parsed);
              expectEqual(batch.lazy(index).get('params', 'v'), parsed);
            },
            { validate: isChecked ? 'full' : 'envelope' },
            cutPositions(places, line.length),
          );
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'of a text of one’s own, newlines in it or not, are the same',
    () => {
      holds(
        fc.property(spacedJson, (text) => {
          expectEqual(lazyJson(bytesOf(` \n${text.replaceAll('\r', '\n')}\r\n`)), JSON.parse(text));
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'joined as raw text give the raw text of their container',
    () => {
      const raw = (value: LazyValue): string => {
        if (value.kind === 'array') return `[${Array.from(value.items(), raw).join()}]`;
        return value.raw();
      };
      holds(
        fc.property(tightJson, (text) => {
          readLazy(`[${text}]\n`, (value) => {
            expect(raw(value)).toBe(`[${text}]`);
            expect(value.raw()).toBe(`[${text}]`);
            expect(value.get(0).raw()).toBe(text);
          });
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    'of mutilated frames give values or errors with a code, and never a value where all of it is decoded and JSON.parse throws',
    () => {
      const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
      const change = fc.tuple(place, fc.constantFrom(...'{}[]",:\\x0-e. u'), fc.boolean());
      holds(
        fc.property(spacedJson, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
          let bad = text;
          for (const [where, what, isInserted] of changes) {
            const at = Math.floor(where * bad.length);
            bad = bad.slice(0, at) + what + bad.slice(isInserted ? at : at + 1);
          }
          if (bad.trim() === '') return;
          let isJson = true;
          let parsed: unknown;
          try {
            parsed = JSON.parse(bad.toWellFormed());
          } catch {
            isJson = false;
          }
          const settings = { envelope: 'none', validate: 'none' } as const;
          readLazy(
            `${bad}\n`,
            (value) => {
              const told = attempt(() => rebuilt(value));
              if (isJson) expectSame(told, { value: parsed });
              else expectSame(told, { code: 'JSON_SYNTAX' });
              expectSame(
                attempt(() => value.decode()),
                told,
              );
            },
            settings,
          );
          const owned = attempt(() => lazyJson(bytesOf(bad)).decode());
          expectSame(owned, isJson ? { value: parsed } : { code: 'JSON_SYNTAX' });
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});

function attempt(act: () => unknown): { value: unknown } | { code: string } {
  try {
    return { value: act() };
  } catch (error) {
    if (!isFramingError(error)) throw error;
    return { code: error.code };
  }
}
