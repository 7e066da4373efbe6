/** One step that the peer reports of a request. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** How one request is waited for. */
export interface OutboundOptions {
  /** Time for the answer in ms, then the peer is told and the promise rejects `REQUEST_TIMEOUT`: 0 … 2^31−1, default `requestTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Progress gives the whole of `timeoutMs` again. Default false. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** Time for the answer in ms, however much progress there is: 0 … 2^31−1. Default 600,000, or `timeoutMs` if that is more. */
  readonly maxTotalMs?: number | undefined;
  /** Gives the request up: the peer is told, the promise rejects `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the peer for progress. Never called after the promise has settled. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Says what is wrong with the result of an answer; then the promise rejects `INVALID_RESPONSE`. */
  readonly problemOf?: ((result: Record<string, unknown>) => string | undefined) | undefined;
}

/** Counters of the requests that one side sends; plain fields. */
export interface OutboundCounters {
  /** Requests made, those that wait for the outbox among them. */
  requests: number;
  /** Answers that settled a request. */
  answers: number;
  /** Answers that nobody waited for. */
  unmatchedAnswers: number;
  /** Those among them whose request was answered or given up before. */
  lateAnswers: number;
  /** Requests that ended by time. */
  timeouts: number;
  /** Requests that their signal ended. */
  cancelled: number;
  /** Progress for no request that waits. */
  strayProgress: number;
}

export function newOutboundCounters(): OutboundCounters {
  return {
    requests: 0,
    answers: 0,
    unmatchedAnswers: 0,
    lateAnswers: 0,
    timeouts: 0,
    cancelled: 0,
    strayProgress: 0,
  };
}
