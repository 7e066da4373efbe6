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
  /** Arrays, refused ones among them. */
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

/** What became of the requests of a server to its client. */
export interface AskedStats {
  /** Requests sent to the client, or waiting to be. */
  readonly asked: number;
  readonly askedAnswers: number;
  /** Requests that ended by time. */
  readonly askedTimeouts: number;
  /** Requests that their handler gave up. */
  readonly askedCancelled: number;
  /** Answers that nobody waits for. */
  readonly unmatchedAnswers: number;
  /** Those among them whose request was answered or given up before. */
  readonly lateAnswers: number;
  /** Requests to the client that wait for an answer. */
  readonly asking: number;
}

/** Counters of one server session. All only grow, but `running`, `asking`, `parked` and `parkedBytes`. */
export interface SessionStats extends Readonly<SessionCounters>, AskedStats {
  /** Requests that wait for credit, those in batches among them. */
  readonly parked: number;
  /** Memory of those that are in no batch. */
  readonly parkedBytes: number;
  /** How often reading stopped because the parked queue was full. */
  readonly readStalls: number;
  /** Requests refused as `overloaded` because the parked queue was full and reading had to go on. */
  readonly overloaded: number;
  /** Batches that are not answered. */
  readonly openBatches: number;
  /** From a handler's start to its answer in the outbox; undefined unless the option `measureLatency` is on. */
  readonly latency: LatencyStats | undefined;
}

/** A distribution of times in ms, within 0.1 %. All 0 while `count` is. */
export interface LatencyStats {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
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
