import type { PathStep } from '../lazy/path.ts';
import { JsonNumber } from '../numbers/json-number.ts';
import type { EncodeRules } from './options.ts';
import { Refusal } from './refusal.ts';
import { SplicedJson } from './spliced-json.ts';

/** A container being written: its keys (undefined for an array) and how many items are done. */
interface Open {
  readonly container: Record<string, unknown> | readonly unknown[];
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
  /** No member is written yet. */
  isEmpty: boolean;
}

/** No item is left. */
const DONE = Symbol('done');

interface RawJson {
  isRawJSON?(value: unknown): boolean;
}

const isRawJson = (JSON as RawJson).isRawJSON;
const { apply } = Reflect;

/**
 * JSON text of the member or item `key` of some object, at any depth, with an explicit stack; undefined when it has none. Follows
 * `JSON.stringify` step by step: the same code of the value runs in the same order, as often.
 *
 * Slower than the runtime's own; for what that cannot do: depth, a path for a refusal, numbers that JSON cannot say, splices.
 *
 * @throws Refusal for a cycle, a BigInt and, if the rules say so, NaN and the infinities; and what code of the value throws
 */
export function encodeDeep(root: unknown, key: string, rules: EncodeRules): string | undefined {
  const parts: string[] = [];
  const stack: Open[] = [];
  const onPath = new Set<object>();
  let value: unknown = withToJson(root, key, rules);
  if (!hasJson(value)) return undefined;
  for (;;) {
    const isArray = isContainer(value) ? Array.isArray(value) : undefined;
    if (isArray === undefined) {
      parts.push(leafText(value, stack, rules));
    } else {
      const container = value as Open['container'] & object;
      if (onPath.has(container)) throw new Refusal('refers to itself', backwards(stack));
      onPath.add(container);
      const keys = isArray ? undefined : Object.keys(container);
      const length = keys === undefined ? itemCount((container as readonly unknown[]).length) : keys.length;
      stack.push({ container, keys, length, next: 0, isEmpty: true });
      parts.push(isArray ? '[' : '{');
    }
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return parts.join('');
      value = nextItem(top, parts, rules);
      if (value !== DONE) break;
      parts.push(top.keys === undefined ? ']' : '}');
      onPath.delete(top.container);
      stack.pop();
    }
  }
}

/** Writes what stands before the next item that has JSON, and returns the item; `DONE` after the last. */
function nextItem(top: Open, parts: string[], rules: EncodeRules): unknown {
  if (top.keys === undefined) {
    if (top.next >= top.length) return DONE;
    const index = top.next++;
    const item = withToJson((top.container as readonly unknown[])[index], index, rules);
    if (index > 0) parts.push(',');
    return hasJson(item) ? item : null;
  }
  while (top.next < top.length) {
    const key = top.keys[top.next++];
    const item = withToJson((top.container as Record<string, unknown>)[key], key, rules);
    if (!hasJson(item)) continue;
    parts.push(top.isEmpty ? '' : ',', JSON.stringify(key), ':');
    top.isEmpty = false;
    return item;
  }
  return DONE;
}

/** How many items an array has that says so; a Proxy may say anything. */
export function itemCount(length: unknown): number {
  const whole = Math.trunc(+(length as number));
  return whole > 0 ? Math.min(whole, Number.MAX_SAFE_INTEGER) : 0;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isRawJson?.(value) === true) return false;
  return !isBoxed(value) && !isText(value);
}

/** What is written as it is, whatever its `toJSON` gives to others. */
function isText(value: object): boolean {
  return value instanceof JsonNumber || SplicedJson.bytesOf(value) !== undefined;
}

function isBigint(value: unknown): boolean {
  return typeof value === 'bigint' || value instanceof BigInt;
}

function isBoxed(value: object): boolean {
  return (
    value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt
  );
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** The value, or what its `toJSON` makes of it. */
function withToJson(value: unknown, key: PathStep, rules: EncodeRules): unknown {
  const mayConvert = typeof value === 'object' || typeof value === 'function' || typeof value === 'bigint';
  if (!mayConvert || value === null) return value;
  if (rules.writesBigints && isBigint(value)) return value;
  if (typeof value === 'object' && isText(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? apply(toJSON, value, [String(key)]) : value;
}

function leafText(value: unknown, stack: readonly Open[], rules: EncodeRules): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (rules.writesBigints && isBigint(value)) return String(value);
  if (typeof value === 'bigint') throw new Refusal('is a BigInt', backwards(stack));
  if (typeof value === 'object' && value !== null) return objectText(value, stack, rules);
  if (rules.refusesNonFinite && typeof value === 'number' && !Number.isFinite(value))
    throw new Refusal(`is ${value}`, backwards(stack));
  return JSON.stringify(value) as string;
}

function objectText(value: object, stack: readonly Open[], rules: EncodeRules): string {
  if (value instanceof JsonNumber) return value.text;
  const spliced = SplicedJson.textOf(value);
  if (spliced !== undefined) return spliced;
  if (value instanceof BigInt) throw new Refusal('is a BigInt', backwards(stack));
  // Its own toJSON, if any, has been asked: the runtime asks only that of the wrapper.
  const text = JSON.stringify({ toJSON: () => value });
  if (rules.refusesNonFinite && text === 'null' && value instanceof Number)
    throw new Refusal('is a boxed number that is not finite', backwards(stack));
  return text;
}

/** The steps to the item that was taken last. */
function backwards(stack: readonly Open[]): PathStep[] {
  const steps: PathStep[] = [];
  for (let i = stack.length - 1; i >= 0; i--) {
    const { keys, next } = stack[i];
    steps.push(keys === undefined ? next - 1 : keys[next - 1]);
  }
  return steps;
}
