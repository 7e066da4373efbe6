import { DecoderSlot } from '../../src/json/shapes/decoder-slot.ts';
import type { DecodingStats } from '../../src/json/shapes/decoding-stats.ts';
import { utf8Text } from '../../src/text/decode.ts';
import { bytesOf, joined } from './events.ts';

/** What stands around a text in the memory that a slot reads from. */
export interface Surroundings {
  /** Bytes before the text: its alignment. Default 0. */
  readonly before?: number;
  /** What follows it. Default: nothing but zeros. */
  readonly behind?: Uint8Array;
}

/** In place of the value of a text that `JSON.parse` refuses. */
export const NO_JSON: unique symbol = Symbol('no JSON');

/** Bytes that a walk may look at behind its text, and a few more. */
const ROOM_BEHIND_BYTES = 32;

/** Feeds one slot, text after text in the same memory, and holds each value against what `JSON.parse` makes of the text. */
export class SlotTrial {
  readonly slot: DecoderSlot = new DecoderSlot();
  #memory = new Uint8Array(512);

  get stats(): DecodingStats {
    return this.slot.stats();
  }

  /** Decodes a text. Throws unless the outcome is that of `JSON.parse`: an equal value, or a SyntaxError, for which `NO_JSON` stands. */
  feed(text: Uint8Array | string, { before = 0, behind }: Surroundings = {}): unknown {
    const bytes = typeof text === 'string' ? bytesOf(text) : text;
    const end = before + bytes.length;
    const needed = end + (behind?.length ?? 0) + ROOM_BEHIND_BYTES;
    if (needed > this.#memory.length) this.#memory = new Uint8Array(needed * 2);
    // Whatever was there before stays only in front of the text and far behind it.
    this.#memory.set(bytes, before);
    this.#memory.fill(0, end, end + ROOM_BEHIND_BYTES);
    if (behind !== undefined) this.#memory.set(behind, end);
    return this.decode(this.#memory, before, end);
  }

  /** Feeds texts one after the other. */
  feedAll(texts: readonly string[]): void {
    for (const text of texts) this.feed(text);
  }

  /** As `feed`, of a range of memory of one's own. */
  decode(memory: Uint8Array, start: number, end: number): unknown {
    const text = utf8Text(memory, start, end);
    const expected = outcome(() => JSON.parse(text));
    const actual = outcome(() => this.slot.decode(memory, start, end, isAscii(memory, start, end)));
    const found = outcomeDifference(actual, expected);
    if (found !== undefined) throw new Error(`${found}, in ${JSON.stringify(text).slice(0, 2000)}`);
    return actual.error === undefined ? actual.value : NO_JSON;
  }
}

/** A slot that has seen the texts often enough to know their shapes and the strings that come again in them. */
export function learned(...texts: readonly string[]): SlotTrial {
  const trial = new SlotTrial();
  for (let round = 0; round < 4; round++) {
    for (const text of texts) {
      const memory = padded(text);
      trial.slot.decode(memory, 0, memory.length - ROOM_BEHIND_BYTES, false);
    }
  }
  return trial;
}

/** Memory with a text and room behind it. Kept, since tests learn the same few texts thousands of times. */
const memories = new Map<string, Uint8Array>();

function padded(text: string): Uint8Array {
  const memory = memories.get(text) ?? joined(text, new Uint8Array(ROOM_BEHIND_BYTES));
  memories.set(text, memory);
  return memory;
}

interface DecodeOutcome {
  readonly value: unknown;
  readonly error: unknown;
}

function outcome(act: () => unknown): DecodeOutcome {
  try {
    return { value: act(), error: undefined };
  } catch (error) {
    return { value: undefined, error };
  }
}

function outcomeDifference(actual: DecodeOutcome, expected: DecodeOutcome): string | undefined {
  if (expected.error === undefined) {
    if (actual.error !== undefined) return `threw ${String(actual.error)}`;
    return difference(actual.value, expected.value);
  }
  if (actual.error === undefined) return `gave ${JSON.stringify(actual.value)} for what is no JSON`;
  return actual.error instanceof SyntaxError ? undefined : `threw no SyntaxError: ${String(actual.error)}`;
}

/** Where two JSON values differ, and how: numbers to the sign of zero, names in their order, prototypes and own `__proto__`s. */
export function difference(actual: unknown, expected: unknown, path = '$'): string | undefined {
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    return Object.is(actual, expected) ? undefined : `${shown(actual)} for ${shown(expected)} at ${path}`;
  }
  if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected))
    return `another prototype at ${path}`;
  if (Array.isArray(actual) !== Array.isArray(expected)) return `another kind at ${path}`;
  const names = Reflect.ownKeys(expected);
  const actualNames = Reflect.ownKeys(actual);
  if (names.length !== actualNames.length || names.some((name, index) => name !== actualNames[index])) {
    return `the names ${shown(actualNames)} for ${shown(names)} at ${path}`;
  }
  for (const name of names) {
    const [own, wanted] = [descriptor(actual, name), descriptor(expected, name)];
    const sameFlags =
      own.writable === wanted.writable &&
      own.enumerable === wanted.enumerable &&
      own.configurable === wanted.configurable;
    if (!sameFlags) return `another kind of property at ${path}.${String(name)}`;
    const found = difference(own.value, wanted.value, `${path}.${String(name)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function descriptor(object: object, name: PropertyKey): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(object, name) ?? {};
}

function shown(value: unknown): string {
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? String(value)).slice(0, 200);
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 0x7f) return false;
  return true;
}
