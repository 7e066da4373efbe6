import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../bytes.ts';
import type { PathStep } from '../lazy/path.ts';
import { JsonNumber } from '../numbers/json-number.ts';
import { itemCount } from './encode-deep.ts';
import { nativeText } from './native-text.ts';
import type { EncodeRules } from './options.ts';
import { MARGIN_BYTES, NOT_FIT, Output } from './output.ts';
import { Refusal } from './refusal.ts';
import { MAX_KEPT_UNITS, type Place, Shapes } from './shapes.ts';
import { SplicedJson } from './spliced-json.ts';
import { jsonConstant, writeConstant } from './words.ts';
import { NUMBER_BYTES, writeNumber } from './write-number.ts';
import { writeString } from './write-string.ts';

/** The value has no JSON: a member is left out, an item is `null`. */
export const NOTHING = -2;
/** `refusal` tells why. Every level adds its step to the path. */
const REFUSED = -3;

/** Deepest container that is walked here; what is below goes to the runtime, which also finds cycles. */
const MAX_WALKED_DEPTH = 64;
/** Numbers that are no integers, in one array, after which arrays at that place are left to the runtime. */
const MAX_FRACTIONS = 16;
/** Items of one array that were left to the runtime, after which arrays at that place are. */
const MAX_NATIVE_ITEMS = 8;

const { apply } = Reflect;
const { getPrototypeOf, prototype: plainPrototype } = Object;

const NULL = jsonConstant('null');
const TRUE = jsonConstant('true');
const FALSE = jsonConstant('false');

/**
 * The walk of one encoder over its values. Plain objects, arrays and primitives are written here, with what is known of their shapes;
 * everything else is handed to the runtime before any of its code has run, under its own key.
 *
 * All methods give the position after what they wrote, or `NOT_FIT`, `NOTHING` or `REFUSED`.
 */
export class ValueWriter {
  readonly out: Output = new Output();
  readonly shapes: Shapes = new Shapes();
  refusal: Refusal | undefined;
  /** Members and items that were walked since it was set. */
  nodes = 0;
  private readonly rules: EncodeRules;

  constructor(rules: EncodeRules) {
    this.rules = rules;
  }

  value(value: unknown, place: Place, key: PathStep, depth: number, at: number): number {
    switch (typeof value) {
      case 'string':
        return this.string(value, place, at);
      case 'number':
        return this.number(value, at);
      case 'object':
        if (value === null) return this.out.constant(at, NULL);
        return this.object(value, place, key, depth, at);
      case 'boolean':
        return value ? this.out.constant(at, TRUE) : this.out.constant(at, FALSE);
      case 'undefined':
      case 'symbol':
        return NOTHING;
      case 'bigint':
        if (this.rules.writesBigints) return this.out.text(at, `${value}`);
        return this.native(value, key, at);
      default:
        return this.native(value, key, at);
    }
  }

  private string(text: string, place: Place, at: number): number {
    if (text === place.text) return this.out.constant(at, place.json);
    if (place.notesTexts && text.length <= MAX_KEPT_UNITS) place.noteText(text);
    return writeString(this.out, at, text);
  }

  private number(value: number, at: number): number {
    const { out } = this;
    if (at + NUMBER_BYTES > out.limit) {
      at = out.spill(at);
      if (at < 0) return NOT_FIT;
    }
    // A difference that is not 0: NaN, of NaN and of the infinities.
    if (value - value === 0) return writeNumber(out.bytes, at, value);
    if (!this.rules.refusesNonFinite) return out.constant(at, NULL);
    return this.refuse(new Refusal(`is ${value}`));
  }

  private object(value: object, place: Place, key: PathStep, depth: number, at: number): number {
    const isArray = Array.isArray(value);
    if (!isArray && getPrototypeOf(value) !== plainPrototype) return this.foreign(value, key, at);
    if (place.rests > 0) {
      place.rests--;
      return this.native(value, key, at);
    }
    if (depth >= MAX_WALKED_DEPTH) return this.native(value, key, at);
    const { toJSON } = value as { toJSON?: unknown };
    if (toJSON !== undefined && typeof toJSON === 'function')
      return this.converted(apply(toJSON, value, [String(key)]), place, key, depth, at);
    return isArray
      ? this.items(value as unknown[], place, depth, at)
      : this.members(value as Record<string, unknown>, place, depth, at);
  }

