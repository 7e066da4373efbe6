import { expect, test } from 'vitest';
import { readFailure, writeFailure } from '../../src/writing/io-failure.ts';

const failed = (code: string): Error => Object.assign(new Error(code), { code });

test.each(['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED'])(
  '%s means that the peer is gone, in both directions',
  (errno) => {
    const cause = failed(errno);
    for (const reason of [readFailure(cause), writeFailure(cause)]) {
      expect(reason).toMatchObject({ kind: 'peer-closed', error: { code: 'PEER_CLOSED', cause } });
    }
  },
);

test('anything else means that reading or writing is broken', () => {
  expect(readFailure(failed('EISDIR'))).toMatchObject({ kind: 'error', error: { code: 'READ_FAILED' } });
  expect(writeFailure(failed('ENOSPC'))).toMatchObject({ kind: 'error', error: { code: 'WRITE_FAILED' } });
});
