import { FramingError } from '../../errors.ts';
import { exactInteger } from '../lazy/exact-integer.ts';
import { numberEnd } from './number-text.ts';

/** `JSON.rawJSON` of the runtimes that have it: V8 from Node 22 on. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * A JSON number exactly as it is written: `1.50`, `1E+2` and `9007199254740993` stay what they are. Two of them are deep-equal when they
 * are written alike. Immutable.
 */
export class JsonNumber {
  /** The number as it stands in a JSON text. */
  readonly text: string;

  /**
   * @param text - a number by the grammar of JSON, nothing around it
   * @throws FramingError `JSON_SYNTAX`
   */
  constructor(text: string) {
    if (typeof text !== 'string' || numberEnd(text, 0) !== text.length) throw notNumber(text);
    this.text = text;
    // The encoder writes the text unseen.
    Object.freeze(this);
  }

  /** The number as a double, as `JSON.parse` gives it. */
  number(): number {
    return Number(this.text);
  }

  /**
   * The number as an exact integer. `1e3` and `1.0` are integers.
   *
   * @throws FramingError `VALUE_KIND` for a fraction; `VALUE_RANGE` for more than 1,000 digits
   */
  bigint(): bigint {
    const value = exactInteger(this.text, () => shown(this.text), 'read its text');
    if (value !== undefined) return value;
    throw new FramingError('VALUE_KIND', `${shown(this.text)} is a fraction, not an integer`);
  }

  /** The text. */
  toString(): string {
    return this.text;
  }

  /** The double, so that `a < b` and `a + 1` are about numbers and not about texts. */
  valueOf(): number {
    return this.number();
  }

  /**
   * What `JSON.stringify` writes: the exact text, by way of `JSON.rawJSON`. On runtimes without that (Node before 22) it throws instead of
   * changing a digit; `encodeJson` writes the exact text everywhere.
   *
   * @throws FramingError `ENCODE_REFUSED`
   */
  toJSON(): unknown {
    if (rawJSON !== undefined) return rawJSON(this.text);
    const message = `JSON.stringify of this runtime cannot write ${shown(this.text)} exactly: use encodeJson`;
    throw new FramingError('ENCODE_REFUSED', message);
  }
}

/** Characters of a number that a message shows. */
const SHOWN_CHARACTERS = 32;

function shown(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function notNumber(text: unknown): FramingError {
  const what = typeof text === 'string' ? JSON.stringify(shown(text)) : `a ${typeof text}`;
  return new FramingError('JSON_SYNTAX', `${what} is no JSON number`);
}
