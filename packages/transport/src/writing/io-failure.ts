import type { CloseReason } from '../duplex.ts';
import { errnoOf, isTransportError, TransportError } from '../errors.ts';

/** How the system says that nobody is there any more. EIO is a terminal that was closed. */
const PEER_GONE: ReadonlySet<string> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'EOF',
  'EIO',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  // A Web stream, or a Node stream around one, that was let go of.
  'ABORT_ERR',
]);

/** What a failed write means for the connection: the peer left, or (disk full, bad descriptor …) the writing itself is broken. */
export function writeFailure(cause: Error): CloseReason {
  return ioFailure('WRITE_FAILED', 'writing', cause);
}

/** What a failed read means. */
export function readFailure(cause: Error): CloseReason {
  return ioFailure('READ_FAILED', 'reading', cause);
}

function ioFailure(code: 'WRITE_FAILED' | 'READ_FAILED', doing: string, cause: Error): CloseReason {
  // This side gave up, and says why.
  if (isTransportError(cause)) return { kind: 'error', error: cause };
  const errno = errnoOf(cause);
  if (errno === undefined || PEER_GONE.has(errno)) {
    return {
      kind: 'peer-closed',
      error: new TransportError('PEER_CLOSED', `the peer is gone: ${cause.message}`, { cause }),
    };
  }
  return { kind: 'error', error: new TransportError(code, `${doing} failed: ${cause.message}`, { cause }) };
}
