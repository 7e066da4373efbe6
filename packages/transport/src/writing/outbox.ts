import type { FrameWriter, Lane, SendOptions, SendOutcome, Ticket } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import type { WaterMarks } from '../limits.ts';
import { assertLane, laneOf, oneFrame } from './frame-check.ts';
import { RequestLane, TICKET_STEP, type WaitingFrame } from './request-lane.ts';
import { ReservedQuota } from './reserved-quota.ts';
import { SendWatches } from './send-watches.ts';
import { Settlements } from './settlements.ts';
import type { Sink, SinkOwner } from './sink.ts';

/** Bytes at which coalesced frames are written without waiting for the end of the batch. */
const COALESCE_BYTES = 64 * 1024;
/**
 * Characters at which gathered frames become bytes. A few dozen answers: their strings die young, and the garbage collector never has to
 * copy the rope of a whole batch (6 % of a million calls).
 */
const ENCODE_CHARS = 4 * 1024;
/** UTF-8 needs at most three bytes per UTF-16 unit. */
const MAX_BYTES_PER_CHAR = 3;
const SLAB_BYTES = 256 * 1024;
const LF = 0x0a;

/** Encoding memory that no outbox of this thread is using. */
let freeSlab: Buffer | undefined;

/** What an outbox tells its duplex. */
export interface OutboxOwner {
  /** Bytes fell to low water after the outbox had been full. */
  drained(): void;
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
 * A reply costs two string concatenations (ropes, no copy), or writes itself; it becomes bytes together with its neighbours. A request waits
 * as it came, so that it can be taken back, and becomes bytes when the sink is free: a chunk goes to the sink as soon as it is made of them.
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
  /** The last reply in the open chunk or before it. */
  #openReply: Ticket = 0;
  /** Encoded chunks of replies that wait for the sink, from `#head` on, and the last reply in each. */
  #queue: Buffer[] = [];
  #queueReplies: Ticket[] = [];
  #head = 0;
  #queueBytes = 0;
  /** The chunk that the sink keeps. */
  #kept: Buffer | undefined;

  #batching = false;
  /** A frame is writing itself into the open chunk, which must stay where it is. */
  #isLent = false;
  #scheduled = false;
  /** The last ticket of a reply; odd. */
  #lastReply: Ticket = -1;
  readonly #requests: RequestLane = new RequestLane();
  readonly #settlements: Settlements = new Settlements();
  readonly #reserved: ReservedQuota;
  /** Made when the first signal or deadline comes. */
  #watches: SendWatches | undefined;
  /** Who waits for the outbox to be empty. */
  #emptyWaiters: (() => void)[] = [];

