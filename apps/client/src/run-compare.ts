import { decodeJson } from '@linewire/framing';

/**
 * True if two answers have the same value, their ids left out (those are matched by their canonical form before).
 * Member order and spelling are free; `-0` is not 0, and a member more or less is a difference.
 */
export function sameAnswer(expectedText: string, actualText: string): boolean {
  if (expectedText === actualText) return true;
  const expected = withoutId(decodeJson(expectedText));
  const actual = withoutId(decodeJson(actualText));
  return sameValue(expected, actual);
}

/** Deep equality of decoded JSON. Iterative, so that depth costs memory and not the stack. */
export function sameValue(left: unknown, right: unknown): boolean {
  const todo: unknown[] = [left, right];
  while (todo.length > 0) {
    const b = todo.pop();
    const a = todo.pop();
    if (Object.is(a, b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      todo.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
    }
  }
  return true;
}

function withoutId(frame: unknown): Record<string, unknown> {
  const { id: _, ...rest } = frame as Record<string, unknown>;
  return rest;
}
