import { expect } from 'vitest';
import type { JsonEncoder } from '../../src/index.ts';

const GUARD = 0xee;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What an encoder writes into a piece of `capacity` bytes of a larger buffer, whose other bytes must stay; undefined when it does not fit. */
export function encodedWithin(
  encoder: JsonEncoder,
  value: unknown,
  capacity: number,
  at = 0,
): string | undefined {
  const buffer = new Uint8Array(capacity + at + 32).fill(GUARD);
  const target = buffer.subarray(7, 7 + at + capacity);
  const end = encoder.encodeInto(target, at, value);
  for (let i = 0; i < 7 + at; i++) if (buffer[i] !== GUARD) expect.fail(`byte ${i - 7} was overwritten`);
  for (let i = 7 + at + capacity; i < buffer.length; i++)
    if (buffer[i] !== GUARD) expect.fail(`byte ${i - 7} behind the target was overwritten`);
  if (end === -1) return undefined;
  expect(end).toBeGreaterThanOrEqual(at);
  expect(end).toBeLessThanOrEqual(target.length);
  return decoder.decode(target.subarray(at, end));
}

/** What an encoder writes where there is room enough. */
export function encoded(encoder: JsonEncoder, value: unknown, capacity = 64 * 1024): string {
  return encodedWithin(encoder, value, capacity, 3) ?? expect.fail(`no room in ${capacity} bytes`);
}
