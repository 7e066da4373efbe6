import type { Duplex } from '@linewire/transport';
import type { PendingCall } from './pending-calls.ts';

/**
 * Requests on their way into the outbox. While it is full they wait here, in order, until it has drained; their number is bounded by the
 * caller's own calls. One that is given up before the system has it is never sent.
 */
export class WaitingRequests {
  private readonly duplex: Duplex;
  private readonly frames: Map<PendingCall, string> = new Map();

  private readonly onRefused: (call: PendingCall, error: unknown) => void;

  /** @param onRefused - called for a call whose request is no frame, which is found out when the outbox looks at it. */
  constructor(duplex: Duplex, onRefused: (call: PendingCall, error: unknown) => void) {
    this.duplex = duplex;
    this.onRefused = onRefused;
  }

  send(call: PendingCall, frame: string): void {
    if (this.frames.size === 0) call.ticket = this.duplex.send(frame);
    if (call.ticket === 0) this.frames.set(call, frame);
  }

  /** The outbox takes requests again. */
  drained(): void {
    for (const [call, frame] of this.frames) {
      try {
        call.ticket = this.duplex.send(frame);
        if (call.ticket === 0) return;
        this.frames.delete(call);
      } catch (error) {
        this.frames.delete(call);
        this.onRefused(call, error);
      }
    }
  }

  /** True: nothing of it was sent, or will be. */
  withdraw(call: PendingCall): boolean {
    return this.frames.delete(call) || this.duplex.withdraw(call.ticket);
  }

  clear(): void {
    this.frames.clear();
  }
}
