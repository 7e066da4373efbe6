import { expect, test } from 'vitest';
import { isTransportError, TRANSPORT_CODES, TransportError } from '../src/index.ts';

test('a transport error is recognised across copies of the package, and nothing else is', () => {
  const cause = new Error('deeper');
  const error = new TransportError('WRITE_FAILED', 'writing failed', { cause, limit: 1, actual: 2 });
  expect(isTransportError(error)).toBe(true);
  expect(error).toMatchObject({ name: 'TransportError', code: 'WRITE_FAILED', cause, limit: 1, actual: 2 });
  expect(isTransportError({ [Symbol.for('linewire.TransportError')]: true })).toBe(true);
  for (const other of [cause, null, undefined, 'WRITE_FAILED', {}])
    expect(isTransportError(other)).toBe(false);
});

test('every code has a meaning', () => {
  for (const meaning of Object.values(TRANSPORT_CODES)) expect(meaning).toMatch(/^[a-z].{15,}[^.]$/);
});
