import type { Duplex } from '@linewire/transport';
import type { PendingRequest } from './pending-requests.ts';

/**
 * Requests on their way into the outbox. While it is full they wait here, in order, until it has drained. One that is given up before the system
 * has it is never sent.
 */
export class WaitingRequests {
  private readonly duplex: Duplex;
  private readonly frames: Map<PendingRequest, string> = new Map();
  private readonly onRefused: (request: PendingRequest, error: unknown) => void;

  /** @param onRefused - called for a request that is no frame, which is found out when the outbox looks at it. */
  constructor(duplex: Duplex, onRefused: (request: PendingRequest, error: unknown) => void) {
    this.duplex = duplex;
    this.onRefused = onRefused;
  }

  get size(): number {
    return this.frames.size;
  }

  send(request: PendingRequest, frame: string): void {
    if (this.frames.size === 0) request.ticket = this.duplex.send(frame);
    if (request.ticket === 0) this.frames.set(request, frame);
  }

  /** The outbox takes requests again. */
  drained(): void {
    for (const [request, frame] of this.frames) {
      try {
        request.ticket = this.duplex.send(frame);
        if (request.ticket === 0) return;
        this.frames.delete(request);
      } catch (error) {
        this.frames.delete(request);
        this.onRefused(request, error);
      }
    }
  }

  /** True: nothing of it was sent, or will be. */
  withdraw(request: PendingRequest): boolean {
    return this.frames.delete(request) || this.duplex.withdraw(request.ticket);
  }

  clear(): void {
    this.frames.clear();
  }
}
