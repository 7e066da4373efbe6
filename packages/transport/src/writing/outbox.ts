import type { FrameWriter, Lane, SendOptions, SendOutcome, Ticket } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import type { WaterMarks } from '../limits.ts';
import { assertLane, laneOf, oneFrame } from './frame-check.ts';
import { RequestLane, TICKET_STEP } from './request-lane.ts';
import { ReservedQuota } from './reserved-quota.ts';
import { SendWatches } from './send-watches.ts';
import { Settlements } from './settlements.ts';
import type { Sink, SinkOwner } from './sink.ts';
import { giveSlab, SLAB_BYTES, takeSlab } from './slabs.ts';

/** Bytes at which coalesced frames are written without waiting for the end of the batch. */
const COALESCE_BYTES = 64 * 1024;
/**
 * Characters at which gathered frames become bytes. A few dozen answers: their strings die young, and the garbage collector never has to
 * copy the rope of a whole batch (6 % of a million calls).
 */
const ENCODE_CHARS = 4 * 1024;
/** UTF-8 needs at most three bytes per UTF-16 unit. */
const MAX_BYTES_PER_CHAR = 3;
const LF = 0x0a;

/** What an outbox tells its duplex. */
export interface OutboxOwner {
  /** Bytes fell to low water after the outbox had been full. */
  drained(): void;
  /** A chunk was handed to the sink. */
  wrote?(): void;
  /** The outbox is full now. */
  stalled?(): void;
  /** All bytes are written after `end()`. */
  allWritten(): void;
  /** Nothing more can be written; what was queued is dropped. Comes once, on its own turn, never from inside `send`. */
  failed(error: Error): void;
}

const OPEN = 0;
const ENDING = 1;
const ENDED = 2;
/** The peer is gone and the owner is about to learn it: frames are dropped. */
const DEAD = 3;
const RELEASED = 4;
type State = typeof OPEN | typeof ENDING | typeof ENDED | typeof DEAD | typeof RELEASED;

/**
 * Whole frames on their way to a sink, coalesced into few writes, in two lanes: replies first, then requests.
 *
 * A frame costs two string concatenations (ropes, no copy), or writes itself; it becomes bytes together with its neighbours. Requests wait
 * in a lane of their own, and leave it for the sink, so that they can be taken back until then.
 */
export class Outbox implements SinkOwner {
  readonly #owner: OutboxOwner;
  readonly #highWaterBytes: number;
  readonly #lowWaterBytes: number;
  #sink: Sink | undefined;
  #state: State = OPEN;

  /** Frames with their newlines, not encoded yet; shorter than `ENCODE_CHARS` between calls. */
  #pending = '';
  /** The chunk that is being filled: the first `#openBytes` of a slab. */
  #open: Buffer | undefined;
  #openBytes = 0;
  /** The last reply in the open chunk or before it, while there is pending text; else that is the last reply of all. */
  #openReply: Ticket = 0;
  /** Encoded chunks of replies that wait for the sink, from `#head` on, and the last reply in each. */
  #queue: Buffer[] = [];
  #queueReplies: Ticket[] = [];
  #head = 0;
  #queueBytes = 0;
  /** The chunk that the sink keeps. */
  #kept: Buffer | undefined;
  /** The memory of the chunk that is on its way to the sink, to be used again. */
  #chunkSlab: Buffer | undefined;

  #batching = false;
  /** A frame is writing itself into the open chunk, which must stay where it is. */
  #isLent = false;
  #scheduled = false;
  /** The last ticket of a reply; odd. */
  #lastReply: Ticket = -1;
  readonly #requests: RequestLane = new RequestLane();
  /** No fewer bytes than wait there: spares the replies a look. */
  #requestBytes = 0;
  readonly #settlements: Settlements = new Settlements();
  readonly #reserved: ReservedQuota;
  /** Made when the first signal or deadline comes. */
  #watches: SendWatches | undefined;
  /** Who waits for the outbox to be empty. */
  #emptyWaiters: (() => void)[] = [];

  /** Unsent bytes went above high water, and `drained()` has not come since. */
  isFull = false;
  /** Tickets without a frame, or whose frame was withdrawn. */
  #blankTickets = 0;
  bytesOut = 0;
  stalls = 0;
  droppedBytes = 0;

  constructor(owner: OutboxOwner, marks: WaterMarks) {
    this.#owner = owner;
    this.#highWaterBytes = marks.highWaterBytes;
    this.#lowWaterBytes = marks.lowWaterBytes;
    this.#reserved = new ReservedQuota(marks.reservedBytes);
  }

