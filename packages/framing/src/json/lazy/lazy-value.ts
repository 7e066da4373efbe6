import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  DIGIT_0,
  DIGIT_9,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../bytes.ts';
import { FramingError, isFramingError } from '../../errors.ts';
import { asciiText, utf8Text } from '../../text/decode.ts';
import { decodeRangeAs } from '../codec.ts';
import { type DecodeOptions, numberMode } from '../numbers/number-mode.ts';
import { afterSpace, beforeSpace, firstElement, memberValue, nextElement } from './elements.ts';
import { exactInteger } from './exact-integer.ts';
import type { LazySource } from './lazy-source.ts';
import { literalValue } from './literals.ts';
import { checkNumber, numberValue } from './numbers.ts';
import { type PathStep, pathText } from './path.ts';
import { itemCount, narrowToItem, narrowToMember, type Span } from './span.ts';
import { stringEnd, stringText } from './strings.ts';
import { syntaxFault } from './syntax-fault.ts';
import { valueEnd } from './value-end.ts';

/** What a JSON value is. */
export type LazyKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A member of an object: its decoded name, and its value. */
export type LazyMember = readonly [name: string, value: LazyValue];

const NO_STEPS: readonly PathStep[] = [];

/** What a lookup narrows. Shared, since nothing runs in the middle of one. */
const span: Span = { start: 0, end: 0 };

/**
 * A JSON value that is not decoded: a range of borrowed bytes. Every call reads the bytes again, in time linear in them: keep what it
 * gives. A value of a batch is legal until the callback returns, then every call throws `VIEW_RELEASED`; what the calls return may be
 * kept, except for lazy values and `rawView`.
 *
 * Scalars that are read are checked in full. What is passed over is heeded for its structure only: in a frame that was validated less
 * than in full, a good value can be read beside one that is not JSON. Whatever is met of that throws `JSON_SYNTAX` with its offset.
 */
export class LazyValue {
  readonly #source: LazySource;
  readonly #start: number;
  readonly #end: number;
  /** Where it was found, for messages. */
  readonly #parent: LazyValue | undefined;
  readonly #steps: PathStep | readonly PathStep[];

  /** The range has no white space around it. Lazy values come from batches, `lazyJson` and each other. @internal */
  constructor(
    source: LazySource,
    start: number,
    end: number,
    parent?: LazyValue,
    steps: PathStep | readonly PathStep[] = NO_STEPS,
  ) {
    this.#source = source;
    this.#start = start;
    this.#end = end;
    this.#parent = parent;
    this.#steps = steps;
  }

