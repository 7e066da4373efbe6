import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  LF,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  TAB,
} from '../../bytes.ts';
import { exactInteger } from '../lazy/exact-integer.ts';
import { type PathStep, pathText } from '../lazy/path.ts';
import { JsonNumber } from './json-number.ts';
import { isInDigitsAlone, LONG_DIGITS, mayHoldLongInteger, numberEnd } from './number-text.ts';
import { ownText, stringEnd, stringOf } from './string-token.ts';

/**
 * The value of a JSON text, deep-equal to what `JSON.parse` gives but for its numbers. Linear, any depth. Where no number can need a bigint,
 * the native decoder does the work.
 *
 * @throws SyntaxError like `JSON.parse`; FramingError `VALUE_RANGE`, with the path, for an integer of more than 1,000 digits under `bigint`
 */
export function decodeNumbers(text: string, numbers: 'bigint' | 'raw'): unknown {
  if (numbers === 'bigint' && !mayHoldLongInteger(text)) return JSON.parse(text);
  return new ExactDecoder(text, numbers === 'raw').decode();
}

type JsonObject = Record<string, unknown>;

/** Stands for a container that has begun and is not empty. */
const OPENED = Symbol('opened');

/** One pass over a text with an explicit stack. The native decoder cannot be asked for the text of a number everywhere. */
class ExactDecoder {
  readonly #text: string;
  readonly #keepsText: boolean;
  #at = 0;
  /** The open containers, the innermost last. */
  readonly #open: (JsonObject | unknown[])[] = [];
  /** For each of them the name of the member whose value is being read; '' for an array. */
  readonly #names: string[] = [];

  constructor(text: string, keepsText: boolean) {
    this.#text = text;
    this.#keepsText = keepsText;
  }

  decode(): unknown {
    for (;;) {
      let value = this.#value();
      if (value === OPENED) continue;
      // Puts the value where it belongs, and closes what ends behind it.
      for (;;) {
        const container = this.#open.at(-1);
        const next = this.#nextUnit();
        if (container === undefined) {
          if (this.#at < this.#text.length) throw this.#fault();
          return value;
        }
        const isArray = Array.isArray(container);
        if (isArray) container.push(value);
        else putMember(container, this.#names[this.#names.length - 1], value);
        this.#at++;
        if (next === COMMA) {
          if (!isArray) this.#names[this.#names.length - 1] = this.#name();
          break;
        }
        if (next !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) throw this.#fault();
        value = container;
        this.#open.pop();
        this.#names.pop();
      }
    }
  }

  /** The scalar or the empty container that comes next, or `OPENED`. */
  #value(): unknown {
    switch (this.#nextUnit()) {
      case OPEN_BRACE:
        return this.#begin({}, CLOSE_BRACE);
      case OPEN_BRACKET:
        return this.#begin([], CLOSE_BRACKET);
      case QUOTE:
        return this.#string();
      case LOWER_T:
        return this.#literal('true', true);
      case LOWER_F:
        return this.#literal('false', false);
      case LOWER_N:
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #begin(container: JsonObject | unknown[], close: number): unknown {
    this.#at++;
    if (this.#nextUnit() === close) {
      this.#at++;
      return container;
    }
    const name = close === CLOSE_BRACE ? this.#name() : '';
    this.#open.push(container);
    this.#names.push(name);
    return OPENED;
  }

  /** The name of a member, and the colon behind it. */
  #name(): string {
    if (this.#nextUnit() !== QUOTE) throw this.#fault();
    const name = this.#string();
    if (this.#nextUnit() !== COLON) throw this.#fault();
    this.#at++;
    return name;
  }

  #string(): string {
    const end = stringEnd(this.#text, this.#at);
    if (end === 0) throw this.#fault();
    let value: string;
    try {
      value = stringOf(this.#text, this.#at, end);
    } catch {
      throw this.#fault();
    }
    this.#at = Math.abs(end);
    return value;
  }

  #literal<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault();
    this.#at += word.length;
    return value;
  }

  #number(): unknown {
    const start = this.#at;
    const end = numberEnd(this.#text, start);
    if (end < 0) throw this.#fault();
    this.#at = end;
    if (this.#keepsText) return new JsonNumber(ownText(this.#text, start, end));
    const text = this.#text.slice(start, end);
    const value = Number(text);
    if (end - start < LONG_DIGITS || Number.isSafeInteger(value) || !isInDigitsAlone(text, 0, text.length))
      return value;
    const subject = (): string => `the integer at ${pathText(this.#backwards())}`;
    return exactInteger(text, subject, "decode it with numbers: 'raw'");
  }

  /** The unit that comes next, after white space: the cursor is at it. NaN at the end. */
  #nextUnit(): number {
    let unit = this.#text.charCodeAt(this.#at);
    while (unit === SPACE || unit === LF || unit === CR || unit === TAB)
      unit = this.#text.charCodeAt(++this.#at);
    return unit;
  }

  /** The path of the value at the cursor, from the last step to the first. */
  *#backwards(): Generator<PathStep, void> {
    for (let level = this.#open.length - 1; level >= 0; level--) {
      const container = this.#open[level];
      // Items count once they are read: what has begun is the next one.
      yield Array.isArray(container) ? container.length : this.#names[level];
    }
  }

  /** What the native decoder says of the text. */
  #fault(): unknown {
    try {
      JSON.parse(this.#text);
    } catch (error) {
      return error;
    }
    return new SyntaxError(`not JSON at character ${this.#at}`);
  }
}

/** An own member like those that `JSON.parse` makes, whatever the prototype of all objects holds: `__proto__`, setters, frozen names. */
function putMember(object: JsonObject, name: string, value: unknown): void {
  if (name in object) {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    object[name] = value;
  }
}