  /** Frames may be sent before there is a sink. */
  attach(sink: Sink): void {
    this.#sink = sink;
    this.flush();
  }

  get queuedBytes(): number {
    return this.#encodedBytes() + Buffer.byteLength(this.#pending) + this.#requests.bytes;
  }

  /** Frames accepted and not withdrawn. */
  get framesOut(): number {
    return (this.#lastReply + 1 + this.#requests.last) / TICKET_STEP - this.#blankTickets;
  }

  /** Everything is written and nothing more is accepted. */
  get ended(): boolean {
    return this.#state === ENDED;
  }

  send(frame: string | Uint8Array | object, options?: SendOptions): Ticket {
    if (this.#state > DEAD || this.#state === ENDING || this.#state === ENDED) throw sendAfterClose();
    if (options !== undefined) return this.#sendAs(frame, options);
    return this.#takesRequests() ? this.#queueRequest(oneFrame(frame)) : 0;
  }

  /** `send` without the search for a newline, which would also flatten the rope that an answer is. */
  sendEncoded(frame: string, lane?: Lane): Ticket {
    if (lane !== undefined && lane !== 'reply') {
      assertLane(lane);
      return this.#queueRequest(frame);
    }
    if (this.#state !== OPEN) return this.#refuse(frame);
    // Should the string become too long for the engine, nothing of the frame is queued.
    const pending = `${this.#pending}${frame}\n`;
    if (this.#pending === '') this.#openReply = this.#lastReply;
    this.#pending = pending;
    const ticket = this.#nextReply();
    if (this.#pending.length >= ENCODE_CHARS && !this.#isLent) this.#encode();
    this.#afterFrame();
    return ticket;
  }

  /** `sendEncoded` for a frame that writes itself. The code of a value may run meanwhile, and send, flush or close. */
  sendWith(writer: FrameWriter, lane?: Lane): Ticket {
    if (this.#state !== OPEN || this.#isLent || lane === 'request')
      return this.sendEncoded(writer.text(), lane);
    if (this.#pending !== '') this.#encode();
    const slab = this.#slab();
    // Taken before those of the frames that are sent meanwhile, which come behind it.
    const ticket = this.#nextReply();
    let end = -1;
    this.#isLent = true;
    try {
      end = writer.writeInto(slab, this.#openBytes);
    } finally {
      this.#isLent = false;
      if (end < 0) this.#notWritten(slab);
    }
    if (end < 0) return this.sendEncoded(writer.text());
    if (end >= SLAB_BYTES || this.#state !== OPEN) {
      this.#blankTickets++;
      return this.sendEncoded(writer.text());
    }
    slab[end] = LF;
    this.#openBytes = end + 1;
    this.#afterFrame();
    return ticket;
  }

  /** False when the reserved quota is used up: the outbox fails with `OVERLOADED`. */
  sendReserved(frame: string): boolean {
    if (this.#state !== OPEN) {
      this.#refuse(frame);
      return false;
    }
    const byteCount = Buffer.byteLength(frame) + 1;
    // What has only gathered is no sign of a peer that does not read.
    if (!this.#hasRoomFor(byteCount)) this.flush();
    if (!this.#hasRoomFor(byteCount)) {
      this.failed(overloaded(this.queuedBytes));
      this.#sink?.release();
      return false;
    }
    const isAbove = this.queuedBytes + byteCount > this.#highWaterBytes;
    const ticket = this.sendEncoded(frame);
    if (isAbove) this.#reserved.add(ticket, byteCount);
    return true;
  }

  /** Takes back a request of which the sink has nothing; also told truly after the end. */
  withdraw(ticket: Ticket): boolean {
    if (this.#state >= DEAD) return this.#settlements.wasLeftBehind(ticket, this.#requests.last);
    if (!this.#requests.withdraw(ticket)) return false;
    this.#requestBytes = this.#requests.mostBytes;
    this.#blankTickets++;
    this.#watches?.remove(ticket);
    this.#settlements.drop(ticket);
    // Who waits for fewer bytes learns it on the next turn, not from inside this call.
    this.#schedule();
    return true;
  }

  settled(ticket: Ticket): Promise<SendOutcome> {
    return this.#settlements.ask(ticket, this.#lastReply, this.#requests.last);
  }

  /** From here to `endBatch` frames only gather: a read batch is being delivered. */
  beginBatch(): void {
    this.#batching = true;
  }

  /** @param isHeld - the rest of the read waits, and may go on in this turn: what has gathered waits for its frames, but not beyond the turn. */
  endBatch(isHeld: boolean): void {
    this.#batching = false;
    if (this.#pending === '' && this.#openBytes === 0 && this.#requestBytes === 0) return;
    if (isHeld) this.#schedule();
    else this.flush();
  }

  /** Writes what has gathered, unless the sink is busy: then it goes with the next write, and more may join it. */
  flush(): void {
    if (this.#isLent) this.#schedule();
    else if (this.#sink !== undefined && this.#kept === undefined) this.#pump(this.#sink);
    this.#tellIfEmpty();
  }

  /** Settles when the system has taken everything, or the outbox is dead. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#emptyWaiters.push(resolve);
      this.flush();
    });
  }

  /** No more frames; `allWritten()` comes when all is written. */
  end(): void {
    if (this.#state !== OPEN) return;
    this.#state = ENDING;
    this.flush();
    this.#finishIfEmpty();
  }

  /** The peer is gone, and its owner knows: drops everything, and what is sent until `release()`. */
  abandon(): void {
    this.#die();
    this.#sink?.release();
  }

  /** Drops everything without a word to the owner. Idempotent. */
  release(): void {
    this.#drop('dropped');
    this.#state = RELEASED;
    this.#sink?.release();
  }

  /** Everything the system does not have yet, in order; for the last, synchronous flush of the process. The outbox is dead after it. */
  takeUnsent(): Uint8Array[] {
    const chunks: Uint8Array[] = [];
    if (this.#kept !== undefined && this.#sink !== undefined) chunks.push(this.#sink.unsent(this.#kept));
    if (this.#pending !== '') this.#encode();
    this.#close();
    chunks.push(...this.#queue.slice(this.#head));
    for (let chunk = this.#requests.take(); chunk !== undefined; chunk = this.#requests.take())
      chunks.push(chunk);
    this.#forget('dropped');
    this.#state = RELEASED;
    return chunks;
  }

  written(): void {
    if (this.#kept === undefined || this.#sink === undefined) return;
    this.#kept = undefined;
    this.#settlements.taken();
    this.#pump(this.#sink);
    this.#drainIfLow();
    this.#finishIfEmpty();
    this.#tellIfEmpty();
  }

  failed(error: Error): void {
    if (this.#state !== OPEN && this.#state !== ENDING) return;
    this.#die();
    process.nextTick(() => this.#owner.failed(error));
  }

  #nextReply(): Ticket {
    this.#lastReply += TICKET_STEP;
    return this.#lastReply;
  }

  /** With its options: the rarer way. */
  #sendAs(frame: string | Uint8Array | object, options: SendOptions): Ticket {
    const { signal, timeoutMs } = options;
    if (laneOf(options) === 'reply') {
      const line = oneFrame(frame);
      return typeof line === 'string' ? this.sendEncoded(line) : this.#queueReplyBytes(line);
    }
    if (signal?.aborted) {
      const ticket = this.#requests.skip();
      this.#blankTickets++;
      this.#settlements.drop(ticket);
      return ticket;
    }
    if (!this.#takesRequests()) return 0;
    const ticket = this.#queueRequest(oneFrame(frame));
    // It may have left at once, or had no place any more.
    if ((signal === undefined && timeoutMs === undefined) || ticket <= this.#requests.passed) return ticket;
    this.#watches ??= new SendWatches((watched) => this.withdraw(watched));
    this.#watches.add(ticket, signal, timeoutMs);
    return ticket;
  }

  #queueRequest(frame: string | Uint8Array): Ticket {
    if (this.#state !== OPEN) return this.#refuse(frame, true);
    if (this.isFull) return 0;
    const requests = this.#requests;
    const ticket = typeof frame === 'string' ? requests.pushText(frame) : requests.pushBytes(frame);
    this.#requestBytes = requests.mostBytes;
    if (requests.leastBytes >= COALESCE_BYTES && !this.#isLent) this.#writeOrClose();
    this.#afterFrame();
    return ticket;
  }

  /** Asked before a frame is looked at. A dead outbox takes all, and drops it. */
  #takesRequests(): boolean {
    return !this.isFull || this.#state !== OPEN;
  }

  #queueReplyBytes(frame: Uint8Array): Ticket {
    if (this.#state !== OPEN) return this.#refuse(frame);
    // Behind a frame that is writing itself, the memory is not free: the way over a string is slow and never taken in practice.
    if (this.#isLent) return this.sendEncoded(Buffer.from(frame).toString());
    if (this.#pending !== '') this.#encode();
    if (this.#openBytes + frame.length >= SLAB_BYTES) this.#close();
    const ticket = this.#nextReply();
    if (frame.length >= SLAB_BYTES) this.#enqueue(lineOf(frame), ticket);
    else {
      const slab = this.#slab();
      slab.set(frame, this.#openBytes);
      slab[this.#openBytes + frame.length] = LF;
      this.#openBytes += frame.length + 1;
    }
    this.#afterFrame();
    return ticket;
  }

  /** What becomes of a frame after the end: an error, or (its owner does not know yet that the peer is gone) dropped and counted. */
  #refuse(frame: string | Uint8Array, asRequest = false): Ticket {
    if (this.#state !== DEAD) throw sendAfterClose();
    this.droppedBytes += (typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length) + 1;
    this.#blankTickets++;
    return asRequest ? this.#requests.skip() : this.#nextReply();
  }

  #afterFrame(): void {
    if (this.#isLent) this.#schedule();
    else if (this.#openBytes >= COALESCE_BYTES || this.#queueBytes >= COALESCE_BYTES) this.#writeOrClose();
    else if (!this.#batching) this.#schedule();
    this.#lookAtMark();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#scheduled = false;
    this.flush();
    this.#drainIfLow();
    this.#finishIfEmpty();
  };

  #drainIfLow(): void {
    if (!this.isFull || this.queuedBytes > this.#lowWaterBytes) return;
    this.isFull = false;
    if (this.#state === OPEN) this.#owner.drained();
  }

  /** Turns what has gathered into bytes behind those of the open chunk. */
  #encode(): void {
    const text = this.#pending;
    const worstBytes = text.length * MAX_BYTES_PER_CHAR;
    if (this.#openBytes + worstBytes > SLAB_BYTES) this.#close();
    this.#pending = '';
    if (worstBytes > SLAB_BYTES) this.#enqueue(Buffer.from(text), this.#lastReply);
    else this.#openBytes += this.#slab().write(text, this.#openBytes, 'utf8');
  }

  /** The open chunk's memory. */
  #slab(): Buffer {
    this.#open ??= takeSlab();
    return this.#open;
  }

  /** A frame did not write itself. An outbox that holds no bytes holds no memory for them either. */
  #notWritten(slab: Buffer): void {
    this.#blankTickets++;
    if (this.#open !== slab || this.#openBytes > 0) return;
    this.#open = undefined;
    giveSlab(slab);
  }

  /** Enough has gathered for a write. While the sink is busy it waits, in chunks of at least that size. */
  #writeOrClose(): void {
    if (this.#sink !== undefined && this.#kept === undefined) this.#pump(this.#sink);
    else {
      if (this.#openBytes >= COALESCE_BYTES) this.#close();
      this.#requests.closeIfWorth(COALESCE_BYTES);
    }
  }

  /** Moves the open chunk to the queue: a copy of its size, so that what waits for a slow peer holds no more memory than bytes. */
  #close(): void {
    if (this.#open === undefined || this.#openBytes === 0) return;
    this.#enqueue(Buffer.from(this.#open.subarray(0, this.#openBytes)), this.#lastInOpen());
    this.#openBytes = 0;
  }

  #lastInOpen(): Ticket {
    return this.#pending === '' ? this.#lastReply : this.#openReply;
  }

  #enqueue(chunk: Buffer, lastReply: Ticket): void {
    this.#queue.push(chunk);
    this.#queueReplies.push(lastReply);
    this.#queueBytes += chunk.length;
  }

  #pump(sink: Sink): void {
    while (this.#kept === undefined && this.#state < DEAD) {
      const chunk = this.#next();
      if (chunk === undefined) return;
      const slab = this.#chunkSlab;
      this.#chunkSlab = undefined;
      this.#kept = chunk;
      this.bytesOut += chunk.length;
      this.#owner.wrote?.();
      if (!sink.write(chunk)) return;
      this.#kept = undefined;
      this.#settlements.taken();
      // The sink is done with it. What a sink keeps goes with the slab that holds it.
      if (slab !== undefined) giveSlab(slab);
    }
  }

  #next(): Buffer | undefined {
    if (this.#head === this.#queue.length && this.#pending !== '') this.#encode();
    if (this.#head < this.#queue.length) return this.#nextOfQueue();
    return this.#openBytes > 0 ? this.#nextOfOpen() : this.#nextOfRequests();
  }

  /** The open chunk, and the requests in the same write, if there is place for them. */
  #nextOfOpen(): Buffer {
    const slab = this.#slab();
    let end = this.#openBytes;
    if (this.#requestBytes > 0 && end < COALESCE_BYTES) {
      end = this.#requests.takeInto(slab, end);
      this.#requestBytes = this.#requests.mostBytes;
      this.#watches?.removeTo(this.#requests.passed);
    }
    this.#settlements.handed(this.#lastReply, this.#requests.passed);
    this.#chunkSlab = slab;
    this.#open = undefined;
    this.#openBytes = 0;
    return slab.subarray(0, end);
  }

  #nextOfRequests(): Buffer | undefined {
    if (this.#requestBytes === 0) return undefined;
    const chunk = this.#requests.take();
    this.#requestBytes = this.#requests.mostBytes;
    if (chunk === undefined) return undefined;
    this.#chunkSlab = this.#requests.takenSlab;
    this.#watches?.removeTo(this.#requests.passed);
    this.#settlements.handed(this.#lastReply, this.#requests.passed);
    return chunk;
  }

  #nextOfQueue(): Buffer {
    const chunk = this.#queue[this.#head] as Buffer;
    this.#settlements.handedReplies(this.#queueReplies[this.#head] as Ticket);
    this.#head++;
    this.#queueBytes -= chunk.length;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#queueReplies = [];
      this.#head = 0;
    }
    return chunk;
  }

  /** Bytes that are encoded and not taken. */
  #encodedBytes(): number {
    return this.#queueBytes + this.#openBytes + (this.#kept === undefined ? 0 : this.#kept.length);
  }

  /** Cheap while even the worst case fits; near the mark the few frames that are no bytes yet are counted exactly. */
  #lookAtMark(): void {
    const worst = this.#encodedBytes() + this.#pending.length * MAX_BYTES_PER_CHAR + this.#requestBytes;
    if (worst <= this.#highWaterBytes || this.isFull || this.queuedBytes <= this.#highWaterBytes) return;
    this.isFull = true;
    this.stalls++;
    this.#owner.stalled?.();
    // When the sink takes everything at once there is no `written()`; then the next turn is what tells the caller to go on.
    this.#schedule();
  }

  #hasRoomFor(byteCount: number): boolean {
    return (
      this.queuedBytes + byteCount <= this.#highWaterBytes ||
      this.#reserved.hasRoom(byteCount, this.#settlements.replyWritten)
    );
  }

  #finishIfEmpty(): void {
    if (this.#state !== ENDING || this.#sink === undefined || this.queuedBytes > 0) return;
    this.#state = ENDED;
    this.#sink.end();
    this.#owner.allWritten();
  }

  #die(): void {
    this.#drop('peer-closed');
    this.#state = this.#state === OPEN ? DEAD : RELEASED;
  }

  #drop(outcome: 'dropped' | 'peer-closed'): void {
    this.droppedBytes += this.queuedBytes;
    this.#forget(outcome);
  }

  #tellIfEmpty(): void {
    if (this.#emptyWaiters.length === 0 || this.queuedBytes > 0) return;
    for (const resolve of this.#emptyWaiters.splice(0)) resolve();
  }

  #forget(outcome: 'dropped' | 'peer-closed'): void {
    this.#pending = '';
    this.#open = undefined;
    this.#openBytes = 0;
    this.#queue = [];
    this.#queueReplies = [];
    this.#head = 0;
    this.#queueBytes = 0;
    this.#kept = undefined;
    this.#requests.clear();
    this.#requestBytes = 0;
    this.#watches?.removeTo(Number.POSITIVE_INFINITY);
    this.#settlements.end(outcome);
    this.#tellIfEmpty();
  }
}

function sendAfterClose(): TransportError {
  return new TransportError('SEND_AFTER_CLOSE', 'a frame was sent after close() or end()');
}

function overloaded(queuedBytes: number): TransportError {
  return new TransportError(
    'OVERLOADED',
    `the peer goes on asking and does not read: ${queuedBytes} bytes are unsent, and reservedBytes is used up`,
    { actual: queuedBytes },
  );
}

/** A copy with its newline. */
function lineOf(frame: Uint8Array): Buffer {
  const line = Buffer.allocUnsafe(frame.length + 1);
  line.set(frame);
  line[frame.length] = LF;
  return line;
}
