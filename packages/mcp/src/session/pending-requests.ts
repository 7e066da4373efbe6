import type { IdKey } from '@linewire/framing';
import type { Ticket } from '@linewire/transport';
import type { OutboundOptions } from './outbound-types.ts';

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly id: number;
  readonly method: string;
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: unknown) => void;
  readonly options: OutboundOptions;
  /** Listener on the signal of the options. */
  readonly onAbort: (() => void) | undefined;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  /** On the clock of `performance.now()`, like the deadlines. */
  readonly startedMs: number;
  deadlineMs: number;
  /** In the outbox; 0 while it waits for a place there. */
  ticket: Ticket;
}

/** Ids shown in "waiting for …". */
const SHOWN_IDS = 3;

/**
 * Requests by id. One timer watches all deadlines: it is set to the nearest one that it has seen, and finds the next when it fires. It stays set
 * when the last request is answered, without keeping the process alive, so that one request after the other costs no timer each.
 */
export class PendingRequests {
  private readonly requests: Map<IdKey, PendingRequest> = new Map();
  private readonly onExpired: (request: PendingRequest) => void;
  private timer: NodeJS.Timeout | undefined = undefined;
  private timerDeadlineMs: number = Number.POSITIVE_INFINITY;

  /** @param onExpired - called for a request whose time is up, after it was taken out; rejecting it is the caller's. */
  constructor(onExpired: (request: PendingRequest) => void) {
    this.onExpired = onExpired;
  }

  get size(): number {
    return this.requests.size;
  }

  add(request: PendingRequest): void {
    if (this.requests.size === 0) this.timer?.ref();
    this.requests.set(request.id, request);
    if (request.deadlineMs < this.timerDeadlineMs) this.watch(request.deadlineMs);
  }

  get(key: IdKey | undefined): PendingRequest | undefined {
    return key === undefined ? undefined : this.requests.get(key);
  }

  /** Takes a request out, so that it can be settled once. */
  take(key: IdKey | undefined): PendingRequest | undefined {
    const request = this.get(key);
    if (request === undefined) return undefined;
    this.requests.delete(request.id);
    if (request.onAbort !== undefined) request.options.signal?.removeEventListener('abort', request.onAbort);
    if (this.requests.size === 0) this.timer?.unref();
    return request;
  }

  /** Takes all out, and the timer with them. */
  takeAll(): PendingRequest[] {
    const all = [...this.requests.values()];
    for (const { id } of all) this.take(id);
    this.unwatch();
    return all;
  }

  /** For messages: which ids are waited for. */
  describe(): string {
    const { size } = this.requests;
    if (size === 0) return 'none';
    const ids = [...this.requests.keys()].slice(0, SHOWN_IDS).join(', ');
    return size > SHOWN_IDS ? `${ids} and ${size - SHOWN_IDS} more` : ids;
  }

  private watch(deadlineMs: number): void {
    clearTimeout(this.timer);
    this.timerDeadlineMs = deadlineMs;
    this.timer = setTimeout(() => this.expire(), Math.max(0, Math.ceil(deadlineMs - performance.now())));
  }

  private unwatch(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.timerDeadlineMs = Number.POSITIVE_INFINITY;
  }

  private expire(): void {
    this.unwatch();
    const nowMs = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const request of [...this.requests.values()]) {
      // Timers have a grain of 1 ms and may come a little early.
      if (request.deadlineMs - nowMs < 1) {
        if (this.take(request.id) !== undefined) this.onExpired(request);
      } else nextMs = Math.min(nextMs, request.deadlineMs);
    }
    // A callback may have made new requests, which are watched already.
    if (nextMs < this.timerDeadlineMs && this.requests.size > 0) this.watch(nextMs);
  }
}
