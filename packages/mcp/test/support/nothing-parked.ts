import type { ParkedRequests } from '@linewire/transport';

/** For what is tested without a duplex. */
export const nothingParked: ParkedRequests = {
  count: 0,
  byteCount: 0,
  stalls: 0,
  refused: 0,
  has: () => false,
  drop: () => false,
  dropAll: () => [],
};
