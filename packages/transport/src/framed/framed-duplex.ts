import type { FrameBatch } from '@linewire/framing';
import { type GateOwner, RequestGate } from '../credit/request-gate.ts';
import type {
  CloseReason,
  Duplex,
  DuplexHandlers,
  DuplexStats,
  FrameWriter,
  Lane,
  ParkedRequests,
  QueueOptions,
  ReadingOptions,
  SendOptions,
  SendOutcome,
  Ticket,
} from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { limitValue, waterMarks } from '../limits.ts';
import { DuplexWatch } from '../observe/duplex-watch.ts';
import { Inbound, type InboundOwner } from '../reading/inbound.ts';
import { Outbox, type OutboxOwner } from '../writing/outbox.ts';
import { Ending } from './ending.ts';

/** What all duplexes share: an outbox, a reading side, the owner's handlers and one end. How it begins and ends differs. */
export abstract class FramedDuplex implements Duplex, OutboxOwner, InboundOwner, GateOwner {
  protected readonly outbox: Outbox;
  protected readonly inbound: Inbound;
  protected readonly ending: Ending = new Ending();
  readonly #requests: RequestGate;
  protected handlers: DuplexHandlers | undefined;
  readonly #watch: DuplexWatch = new DuplexWatch(this);

  constructor(options: ReadingOptions & QueueOptions) {
    this.outbox = new Outbox(this, waterMarks(options));
    this.#requests = new RequestGate(this, limitValue('maxParkedBytes', options.maxParkedBytes));
    this.inbound = new Inbound(options, this, this.outbox);
  }

  get closed(): Promise<CloseReason> {
    return this.ending.closed;
  }

  get queuedBytes(): number {
    return this.outbox.queuedBytes;
  }

  get isFull(): boolean {
    return this.outbox.isFull;
  }

  get stats(): DuplexStats {
    const { frames, bytes, faults, invalid, blankFrames, storedBytes } = this.inbound.stats;
    const { framesOut, bytesOut, stalls, droppedBytes } = this.outbox;
    return {
      framesIn: frames,
      framesOut,
      bytesIn: bytes,
      bytesOut,
      faults,
      invalidFrames: invalid,
      blankFrames,
      stalls,
      droppedBytes,
      queuedBytes: this.outbox.queuedBytes,
      storedBytes,
    };
  }

  start(handlers: DuplexHandlers): void {
    if (this.handlers !== undefined)
      throw new TransportError('ALREADY_STARTED', 'start() was called a second time');
    this.handlers = handlers;
    this.#requests.start(handlers);
    this.ending.tell(handlers.onClose?.bind(handlers));
    this.started();
  }

  send(frame: string | Uint8Array | object, options?: SendOptions): Ticket {
    return this.outbox.send(frame, options);
  }

  sendEncoded(frame: string, lane?: Lane): Ticket {
    return this.outbox.sendEncoded(frame, lane);
  }

  sendWith(writer: FrameWriter, lane?: Lane): Ticket {
    return this.outbox.sendWith(writer, lane);
  }

  sendReserved(frame: string): boolean {
    return this.outbox.sendReserved(frame);
  }

  withdraw(ticket: Ticket): boolean {
    return this.outbox.withdraw(ticket);
  }

  settled(ticket: Ticket): Promise<SendOutcome> {
    return this.outbox.settled(ticket);
  }

  flush(): void {
    this.outbox.flush();
  }

  flushed(): Promise<void> {
    return this.outbox.emptied();
  }

  pause(): void {
    this.#requests.pause();
  }

  resume(): void {
    this.#requests.resume();
  }

  pauseRequests(): void {
    this.#requests.pauseRequests();
  }

  resumeRequests(): void {
    this.#requests.resumeRequests();
  }

  get parked(): ParkedRequests {
    return this.#requests;
  }

  end(): void {
    this.outbox.end();
  }

  abstract close(): Promise<CloseReason>;

  /** What the duplex is called in messages and debug lines. */
  abstract describe(): string;

  frames(batch: FrameBatch): number | undefined | void {
    return this.#requests.frames(batch);
  }

  inputDiscarded(): void {
    this.#requests.end();
  }

  pauseReading(): void {
    this.inbound.pause();
  }

  resumeReading(): void {
    this.inbound.resume();
  }

  batchDelivered(): void {
    this.#watch.read();
  }

  wrote(): void {
    this.#watch.wrote();
  }

  stalled(): void {
    this.#watch.stalled();
  }

  drained(): void {
    this.#watch.drained();
    this.handlers?.onDrain?.();
  }

  abstract inputEnded(): void;
  abstract inputFailed(error: Error): void;
  abstract allWritten(): void;
  abstract failed(error: Error): void;

  /** Tells the end, once. Silent: there is no place for a debug line. */
  protected tellEnd(reason: CloseReason, silent = false): void {
    if (this.ending.settled) return;
    this.#watch.closed(reason);
    this.ending.settle(reason, this.describe(), this.stats, silent);
  }

  /** There are handlers now. The duplex may have ended before. */
  protected abstract started(): void;
}
