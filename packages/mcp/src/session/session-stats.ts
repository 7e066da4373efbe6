import type { ParkedRequests } from '@linewire/transport';

/** What a session counts itself; plain fields, since some are counted for each request. */
export interface SessionCounters {
  requests: number;
  notifications: number;
  /** Answers written, errors among them. */
  answers: number;
  /** JSON-RPC errors among the answers. */
  errors: number;
  /** Frames that could not be read: see `FramingCode`. */
  faults: number;
  /** Frames that are JSON but no valid message. */
  invalid: number;
  /** Arrays. */
  batches: number;
  /** Answers that nobody waits for. */
  unmatchedAnswers: number;
  /** Requests whose id was in flight already. */
  duplicateIds: number;
  /** Requests that a cancel ended. */
  cancelled: number;
  /** Results that came after a cancel or after the end, and were not sent. */
  lateResults: number;
  /** Log messages that a client which reads slowly did not get. */
  droppedLogs: number;
  /** Notifications that waited for such a client and were replaced by a newer one of their kind, or by the answer. */
  mergedNotices: number;
  /** Handlers that have not settled. */
  running: number;
}

/** Counters of one server session. All only grow, but `running`, `parked` and `parkedBytes`. */
export interface SessionStats extends Readonly<SessionCounters> {
  /** Requests that wait for credit. */
  readonly parked: number;
  readonly parkedBytes: number;
  /** How often reading stopped because the parked queue was full. */
  readonly readStalls: number;
  /** Requests refused as `overloaded` because the parked queue was full and reading had to go on. */
  readonly overloaded: number;
}

export function newSessionCounters(): SessionCounters {
  return {
    requests: 0,
    notifications: 0,
    answers: 0,
    errors: 0,
    faults: 0,
    invalid: 0,
    batches: 0,
    unmatchedAnswers: 0,
    duplicateIds: 0,
    cancelled: 0,
    lateResults: 0,
    droppedLogs: 0,
    mergedNotices: 0,
    running: 0,
  };
}

/** A snapshot, with the counters of what is parked. */
export function sessionStats(
  counters: SessionCounters,
  { count, byteCount, stalls, refused }: ParkedRequests,
): SessionStats {
  return { ...counters, parked: count, parkedBytes: byteCount, readStalls: stalls, overloaded: refused };
}
