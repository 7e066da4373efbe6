import { FramingError } from '../errors.ts';
import { JsonNumber } from './numbers/json-number.ts';

/** A container being written: its keys (undefined for an array) and how many items are done. */
interface Open {
  readonly container: Record<string, unknown> | readonly unknown[];
  readonly keys: readonly string[] | undefined;
  next: number;
  /** No member is written yet. */
  isEmpty: boolean;
}

/** Is it what `JSON.rawJSON` makes, where a runtime has that? */
const { isRawJSON: isRawJson } = JSON as { isRawJSON?: (value: unknown) => boolean };

/** No item is left. */
const DONE = Symbol('done');

/**
 * JSON text of a plain value of any depth, with an explicit stack; undefined for a root without JSON. Only for what `JSON.stringify` cannot
 * write: values that are too deep, numbers that keep their text, BigInts. `toJSON` and boxed primitives are honoured at the leaves.
 *
 * @param writesBigints - as their digits, whatever `toJSON` a program has given them; else they are refused
 * @throws FramingError `ENCODE_REFUSED` for a cycle or a BigInt, with the path.
 */
export function encodeDeep(root: unknown, writesBigints = false): string | undefined {
  const parts: string[] = [];
  const stack: Open[] = [];
  const onPath = new Set<object>();
  let value: unknown = withToJson(root, stack, writesBigints);
  if (!hasJson(value)) return undefined;
  for (;;) {
    if (isContainer(value)) {
      if (onPath.has(value))
        throw new FramingError('ENCODE_REFUSED', `the value at ${pathOf(stack)} refers to itself`);
      onPath.add(value);
      const keys = Array.isArray(value) ? undefined : Object.keys(value);
      stack.push({ container: value as Open['container'], keys, next: 0, isEmpty: true });
      parts.push(keys === undefined ? '[' : '{');
    } else {
      parts.push(leafText(value, stack, writesBigints));
    }
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return parts.join('');
      value = nextItem(top, stack, parts, writesBigints);
      if (value !== DONE) break;
      parts.push(top.keys === undefined ? ']' : '}');
      onPath.delete(top.container);
      stack.pop();
    }
  }
}

/** Writes what stands before the next item that has JSON, and returns the item; `DONE` after the last. */
function nextItem(top: Open, stack: readonly Open[], parts: string[], writesBigints: boolean): unknown {
  if (top.keys === undefined) {
    const items = top.container as readonly unknown[];
    if (top.next >= items.length) return DONE;
    const item = withToJson(items[top.next++], stack, writesBigints);
    if (top.next > 1) parts.push(',');
    return hasJson(item) ? item : null;
  }
  while (top.next < top.keys.length) {
    const key = top.keys[top.next++] as string;
    const item = withToJson((top.container as Record<string, unknown>)[key], stack, writesBigints);
    if (!hasJson(item)) continue;
    parts.push(top.isEmpty ? '' : ',', JSON.stringify(key), ':');
    top.isEmpty = false;
    return item;
  }
  return DONE;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt ||
    value instanceof JsonNumber ||
    isRawJson?.(value) === true
  );
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function withToJson(value: unknown, stack: readonly Open[], writesBigints: boolean): unknown {
  const mayConvert = typeof value === 'object' || typeof value === 'function' || typeof value === 'bigint';
  if (!mayConvert || value === null) return value;
  if (value instanceof JsonNumber || (writesBigints && isBigint(value))) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(value, keyOf(stack.at(-1))) : value;
}

function isBigint(value: unknown): value is bigint | bigint {
  return typeof value === 'bigint' || value instanceof BigInt;
}

function leafText(value: unknown, stack: readonly Open[], writesBigints: boolean): string {
  if (value instanceof JsonNumber) return value.text;
  if (writesBigints && isBigint(value)) return value.toString();
  if (typeof value === 'bigint')
    throw new FramingError('ENCODE_REFUSED', `the value at ${pathOf(stack)} is a BigInt`);
  return JSON.stringify(value) ?? 'null';
}

function keyOf(open: Open | undefined): string {
  if (open === undefined) return '';
  return open.keys === undefined ? String(open.next - 1) : String(open.keys[open.next - 1]);
}

/** The last levels of the path: the whole of it is thousands of names long here. */
function pathOf(stack: readonly Open[]): string {
  const tail = stack
    .slice(-8)
    .map((open) => (open.keys === undefined ? `[${keyOf(open)}]` : `.${keyOf(open)}`));
  return (stack.length > 8 ? '…' : '$') + tail.join('');
}
