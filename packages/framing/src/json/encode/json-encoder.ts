import { NON_ASCII } from '../../bytes.ts';
import { FramingError } from '../../errors.ts';
import { nativeText } from './native-text.ts';
import { type EncodeOptions, type EncodeRules, encodeRules } from './options.ts';
import { MARGIN_BYTES, NOT_FIT, utf8Into } from './output.ts';
import { encodeError, noJson } from './refusal.ts';
import { maxWalkedNodes } from './runtime.ts';
import { NOTHING, ValueWriter } from './value-writer.ts';
import { type JsonConstant, writeConstant } from './words.ts';
import { NUMBER_BYTES, writeNumber } from './write-number.ts';
import { writeString } from './write-string.ts';

/** Longest text that is written unit by unit. */
const SHORT_TEXT_UNITS = 24;
/** A constant is written in whole words. */
const MAX_CONSTANT_BYTES = MARGIN_BYTES - 8;

/** What an encoder has learned. */
export interface LearnedShapes {
  /** Keys that are kept with their bytes: 1,024 at most, of 64 UTF-16 units at most. */
  readonly keys: number;
  /** Arrays, by where they stand, whose items are known: 1,024 at most. */
  readonly arrays: number;
}

/**
 * Encodes values into bytes, byte-equal to `JSON.stringify`, and learns their shapes: of values that repeat, only what changes is looked at.
 * One encoder for values of one origin, such as the results of one method: what differs from value to value makes it leave things to the
 * runtime's own encoder. What it keeps is bounded, and holds none of the values.
 *
 * Getters and `toJSON` run in the order of `JSON.stringify`, and once for each call of `encodeInto`, with these exceptions: they stop where the
 * value no longer fits; and what is left to the runtime runs again as told for `encodeJson`. See `docs/encode.md`.
 *
 * @example
 * const encoder = new JsonEncoder();
 * const end = encoder.encodeInto(bytes, 0, { content: [{ type: 'text', text: 'rain' }] });
 */
export class JsonEncoder {
  readonly #rules: EncodeRules;
  readonly #writer: ValueWriter;
  private isBusy = false;
  /** What all objects inherit was not clean the last time. */
  private isWary = false;

  /** @throws FramingError `OPTION_INVALID` */
  constructor(options?: EncodeOptions) {
    this.#rules = encodeRules(options);
    this.#writer = new ValueWriter(this.#rules);
  }

  /** How much is kept at the moment. */
  get learned(): LearnedShapes {
    return { keys: this.#writer.shapes.members, arrays: this.#writer.shapes.items };
  }

  /**
   * Writes the JSON text of a value in UTF-8, never with a newline; lone surrogates are escaped.
   *
   * @param target - is written from `at` on; the encoder keeps a reference until it is given another target
   * @param at - position in `target`, 0 to its length
   * @returns the position after the text; -1 when it does not fit. What stands in `target` from there on, or from `at` on, is undefined
   * @throws FramingError `ENCODE_REFUSED` like `encodeJson`, unless the value is found not to fit before; `OPTION_RANGE` for `at`
   */
  encodeInto(target: Uint8Array, at: number, value: unknown): number {
    checkPosition(target, at);
    if (typeof value === 'string' && !this.isBusy) return this.#stringInto(target, at, value);
    const writer = this.#writer;
    const { root } = writer.shapes;
    // Code of a value may encode with the encoder that is at work on the value.
    if (root.rests > 0 || this.isBusy || (this.isWary && !isPlainPrototypeClean())) {
      if (root.rests > 0) root.rests--;
      return this.#nativeInto(target, at, value);
    }
    this.isBusy = true;
    writer.nodes = 0;
    try {
      writer.out.open(target, at);
      const end = writer.value(value, root, '', 0, at);
      if (writer.nodes > maxWalkedNodes) root.rest();
      // Members that all objects inherit may have been written.
      this.isWary = !isPlainPrototypeClean();
      if (this.isWary) return this.#nativeInto(target, at, value);
      if (end >= 0) return writer.out.close(end);
      if (end === NOT_FIT) return NOT_FIT;
      throw end === NOTHING ? noJson(value) : writer.refusal;
    } catch (thrown) {
      throw encodeError(thrown);
    } finally {
      writer.refusal = undefined;
      this.isBusy = false;
    }
  }

  /**
   * Writes text that is JSON already, or a piece of it, such as an id's source text: as it is, not looked at.
   *
   * @returns like `encodeInto`
   * @throws FramingError `OPTION_RANGE` for `at`
   */
  textInto(target: Uint8Array, at: number, text: string): number {
    checkPosition(target, at);
    if (text.length > SHORT_TEXT_UNITS || at + text.length > target.length)
      return utf8Into(target, at, target.length, text);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= NON_ASCII) return utf8Into(target, at, target.length, text);
      target[at + i] = unit;
    }
    return at + text.length;
  }

  /**
   * Writes a natural number up to 2^53 − 1, such as an id.
   *
   * @returns like `encodeInto`
   * @throws FramingError `OPTION_RANGE` for `at`
   */
  naturalInto(target: Uint8Array, at: number, value: number): number {
    checkPosition(target, at);
    if (at + NUMBER_BYTES > target.length) return utf8Into(target, at, target.length, `${value}`);
    return writeNumber(target, at, value);
  }

  /** As `textInto`, for text that was made ready by `jsonConstant`: some nanoseconds. */
  constantInto(target: Uint8Array, at: number, constant: JsonConstant): number {
    checkPosition(target, at);
    if (this.isBusy || constant.length > MAX_CONSTANT_BYTES)
      return utf8Into(target, at, target.length, constant.text);
    const { out } = this.#writer;
    out.open(target, at);
    if (at + MARGIN_BYTES <= target.length) return writeConstant(out.view, at, constant);
    const end = out.constant(at, constant);
    return end < 0 ? NOT_FIT : out.close(end);
  }

  /** A string has no code that could run, and no shape. */
  #stringInto(target: Uint8Array, at: number, text: string): number {
    const { out } = this.#writer;
    out.open(target, at);
    const end = writeString(out, at, text);
    return end < 0 ? NOT_FIT : out.close(end);
  }

  #nativeInto(target: Uint8Array, at: number, value: unknown): number {
    let text: string | undefined;
    try {
      text = nativeText(value, '', this.#rules);
    } catch (thrown) {
      throw encodeError(thrown);
    }
    if (text === undefined) throw noJson(value);
    return utf8Into(target, at, target.length, text);
  }
}

const PLAIN = {};

/** Plain objects inherit no member that `for…in` would bring. */
function isPlainPrototypeClean(): boolean {
  for (const _ in PLAIN) return false;
  return true;
}

function checkPosition(target: Uint8Array, at: number): void {
  if (!Number.isInteger(at) || at < 0 || at > target.length) refusePosition(target, at);
}

function refusePosition(target: Uint8Array, at: number): never {
  throw new FramingError(
    'OPTION_RANGE',
    `at must be a position in the target, 0 to ${target.length}, not ${String(at)}`,
  );
}
