import { FramingError } from '../errors.ts';

/** A container being written: its keys (undefined for an array) and how many items are done. */
interface Open {
  readonly container: Record<string, unknown> | readonly unknown[];
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * JSON text of a plain value of any depth, with an explicit stack. Only for values that are too deep for `JSON.stringify`;
 * `toJSON` and boxed primitives are honoured at the leaves.
 *
 * @throws FramingError `ENCODE_REFUSED` for a cycle or a BigInt, with the path.
 */
export function encodeDeep(root: unknown): string {
  const parts: string[] = [];
  const stack: Open[] = [];
  const onPath = new Set<object>();
  let value: unknown = root;
  for (;;) {
    const plain = withToJson(value, stack);
    if (isContainer(plain)) {
      if (onPath.has(plain))
        throw new FramingError('ENCODE_REFUSED', `the value at ${pathOf(stack)} refers to itself`);
      onPath.add(plain);
      const keys = Array.isArray(plain)
        ? undefined
        : Object.keys(plain).filter((key) => hasJson(plain[key as never]));
      stack.push({ container: plain as Open['container'], keys, next: 0 });
      parts.push(keys === undefined ? '[' : '{');
    } else {
      parts.push(leafText(plain, stack));
    }
    for (;;) {
      const top = stack.at(-1);
      if (top === undefined) return parts.join('');
      const length = top.keys === undefined ? (top.container as readonly unknown[]).length : top.keys.length;
      if (top.next < length) {
        if (top.next > 0) parts.push(',');
        value = nextItem(top, parts);
        break;
      }
      parts.push(top.keys === undefined ? ']' : '}');
      onPath.delete(top.container);
      stack.pop();
    }
  }
}

function nextItem(top: Open, parts: string[]): unknown {
  const index = top.next++;
  if (top.keys === undefined) {
    const item = (top.container as readonly unknown[])[index];
    return hasJson(item) ? item : null;
  }
  const key = top.keys[index] as string;
  parts.push(JSON.stringify(key), ':');
  return (top.container as Record<string, unknown>)[key];
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !(
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt
  );
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function withToJson(value: unknown, stack: readonly Open[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(value, keyOf(stack.at(-1))) : value;
}

function leafText(value: unknown, stack: readonly Open[]): string {
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
