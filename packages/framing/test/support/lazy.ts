import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { FrameBatch, LazyValue, PathStep } from '../../src/index.ts';
import { read, type Settings, type Split } from './events.ts';

/**
 * Shows each frame to `visit` while its batch lives. What that throws is thrown from here: an exception inside a callback would only
 * come up later, from a microtask.
 */
export function during(
  input: Uint8Array | string,
  visit: (batch: FrameBatch, index: number) => void,
  settings: Settings = {},
  split: Split = 'whole',
): void {
  let frames = 0;
  const failures: unknown[] = [];
  const attempt = (batch: FrameBatch, index: number): void => {
    frames++;
    try {
      visit(batch, index);
    } catch (error) {
      failures.push(error);
    }
  };
  read(input, settings, attempt, split);
  if (failures.length > 0) throw failures[0];
  if (frames === 0) throw new Error('no frame');
}

/** Shows the lazy value of each frame to `visit`. */
export function readLazy(
  input: Uint8Array | string,
  visit: (value: LazyValue) => void,
  settings: Settings = { envelope: 'none' },
  split: Split = 'whole',
): void {
  during(input, (batch, index) => visit(batch.lazy(index)), settings, split);
}

/** As `toStrictEqual`, which takes an own member `constructor` for the value's type. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  expect(actual).toStrictEqual(expected);
  expect.fail('values differ');
}

/** The value, made from nothing but what iteration and scalars say. */
export function rebuilt(value: LazyValue): unknown {
  switch (value.kind) {
    case 'object': {
      const object = {};
      for (const [name, member] of value.members())
        Object.defineProperty(object, name, {
          value: rebuilt(member),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      return object;
    }
    case 'array':
      return Array.from(value.items(), rebuilt);
    case 'string':
      return value.string();
    case 'number':
      return value.number();
    case 'boolean':
      return value.boolean();
    case 'null':
      return value.isNull ? null : 'isNull and kind differ';
  }
}

/** Every path of a value, with what is there. */
export function* pathsOf(
  value: unknown,
  path: readonly PathStep[] = [],
): Generator<[readonly PathStep[], unknown]> {
  yield [path, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* pathsOf(member, [...path, name]);
  }
}