  /** What it is. */
  get kind(): LazyKind {
    const bytes = this.#source.live();
    const first = this.#first(bytes);
    if (first === OPEN_BRACE) return 'object';
    if (first === OPEN_BRACKET) return 'array';
    if (first === QUOTE) return 'string';
    if (isNumberStart(first)) {
      checkNumber(this.#source, bytes, this.#start, this.#end);
      return 'number';
    }
    return literalValue(this.#source, bytes, this.#start, this.#end) === null ? 'null' : 'boolean';
  }

  /** It is `null`. */
  get isNull(): boolean {
    const bytes = this.#source.live();
    if (this.#first(bytes) !== LOWER_N) return false;
    return literalValue(this.#source, bytes, this.#start, this.#end) === null;
  }

  /**
   * How many items the array has: counted at each call.
   *
   * @throws FramingError `VALUE_KIND`
   */
  get length(): number {
    const bytes = this.#source.live();
    if (this.#first(bytes) !== OPEN_BRACKET) throw this.#wrongKind('an array');
    return itemCount(this.#source, bytes, this.#start, this.#end);
  }

  /**
   * The value at a path: names lead into objects, indices into arrays. Each object on the way is read to its end and the last of equal
   * names counts, whatever its spelling, as for `JSON.parse`: two readers of one message cannot disagree.
   *
   * @throws FramingError `PATH_MISSING`; `VALUE_KIND` when a step does not fit what is there
   */
  get(...path: PathStep[]): LazyValue {
    return this.#at(path, false) ?? this.#missing(path);
  }

  /** As `get`, but undefined when an object or array on the way lacks the next step. @throws FramingError `VALUE_KIND` */
  find(...path: PathStep[]): LazyValue | undefined {
    return this.#at(path, false);
  }

  /**
   * As `get`, but each object is read no further than the first of equal names. For peers that are trusted not to send a name twice:
   * whoever decodes the same message sees the last one.
   *
   * @throws FramingError like `get`
   */
  getFirst(...path: PathStep[]): LazyValue {
    return this.#at(path, true) ?? this.#missing(path);
  }

  /** As `getFirst`, but undefined like `find`. @throws FramingError `VALUE_KIND` */
  findFirst(...path: PathStep[]): LazyValue | undefined {
    return this.#at(path, true);
  }

  /**
   * The items of an array, in order.
   *
   * @throws FramingError `VALUE_KIND`
   */
  items(): IterableIterator<LazyValue> {
    if (this.#first(this.#source.live()) !== OPEN_BRACKET) throw this.#wrongKind('an array');
    return this.#eachItem();
  }

  /**
   * The members of an object in the order of the text, equal names as often as they stand there.
   *
   * @throws FramingError `VALUE_KIND`
   */
  members(): IterableIterator<LazyMember> {
    if (this.#first(this.#source.live()) !== OPEN_BRACE) throw this.#wrongKind('an object');
    return this.#eachMember();
  }

  /**
   * The string.
   *
   * @throws FramingError `VALUE_KIND`
   */
  string(): string {
    const bytes = this.#source.live();
    if (this.#first(bytes) !== QUOTE) throw this.#wrongKind('a string');
    const end = stringEnd(this.#source, bytes, this.#start, this.#end);
    if (Math.abs(end) !== this.#end) throw syntaxFault(this.#source, Math.abs(end));
    return stringText(this.#source, bytes, this.#start, end);
  }

  /**
   * The number as a double, as `JSON.parse` gives it.
   *
   * @throws FramingError `VALUE_KIND`
   */
  number(): number {
    return numberValue(this.#numberBytes(), this.#start, this.#end);
  }

  /**
   * The number as an exact integer. `1e3` and `1.0` are integers.
   *
   * @throws FramingError `VALUE_KIND`, also for a fraction; `VALUE_RANGE` for more than 1,000 digits
   */
  bigint(): bigint {
    const text = this.numberText();
    const value = exactInteger(
      text,
      () => `the integer at ${this.#path(NO_STEPS)}`,
      'read it with numberText',
    );
    if (value === undefined) throw this.#wrongKind('an integer', 'a fraction');
    return value;
  }

  /**
   * The number exactly as it is written.
   *
   * @throws FramingError `VALUE_KIND`
   */
  numberText(): string {
    return asciiText(this.#numberBytes(), this.#start, this.#end);
  }

  /**
   * The boolean.
   *
   * @throws FramingError `VALUE_KIND`
   */
  boolean(): boolean {
    const bytes = this.#source.live();
    const first = this.#first(bytes);
    if (first !== LOWER_T && first !== LOWER_F) throw this.#wrongKind('a boolean');
    return literalValue(this.#source, bytes, this.#start, this.#end) === true;
  }

  /**
   * The whole value, decoded as by `JSON.parse`, with numbers in the form asked for: `double` by default, whatever the reader's option is.
   *
   * @throws FramingError `JSON_SYNTAX`, with the offset of this value; `VALUE_RANGE` for an integer of more than 1,000 digits under `bigint`
   */
  decode(options?: DecodeOptions): unknown {
    const bytes = this.#source.live();
    const numbers = numberMode(options?.numbers);
    try {
      return decodeRangeAs(bytes, this.#start, this.#end, false, numbers);
    } catch (cause) {
      if (isFramingError(cause)) throw cause;
      throw syntaxFault(this.#source, this.#start, cause);
    }
  }

  /** The exact source text. */
  raw(): string {
    return utf8Text(this.#rawBytes(), this.#start, this.#end);
  }

  /** The exact source bytes, a copy with memory of its own. */
  rawBytes(): Uint8Array {
    return new Uint8Array(this.rawView());
  }

  /** The exact source bytes, borrowed: a view, legal until the callback returns. */
  rawView(): Uint8Array {
    return this.#rawBytes().subarray(this.#start, this.#end);
  }

  *#eachItem(): Generator<LazyValue, void> {
    const source = this.#source;
    const end = this.#end;
    let at = firstElement(source, source.live(), this.#start, end, CLOSE_BRACKET);
    for (let index = 0; at >= 0; index++) {
      const next = valueEnd(source, source.live(), at, end);
      yield new LazyValue(source, at, next, this, index);
      at = nextElement(source, source.live(), next, end, CLOSE_BRACKET);
    }
  }

  *#eachMember(): Generator<LazyMember, void> {
    const source = this.#source;
    const end = this.#end;
    let at = firstElement(source, source.live(), this.#start, end, CLOSE_BRACE);
    while (at >= 0) {
      const bytes = source.live();
      const nameEnd = stringEnd(source, bytes, at, end);
      const name = stringText(source, bytes, at, nameEnd);
      const start = memberValue(source, bytes, Math.abs(nameEnd), end);
      const next = valueEnd(source, bytes, start, end);
      yield [name, new LazyValue(source, start, next, this, name)];
      at = nextElement(source, source.live(), next, end, CLOSE_BRACE);
    }
  }

  #at(path: readonly PathStep[], first: boolean): LazyValue | undefined {
    const source = this.#source;
    const bytes = source.live();
    span.start = this.#start;
    span.end = this.#end;
    for (let i = 0; i < path.length; i++) {
      const step = path[i];
      const opening = span.start < span.end ? bytes[span.start] : 0;
      if (typeof step === 'number') {
        if (opening !== OPEN_BRACKET) throw this.#badStep(path, i, 'an array');
        if (!narrowToItem(source, bytes, span, step)) return undefined;
      } else {
        if (opening !== OPEN_BRACE) throw this.#badStep(path, i, 'an object');
        if (!narrowToMember(source, bytes, span, step, first)) return undefined;
      }
    }
    return new LazyValue(source, span.start, span.end, this, path);
  }

  /** First byte of the value; 0 when there is none. */
  #first(bytes: Uint8Array): number {
    return this.#start < this.#end ? bytes[this.#start] : 0;
  }

  #numberBytes(): Uint8Array {
    const bytes = this.#source.live();
    if (!isNumberStart(this.#first(bytes))) throw this.#wrongKind('a number');
    checkNumber(this.#source, bytes, this.#start, this.#end);
    return bytes;
  }

  /** The bytes, when what they say may be handed on: a scalar only if it is one. */
  #rawBytes(): Uint8Array {
    const bytes = this.#source.live();
    const first = this.#first(bytes);
    if (first === QUOTE) stringEnd(this.#source, bytes, this.#start, this.#end);
    else if (first !== OPEN_BRACE && first !== OPEN_BRACKET) void this.kind;
    return bytes;
  }

  /** Step `i` of the path found something else than it needs in `span`. */
  #badStep(path: readonly PathStep[], i: number, needed: string): FramingError {
    return new LazyValue(this.#source, span.start, span.end, this, path.slice(0, i)).#wrongKind(needed);
  }

  #wrongKind(needed: string, actual?: string): FramingError {
    const message = `${this.#path(NO_STEPS)} is ${actual ?? WITH_ARTICLE[this.kind]}, not ${needed}`;
    return new FramingError('VALUE_KIND', message);
  }

  #missing(path: readonly PathStep[]): never {
    throw new FramingError('PATH_MISSING', `there is nothing at ${this.#path(path)}`);
  }

  #path(steps: readonly PathStep[]): string {
    return pathText(this.#backwards(steps));
  }

  /** The steps of the path that leads here and on by `steps`, from the last to the first. */
  *#backwards(steps: readonly PathStep[]): Generator<PathStep, void> {
    yield* [...steps].reverse();
    for (let at: LazyValue | undefined = this; at !== undefined; at = at.#parent) {
      if (typeof at.#steps === 'object') yield* [...at.#steps].reverse();
      else yield at.#steps;
    }
  }
}

const WITH_ARTICLE: Readonly<Record<LazyKind, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

/** A range as a lazy value, without the white space around it. @internal */
export function lazyRange(source: LazySource, start: number, end: number): LazyValue {
  const bytes = source.live();
  const last = beforeSpace(bytes, start, end);
  return new LazyValue(source, afterSpace(bytes, start, last), last);
}

function isNumberStart(byte: number): boolean {
  return byte === MINUS || (byte >= DIGIT_0 && byte <= DIGIT_9);
}
