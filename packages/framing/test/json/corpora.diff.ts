import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeJson,
  encodeJson,
  FramingError,
  isFramingError,
  JsonEncoder,
  type LazyValue,
  lazyJson,
} from '../../src/index.ts';
import { bytesOf } from '../support/events.ts';
import { FullScan, lineOf } from '../support/full-scan.ts';
import { type JsonText, jsonCorpora, mutatedText, parsed } from '../support/json-corpora.ts';
import { spacedJson } from '../support/json-texts.ts';
import { pathsOf, readLazy } from '../support/lazy.ts';
import { isSame } from '../support/same-value.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

/** Every path costs a look from the start: only so much of a document is asked for path by path. */
const maxPathsBytes = 2000;
/** Each step reads its container to the end. */
const maxSteps = 40;

/** One way from bytes to a value; it throws a FramingError where `JSON.parse` throws. */
const decoders: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  'decodeJson(text)': (bytes) => decodeJson(utf8.decode(bytes)),
  'lazyJson(bytes).decode()': (bytes) => lazyJson(bytes).decode(),
  'batch.lazy(i).decode()': framedValue,
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const scan = new FullScan();

/** The text as a frame, read by the engine of this pass; what it decoded to outlives the batch. */
function framedValue(bytes: Uint8Array): unknown {
  if (!scan.accepts(bytes)) throw new FramingError('JSON_SYNTAX', 'the full scan refuses it');
  let value: unknown;
  readLazy(
    lineOf(bytes),
    (lazy) => {
      value = lazy.decode();
    },
    { envelope: 'none', maxDepth: 16_384 },
  );
  return value;
}

/** Whether a lazy value is what `JSON.parse` has there. What a container holds is not looked at: it has paths of its own. */
function isLike(lazy: LazyValue, expected: unknown): boolean {
  if (Array.isArray(expected)) return lazy.length === expected.length;
  if (typeof expected !== 'object' || expected === null) return Object.is(lazy.decode(), expected);
  const names = new Set(Array.from(lazy.members(), ([name]) => name));
  return lazy.kind === 'object' && isDeepStrictEqual([...names].sort(), Object.keys(expected).sort());
}

/** What a decoder makes of a text beside `JSON.parse`, in words; undefined when they agree. */
function decodingComplaint(
  { bytes, expected }: JsonText,
  decode: (bytes: Uint8Array) => unknown,
): string | undefined {
  let value: unknown;
  try {
    value = decode(bytes);
  } catch (error) {
    if (!isFramingError(error)) throw error;
    return expected === undefined ? undefined : `threw ${error.code} where JSON.parse does not`;
  }
  if (expected === undefined) return 'a value where JSON.parse throws';
  return isSame(value, expected.value) ? undefined : 'another value than that of JSON.parse';
}

function complaints(text: JsonText): string[] {
  const found = Object.entries(decoders).flatMap(([name, decode]) => {
    // A string cannot hold what is not UTF-8.
    if (name === 'decodeJson(text)' && !isUtf8(text.bytes)) return [];
    const complaint = decodingComplaint(text, decode);
    return complaint === undefined ? [] : [`${text.name}, ${name}: ${complaint}`];
  });
  if (text.expected === undefined) return found;
  const { value } = text.expected;
  const wanted = stringified(text, value);
  if (encodeJson(value, asStringify) !== wanted) found.push(`${text.name}: encodeJson is not JSON.stringify`);
  if (asBytes(value, wanted) !== wanted) found.push(`${text.name}: encodeInto is not JSON.stringify`);
  if (text.bytes.length > maxPathsBytes) return found;
  const lazy = lazyJson(text.bytes);
  for (const [path, there] of pathsOf(value)) {
    if (path.length <= maxSteps && !isLike(lazy.get(...path), there))
      found.push(`${text.name} at ${JSON.stringify(path)}`);
  }
  return found;
}

/** The corpora hold numbers that are infinite as doubles. */
const asStringify = { nonFinite: 'null' } as const;
const encoder = new JsonEncoder(asStringify);

function asBytes(value: unknown, wanted: string): string {
  const target = new Uint8Array(Buffer.byteLength(wanted));
  return utf8.decode(target.subarray(0, encoder.encodeInto(target, 0, value)));
}

/** `JSON.stringify`, which recurses; what is too deep for it stands in the corpora as it would be written. */
function stringified({ bytes }: JsonText, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return utf8.decode(bytes);
  }
}

describe('decoding and encoding', () => {
  for (const { name, missing, texts } of jsonCorpora()) {
    const skipped = missing === undefined ? '' : ` (SKIPPED: ${missing})`;
    it.skipIf(missing !== undefined)(
      `equal JSON.parse and JSON.stringify on every text of ${name}${skipped}`,
      () => {
        let count = 0;
        for (const text of texts()) {
          count++;
          expect(complaints(text)).toEqual([]);
        }
        expect(count).toBeGreaterThan(20);
      },
      120_000,
    );
  }

  it(
    `equal them on mutations of all of them (seed ${seed})`,
    () => {
      holds(
        fc.property(fc.integer(), (mutation) => {
          expect(complaints(mutatedText(mutation))).toEqual([]);
        }),
      );
    },
    timeBoxMs + 20_000,
  );

  it(
    `equal them on random JSON in every spelling (seed ${seed})`,
    () => {
      holds(
        fc.property(fc.oneof(spacedJson, fc.json({ stringUnit: 'binary' })), (text) => {
          const bytes = bytesOf(text);
          expect(complaints({ name: text, bytes, expected: parsed(bytes) })).toEqual([]);
        }),
      );
    },
    timeBoxMs + 20_000,
  );
});
