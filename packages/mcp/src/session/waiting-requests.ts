import type { Duplex, Ticket } from '@linewire/transport';

/** A request, or a notification that must not overtake one. */
export interface WaitingFrame {
  /** Of a request. */
  readonly id?: number;
  /** In the outbox; 0 while it waits for a place there. */
  ticket: Ticket;
}

/**
 * Requests on their way into the outbox, and what comes behind them. While it is full they wait here, in order, until it has drained. One that is
 * given up before the system has it is never sent.
 */
export class WaitingRequests {
  private readonly duplex: Duplex;
  private readonly frames: Map<WaitingFrame, string> = new Map();
  private readonly onRefused: (waiting: WaitingFrame, error: unknown) => void;

  /** @param onRefused - called for a frame that is none, which is found out when the outbox looks at it. */
  constructor(duplex: Duplex, onRefused: (waiting: WaitingFrame, error: unknown) => void) {
    this.duplex = duplex;
    this.onRefused = onRefused;
  }

  get size(): number {
    return this.frames.size;
  }

  send(waiting: WaitingFrame, frame: string): void {
    if (this.frames.size === 0) waiting.ticket = this.duplex.send(frame);
    if (waiting.ticket === 0) this.frames.set(waiting, frame);
  }

  /** The outbox takes requests again. */
  drained(): void {
    for (const [waiting, frame] of this.frames) {
      try {
        waiting.ticket = this.duplex.send(frame);
        if (waiting.ticket === 0) return;
        this.frames.delete(waiting);
      } catch (error) {
        this.frames.delete(waiting);
        this.onRefused(waiting, error);
      }
    }
  }

  /** True: nothing of it was sent, or will be. */
  withdraw(waiting: WaitingFrame): boolean {
    return this.frames.delete(waiting) || this.duplex.withdraw(waiting.ticket);
  }

  clear(): void {
    this.frames.clear();
  }
}