  /** Unsent bytes went above high water, and `drained()` has not come since. */
  isFull = false;
  framesOut = 0;
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
    // One assignment: should the string become too long for the engine, nothing of the frame is queued.
    this.#pending = `${this.#pending}${frame}\n`;
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
      if (end < 0) this.#giveBack(slab);
    }
    const fits = end >= 0 && end < SLAB_BYTES;
    if (!fits || this.#state !== OPEN) return this.sendEncoded(writer.text());
    slab[end] = LF;
    this.#openBytes = end + 1;
    this.#openReply = ticket;
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
    if (this.#state >= DEAD) return this.#settlements.withdrawAfterEnd(ticket, this.#requests.last);
    if (!this.#requests.withdraw(ticket)) return false;
    this.framesOut--;
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

  endBatch(): void {
    this.#batching = false;
    if (this.#pending !== '' || this.#openBytes > 0 || this.#requests.size > 0) this.flush();
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
    while (this.#requests.size > 0) {
      const big = this.#moveRequests();
      this.#close();
      if (big !== undefined) this.#enqueue(big, this.#openReply);
    }
    chunks.push(...this.#queue.slice(this.#head));
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
    const isShort = typeof frame === 'string' && frame.length < COALESCE_BYTES;
    const ticket = this.#requests.push(isShort ? frame : lineOf(frame));
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
    const ticket = this.#nextReply();
    if (this.#openBytes + frame.length >= SLAB_BYTES) this.#close();
    if (frame.length >= SLAB_BYTES) this.#enqueue(lineOf(frame), ticket);
    else {
      const slab = this.#slab();
      slab.set(frame, this.#openBytes);
      slab[this.#openBytes + frame.length] = LF;
      this.#openBytes += frame.length + 1;
    }
    this.#openReply = ticket;
    this.#afterFrame();
    return ticket;
  }

  /** What becomes of a frame after the end: an error, or (its owner does not know yet that the peer is gone) dropped and counted. */
  #refuse(frame: string | Uint8Array, asRequest = false): Ticket {
    if (this.#state !== DEAD) throw sendAfterClose();
    this.droppedBytes += byteLengthOf(frame) + 1;
    return asRequest ? this.#requests.skip() : this.#nextReply();
  }

  #afterFrame(): void {
    this.framesOut++;
    if (this.#isLent) this.#schedule();
    else if (
      this.#openBytes >= COALESCE_BYTES ||
      this.#queueBytes >= COALESCE_BYTES ||
      this.#requests.units >= COALESCE_BYTES
    )
      this.#writeOrClose();
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
    this.#pending = '';
    const worstBytes = text.length * MAX_BYTES_PER_CHAR;
    if (this.#openBytes + worstBytes > SLAB_BYTES) this.#close();
    this.#openReply = this.#lastReply;
    if (worstBytes > SLAB_BYTES) this.#enqueue(Buffer.from(text), this.#lastReply);
    else this.#write(text);
  }

  /** Turns waiting requests into bytes behind those of the open chunk until that is worth a write. @returns one that has no place in it. */
  #moveRequests(): Buffer | undefined {
    const requests = this.#requests;
    const start = this.#openBytes;
    let text = '';
    let big: Buffer | undefined;
    requests.beginPassing();
    for (let frame = requests.front(); frame !== undefined; frame = requests.front()) {
      if (text.length + frame.length >= ENCODE_CHARS) {
        this.#write(text);
        text = '';
      }
      if (!this.#hasPlace(frame)) {
        if (typeof frame !== 'string' && this.#openBytes === 0 && text === '') big = frame;
        if (big !== undefined) requests.pass(big);
        break;
      }
      requests.pass(frame);
      if (typeof frame === 'string') text = `${text}${frame}\n`;
      else {
        this.#write(text);
        text = '';
        this.#slab().set(frame, this.#openBytes);
        this.#openBytes += frame.length;
      }
      if (this.#openBytes + text.length >= COALESCE_BYTES) break;
    }
    this.#write(text);
    requests.endPassing(this.#openBytes - start + (big?.length ?? 0));
    this.#watches?.removeTo(requests.passed);
    return big;
  }

  /** Even at its longest the request goes into the open chunk, behind what has gathered for it. */
  #hasPlace(frame: WaitingFrame): boolean {
    const longest = typeof frame === 'string' ? (frame.length + 1) * MAX_BYTES_PER_CHAR : frame.length;
    return this.#openBytes + ENCODE_CHARS * MAX_BYTES_PER_CHAR + longest <= SLAB_BYTES;
  }

  #write(text: string): void {
    if (text !== '') this.#openBytes += this.#slab().write(text, this.#openBytes, 'utf8');
  }

  /** The open chunk's memory. */
  #slab(): Buffer {
    if (this.#open === undefined) {
      this.#open = freeSlab ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
      freeSlab = undefined;
    }
    return this.#open;
  }

  /** Nothing came into it. An outbox that holds no bytes holds no memory for them either. */
  #giveBack(slab: Buffer): void {
    if (this.#open !== slab || this.#openBytes > 0) return;
    this.#open = undefined;
    freeSlab = slab;
  }

  /** Enough has gathered for a write. While the sink is busy it waits, in chunks of at least that size. */
  #writeOrClose(): void {
    if (this.#sink !== undefined && this.#kept === undefined) this.#pump(this.#sink);
    else if (this.#openBytes >= COALESCE_BYTES) this.#close();
  }

  /** Moves the open chunk to the queue: a copy of its size, so that what waits for a slow peer holds no more memory than bytes. */
  #close(): void {
    if (this.#open === undefined || this.#openBytes === 0) return;
    this.#enqueue(Buffer.from(this.#open.subarray(0, this.#openBytes)), this.#openReply);
    this.#openBytes = 0;
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
      const slab = chunk.buffer === this.#open?.buffer ? this.#open : undefined;
      if (slab !== undefined) {
        this.#open = undefined;
        this.#openBytes = 0;
      }
      this.#kept = chunk;
      this.bytesOut += chunk.length;
      if (!sink.write(chunk)) return;
      this.#kept = undefined;
      this.#settlements.taken();
      // The sink is done with it. What a sink keeps goes with the slab that holds it.
      if (slab !== undefined) freeSlab = slab;
    }
  }

  #next(): Buffer | undefined {
    if (this.#head === this.#queue.length && this.#pending !== '') this.#encode();
    if (this.#head < this.#queue.length) return this.#nextOfQueue();
    let big: Buffer | undefined;
    if (this.#requests.size > 0 && this.#openBytes < COALESCE_BYTES) big = this.#moveRequests();
    const chunk = big ?? (this.#openBytes === 0 ? undefined : this.#open?.subarray(0, this.#openBytes));
    if (chunk !== undefined) this.#settlements.handed(this.#openReply, this.#requests.passed);
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
    if (this.isFull) return;
    const worst = this.#encodedBytes() + (this.#pending.length + this.#requests.units) * MAX_BYTES_PER_CHAR;
    if (worst <= this.#highWaterBytes || this.queuedBytes <= this.#highWaterBytes) return;
    this.isFull = true;
    this.stalls++;
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

function byteLengthOf(frame: string | Uint8Array): number {
  return typeof frame === 'string' ? Buffer.byteLength(frame) : frame.length;
}

/** A copy with its newline. */
function lineOf(frame: string | Uint8Array): Buffer {
  if (typeof frame === 'string') return Buffer.from(`${frame}\n`);
  const line = Buffer.allocUnsafe(frame.length + 1);
  line.set(frame);
  line[frame.length] = LF;
  return line;
}
