import { describeDescriptor, isSameStream } from '../descriptor.ts';
import { guardLevel } from '../guard/guard.ts';

/** Unread bytes on our stderr above which more of a child's is dropped: nobody reads them, and this process must not grow for it. */
const MAX_BACKLOG_BYTES = 1024 * 1024;

/** Children that forward now. */
let forwarders = 0;

/** A stderr that nobody reads any more is no reason to end this process. One listener for all children. */
export function beginForwarding(): void {
  if (++forwarders === 1) process.stderr.on('error', ignore);
}

export function endForwarding(): void {
  if (--forwarders === 0) process.stderr.off('error', ignore);
}

/** Writes bytes of a child to our stderr, or drops them: the receiver of the same bytes has no part in it. */
export function forwardToStderr(bytes: Uint8Array): void {
  if (ownStderrIsWire()) return;
  try {
    const { stderr } = process;
    if (!stderr.destroyed && stderr.writableLength <= MAX_BACKLOG_BYTES) stderr.write(Buffer.from(bytes));
  } catch {
    // Terminals and files are written synchronously and throw EAGAIN, EIO or ENOSPC here.
  }
}

/** Our own stdio is the wire and stderr leads into it (`2>&1`): what is forwarded there would be noise for the peer. */
function ownStderrIsWire(): boolean {
  return guardLevel() === 'js' && isSameStream(describeDescriptor(1), describeDescriptor(2));
}

function ignore(): void {}
