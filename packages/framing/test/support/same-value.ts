import { isDeepStrictEqual } from 'node:util';
import { encodeJson } from '../../src/index.ts';

/** Whether values are the same down to the order of members; too deep ones, which neither comparison can walk, by their text. */
export function isSame(actual: unknown, expected: unknown): boolean {
  if (encodeJson(actual) !== encodeJson(expected)) return false;
  try {
    return isDeepStrictEqual(actual, expected);
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}
