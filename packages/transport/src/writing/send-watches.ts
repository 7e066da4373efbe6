import type { Ticket } from '../duplex.ts';

interface Watch {
  readonly signal: AbortSignal | undefined;
  readonly onAbort: () => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Signals and deadlines of requests that wait in an outbox; let go when the request has left it. */
export class SendWatches {
  /** By rising ticket. */
  readonly #watches: Map<Ticket, Watch> = new Map();
  readonly #withdraw: (ticket: Ticket) => void;

  constructor(withdraw: (ticket: Ticket) => void) {
    this.#withdraw = withdraw;
  }

  get size(): number {
    return this.#watches.size;
  }

  add(ticket: Ticket, signal: AbortSignal | undefined, timeoutMs: number | undefined): void {
    const onAbort = (): void => this.#withdraw(ticket);
    signal?.addEventListener('abort', onAbort, { once: true });
    // What keeps a process alive is the pipe that is full, not this.
    const timer = timeoutMs === undefined ? undefined : setTimeout(onAbort, timeoutMs).unref();
    this.#watches.set(ticket, { signal, onAbort, timer });
  }

  /** The request was withdrawn. */
  remove(ticket: Ticket): void {
    const watch = this.#watches.get(ticket);
    if (watch === undefined) return;
    this.#watches.delete(ticket);
    watch.signal?.removeEventListener('abort', watch.onAbort);
    clearTimeout(watch.timer);
  }

  /** All requests up to this one have left. */
  removeTo(ticket: Ticket): void {
    for (const watched of this.#watches.keys()) {
      if (watched > ticket) return;
      this.remove(watched);
    }
  }
}
