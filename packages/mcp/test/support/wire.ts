import { createFrameReader, type FrameReader, type FrameReaderOptions } from '@linewire/framing';
import {
  type CloseReason,
  type Duplex,
  type DuplexHandlers,
  type DuplexStats,
  type FrameWriter,
  type Lane,
  limits,
  RequestGate,
  type SendOptions,
  type SendOutcome,
  type Ticket,
} from '@linewire/transport';

interface WireOptions extends Partial<FrameReaderOptions> {
  readonly maxParkedBytes?: number;
}
/**
 * A duplex whose peer is the test: raw bytes in, sent lines out. It reads as own stdio does, so a session over it
 * sees real batches.
 */
export class Wire implements Duplex {
  /** Lines sent so far. */
  readonly sent: string[] = [];
  /** How many of them there were when all was to be written at once the last time. */
  flushedCount = 0;
  readonly closed: Promise<CloseReason>;
  queuedBytes = 0;
  /** Set by a test to hold the last bytes back. */
  whenFlushed: Promise<void> = Promise.resolve();
  /** The next frame fills the outbox while this is set: then requests are refused, and replies taken. */
  full = false;
  isFull = false;
  /** Requests stay in the outbox, where they can be withdrawn, while this is set. */
  holding = false;
  /** The lane of each sent line. */
  readonly lanes: Lane[] = [];
  paused = false;
  ended = false;
  /** The peer has ended its output, and the handlers are yet to hear of it: behind what is held back. */
  private endsLater = false;
  readonly parked: RequestGate;
  private readonly reader: FrameReader;
  private handlers: DuplexHandlers | undefined;
  private settle: (reason: CloseReason) => void = () => {};
  private readonly waiters: (() => void)[] = [];
  private lastTicket: Ticket = 0;
  private readonly held: Map<Ticket, string> = new Map();

  constructor(options: WireOptions = {}) {
    this.closed = new Promise((resolve) => {
      this.settle = resolve;
    });
    const { maxParkedBytes, ...reading } = options;
    this.parked = new RequestGate(
      {
        pauseReading: () => this.pauseReading(),
        resumeReading: () => this.resumeReading(),
        sendReserved: (frame) => this.sendReserved(frame),
      },
      maxParkedBytes ?? limits.maxParkedBytes.default,
    );
    this.reader = createFrameReader({
      validate: 'envelope',
      ...reading,
      onFrames: (batch) => this.parked.frames(batch),
    });
  }

  get stats(): DuplexStats {
    throw new Error('not counted here');
  }

  start(handlers: DuplexHandlers): void {
    this.handlers = handlers;
    this.parked.start(handlers);
  }

  send(frame: string | Uint8Array | object, options: SendOptions = {}): Ticket {
    if (typeof frame !== 'string') throw new Error('sessions send text');
    if (frame.includes('\n')) throw new Error('not one frame');
    const { lane = 'request' } = options;
    if (lane === 'request' && this.isFull) return 0;
    if (this.full) this.isFull = true;
    this.sent.push(frame);
    this.lanes.push(lane);
    for (const waiter of this.waiters.splice(0)) waiter();
    this.lastTicket++;
    if (lane === 'request' && this.holding) this.held.set(this.lastTicket, frame);
    return this.lastTicket;
  }

  /** Held to the same rule: what a session calls encoded must be one line. */
  sendEncoded(frame: string, lane: Lane = 'reply'): Ticket {
    return this.send(frame, { lane });
  }

  /** Bytes and text of a frame must be the same. */
  sendWith(writer: FrameWriter, lane: Lane = 'reply'): Ticket {
    const target = new Uint8Array(1 << 20);
    const end = writer.writeInto(target, 1);
    const text = writer.text();
    if (end >= 0 && Buffer.from(target.subarray(1, end)).toString() !== text)
      throw new Error('a frame that is two');
    return this.send(text, { lane });
  }

  sendReserved(frame: string): boolean {
    return this.send(frame, { lane: 'reply' }) > 0;
  }

  withdraw(ticket: Ticket): boolean {
    const frame = this.held.get(ticket);
    if (frame === undefined) return false;
    this.held.delete(ticket);
    this.sent.splice(this.sent.indexOf(frame), 1);
    return true;
  }

  settled(): Promise<SendOutcome> {
    throw new Error('not told here');
  }

  flush(): void {
    this.flushedCount = this.sent.length;
  }

  flushed(): Promise<void> {
    return this.whenFlushed;
  }

  pause(): void {
    this.parked.pause();
  }

  resume(): void {
    this.parked.resume();
  }

  pauseRequests(): void {
    this.parked.pauseRequests();
  }

  resumeRequests(): void {
    this.parked.resumeRequests();
  }

  end(): void {
    this.ended = true;
  }

  close(): Promise<CloseReason> {
    return this.finish({ kind: 'closed' });
  }

  private pauseReading(): void {
    this.paused = true;
    this.reader.pause();
  }

  private resumeReading(): void {
    this.paused = false;
    this.reader.resume();
    this.tellEnd();
  }

  /** Ends the connection for a reason of the peer's. */
  finish(reason: CloseReason): Promise<CloseReason> {
    const { handlers } = this;
    this.handlers = undefined;
    this.parked.end();
    this.settle(reason);
    handlers?.onClose?.(reason);
    return this.closed;
  }

  /** The peer writes lines. */
  feed(...lines: string[]): void {
    this.feedBytes(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
  }

  feedBytes(bytes: Uint8Array): void {
    this.reader.push(bytes);
  }

  /** The peer ends its output. */
  feedEnd(): void {
    this.reader.end();
    this.endsLater = true;
    this.tellEnd();
  }

  private tellEnd(): void {
    if (!this.endsLater || this.paused) return;
    this.endsLater = false;
    this.handlers?.onEnd?.();
  }

  drain(): void {
    this.full = false;
    this.isFull = false;
    this.handlers?.onDrain?.();
  }

  /** Everything sent since the last call, decoded. */
  take(): Frame[] {
    return this.sent.splice(0).map((line) => JSON.parse(line) as Frame);
  }

  /** Waits until `count` lines are there, then takes them. */
  async takeWhen(count: number): Promise<Frame[]> {
    while (this.sent.length < count) await new Promise<void>((resolve) => this.waiters.push(resolve));
    return this.take();
  }
}

/** A decoded line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into what the wire said
export type Frame = any;