  private members(object: Record<string, unknown>, place: Place, depth: number, at: number): number {
    const { out, shapes } = this;
    let last = place.head;
    let isEmpty = true;
    let isKnown = true;
    for (const key in object) {
      let member = last.follower;
      if (member === undefined || member.key !== key) {
        const count = shapes.members;
        member = shapes.member(last, key);
        if (shapes.members !== count || member === shapes.unknown) isKnown = false;
      }
      last = member;
      this.nodes++;
      const value = object[key];
      if (value === undefined) continue;
      if (at + MARGIN_BYTES > out.limit) {
        at = out.spill(at);
        if (at < 0) return NOT_FIT;
      }
      let from = writeConstant(out.view, at, member.front);
      if (from === at) {
        from = out.text(at, `,${JSON.stringify(key)}:`);
        if (from < 0) return NOT_FIT;
      }
      if (isEmpty) out.bytes[at] = OPEN_BRACE;
      const end =
        typeof value === 'string'
          ? this.string(value, member.place, from)
          : this.value(value, member.place, key, depth + 1, from);
      if (end >= 0) {
        at = end;
        isEmpty = false;
      } else if (end !== NOTHING) {
        return this.failed(end, key);
      }
    }
    if (isKnown) place.hit();
    else if (place.miss()) shapes.rest(place);
    if (at + MARGIN_BYTES > out.limit) {
      at = out.spill(at);
      if (at < 0) return NOT_FIT;
    }
    if (isEmpty) out.bytes[at++] = OPEN_BRACE;
    out.bytes[at] = CLOSE_BRACE;
    return at + 1;
  }

  private items(array: readonly unknown[], place: Place, depth: number, at: number): number {
    const { out } = this;
    const item = this.shapes.itemOf(place);
    const length = itemCount(array.length);
    this.nodes += length;
    let fractions = 0;
    let natives = 0;
    at = out.byte(at, OPEN_BRACKET);
    if (at < 0) return NOT_FIT;
    for (let i = 0; i < length; i++) {
      if (at + MARGIN_BYTES > out.limit) {
        at = out.spill(at);
        if (at < 0) return NOT_FIT;
      }
      if (i > 0) out.bytes[at++] = COMMA;
      const value = array[i];
      if (typeof value === 'number' && value - value === 0) {
        at = writeNumber(out.bytes, at, value);
        if ((value | 0) !== value) fractions++;
        continue;
      }
      if (item.rests > 0 && typeof value === 'object') natives++;
      let end = this.value(value, item, i, depth + 1, at);
      if (end < 0) {
        if (end === NOTHING) end = out.constant(at, NULL);
        if (end < 0) return this.failed(end, i);
      }
      at = end;
    }
    if (fractions > MAX_FRACTIONS || natives > MAX_NATIVE_ITEMS) place.rest();
    return out.byte(at, CLOSE_BRACKET);
  }

  /** An object that is neither plain nor an array: encoded already, or something that only the runtime knows how to write. */
  private foreign(value: object, key: PathStep, at: number): number {
    const bytes = SplicedJson.bytesOf(value);
    if (bytes !== undefined) return this.out.copy(at, bytes);
    return value instanceof JsonNumber ? this.out.text(at, value.text) : this.native(value, key, at);
  }

  /** What `toJSON` gave: its own `toJSON` is not asked. */
  private converted(value: unknown, place: Place, key: PathStep, depth: number, at: number): number {
    if (typeof value === 'function') return NOTHING;
    if (typeof value === 'bigint' && !this.rules.writesBigints)
      return this.refuse(new Refusal('is a BigInt'));
    if (typeof value !== 'object' || value === null) return this.value(value, place, key, depth, at);
    if (Array.isArray(value)) return this.items(value, place, depth, at);
    if (getPrototypeOf(value) === plainPrototype)
      return this.members(value as Record<string, unknown>, place, depth, at);
    const isText = value instanceof JsonNumber || SplicedJson.bytesOf(value) !== undefined;
    return this.foreign(isText ? value : { toJSON: () => value }, key, at);
  }

  private native(value: unknown, key: PathStep, at: number): number {
    let text: string | undefined;
    try {
      text = nativeText(value, String(key), this.rules);
    } catch (thrown) {
      if (thrown instanceof Refusal) return this.refuse(thrown);
      throw thrown;
    }
    return text === undefined ? NOTHING : this.out.text(at, text);
  }

  private refuse(refusal: Refusal): number {
    this.refusal = refusal;
    return REFUSED;
  }

  private failed(end: number, key: PathStep): number {
    if (end === REFUSED) this.refusal?.backwards.push(key);
    return end;
  }
}
