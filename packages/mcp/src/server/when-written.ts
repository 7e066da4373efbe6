import type { Duplex } from '@linewire/transport';

/** How often a slow reader is looked after, in ms. */
const LOOK_MS = 10;

/**
 * Settles when the system has taken everything that was sent, or the connection has ended. `close()` of own stdio
 * gives unsent bytes a limited time; a peer that reads slowly, a pager for one, must get every answer all the same.
 */
export async function whenWritten(duplex: Duplex): Promise<void> {
  duplex.flush();
  if (duplex.queuedBytes === 0) return;
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if (duplex.queuedBytes === 0) done();
    }, LOOK_MS);
    const done = (): void => {
      clearInterval(look);
      resolve();
    };
    void duplex.closed.then(done);
  });
}
