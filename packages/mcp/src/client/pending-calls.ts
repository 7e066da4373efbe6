import type { IdKey } from '@linewire/framing';
import type { Ticket } from '@linewire/transport';
import type { McpError } from '../errors.ts';
import type { Progress } from './client-types.ts';

/** A request that waits for its answer. */
export interface PendingCall {
  readonly id: number;
  readonly method: string;
  readonly resolve: (result: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  /** Listener on `signal`. */
  readonly onAbort: (() => void) | undefined;
  readonly timeoutMs: number;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Of the request in the outbox; 0 while it waits for a place there. */
  ticket: Ticket;
}

/** Ids shown in "waiting for …". */
const SHOWN_IDS = 3;

/** The requests of one client. One timer watches all deadlines: it is set to the nearest one. */
export class PendingCalls {
  private readonly calls: Map<IdKey, PendingCall> = new Map();
  private readonly onExpired: (call: PendingCall) => void;
  private timer: NodeJS.Timeout | undefined = undefined;
  private timerDeadline: number = Number.POSITIVE_INFINITY;

  /** @param onExpired - called for a call whose time is up, after it was taken out; rejecting it is the caller's. */
  constructor(onExpired: (call: PendingCall) => void) {
    this.onExpired = onExpired;
  }

  add(call: PendingCall): void {
    this.calls.set(call.id, call);
    if (call.deadline < this.timerDeadline) this.watch(call.deadline);
  }

  get(key: IdKey | undefined): PendingCall | undefined {
    return key === undefined ? undefined : this.calls.get(key);
  }

  /** Takes a call out, so that it can be settled once. */
  take(key: IdKey | undefined): PendingCall | undefined {
    const call = this.get(key);
    if (call === undefined) return undefined;
    this.calls.delete(call.id);
    if (call.onAbort !== undefined) call.signal?.removeEventListener('abort', call.onAbort);
    if (this.calls.size === 0) this.unwatch();
    return call;
  }

  rejectAll(errorFor: (call: PendingCall) => McpError): void {
    for (const id of [...this.calls.keys()]) {
      const call = this.take(id);
      if (call !== undefined) call.reject(errorFor(call));
    }
  }

  /** For messages: which ids are waited for. */
  describe(): string {
    if (this.calls.size === 0) return 'none';
    const ids = [...this.calls.keys()].slice(0, SHOWN_IDS).join(', ');
    return this.calls.size > SHOWN_IDS ? `${ids} and ${this.calls.size - SHOWN_IDS} more` : ids;
  }

  private watch(deadline: number): void {
    clearTimeout(this.timer);
    this.timerDeadline = deadline;
    this.timer = setTimeout(() => this.expire(), Math.max(0, Math.ceil(deadline - performance.now())));
  }

  private unwatch(): void {
    clearTimeout(this.timer);
    this.timerDeadline = Number.POSITIVE_INFINITY;
  }

  private expire(): void {
    this.timerDeadline = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const call of [...this.calls.values()]) {
      // Timers have a grain of 1 ms and may come a little early.
      if (call.deadline - now < 1) {
        if (this.take(call.id) !== undefined) this.onExpired(call);
      } else next = Math.min(next, call.deadline);
    }
    if (next < this.timerDeadline) this.watch(next);
  }
}
