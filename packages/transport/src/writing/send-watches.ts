import type { Ticket } from '../duplex.ts';
import { onAbort } from '../shared-abort.ts';

interface Watch {
  readonly unabort: (() => void) | undefined;
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
    const withdraw = (): void => this.#withdraw(ticket);
    const unabort = signal && onAbort(signal, withdraw);
    // What keeps a process alive is the pipe that is full, not this.
    const timer = timeoutMs === undefined ? undefined : setTimeout(withdraw, timeoutMs).unref();
    this.#watches.set(ticket, { unabort, timer });
  }

  /** The request was withdrawn. */
  remove(ticket: Ticket): void {
    const watch = this.#watches.get(ticket);
    if (watch === undefined) return;
    this.#watches.delete(ticket);
    watch.unabort?.();
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
