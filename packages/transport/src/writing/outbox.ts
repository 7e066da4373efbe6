import type { FrameWriter } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import type { WaterMarks } from '../limits.ts';
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
  /** Bytes fell to low water after `send` had returned false. */
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
 * Whole frames on their way to a sink, coalesced into few writes.
 *
 * A frame costs two string concatenations (ropes, no copy), and a newline search unless it is known to be encoded; it becomes bytes together
 * with its neighbours.
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
  /** Encoded chunks that wait for the sink, from `#head` on. */
  #queue: Buffer[] = [];
  #head = 0;
  #queueBytes = 0;
  /** The chunk that the sink keeps. */
  #kept: Buffer | undefined;

  #batching = false;
  /** A frame is writing itself into the open chunk, which must stay where it is. */
  #isLent = false;
  #scheduled = false;
  #stalled = false;
  /** Who waits for the outbox to be empty. */
  #emptyWaiters: (() => void)[] = [];

  framesOut = 0;
  bytesOut = 0;
  stalls = 0;
  droppedBytes = 0;

  constructor(owner: OutboxOwner, marks: WaterMarks) {
    this.#owner = owner;
    this.#highWaterBytes = marks.highWaterBytes;
    this.#lowWaterBytes = marks.lowWaterBytes;
  }

  /** Frames may be sent before there is a sink. */
  attach(sink: Sink): void {
    this.#sink = sink;
    this.flush();
  }

  get queuedBytes(): number {
    return this.#encodedBytes() + Buffer.byteLength(this.#pending);
  }

  /** Everything is written and nothing more is accepted. */
  get ended(): boolean {
    return this.#state === ENDED;
  }

  send(frame: string): boolean {
    if (this.#state === OPEN && frame.includes('\n')) throw notOneFrame(frame);
    return this.sendEncoded(frame);
  }

  /** `send` without the search for a newline, which would also flatten the rope that an answer is. */
  sendEncoded(frame: string): boolean {
    if (this.#state !== OPEN) return this.#refuse(frame);
    // One assignment: should the string become too long for the engine, nothing of the frame is queued.
    this.#pending = `${this.#pending}${frame}\n`;
    if (this.#pending.length >= ENCODE_CHARS && !this.#isLent) this.#encode();
    return this.#afterFrame();
  }

  /** `sendEncoded` for a frame that writes itself. The code of a value may run meanwhile, and send, flush or close. */
  sendWith(writer: FrameWriter): boolean {
    if (this.#state !== OPEN || this.#isLent) return this.sendEncoded(writer.text());
    if (this.#pending !== '') this.#encode();
    const slab = this.#slab();
    let end: number;
    this.#isLent = true;
    try {
      end = writer.writeInto(slab, this.#openBytes);
    } finally {
      this.#isLent = false;
    }
    const fits = end >= 0 && end < SLAB_BYTES;
    if (!fits || this.#state !== OPEN) return this.sendEncoded(writer.text());
    slab[end] = LF;
    this.#openBytes = end + 1;
    return this.#afterFrame();
  }

  #afterFrame(): boolean {
    this.framesOut++;
    if (this.#isLent) this.#schedule();
    else if (this.#openBytes >= COALESCE_BYTES || this.#queueBytes >= COALESCE_BYTES) this.#writeOrClose();
    else if (!this.#batching) this.#schedule();
    return this.#belowHighWater();
  }

  /** From here to `endBatch` frames only gather: a read batch is being delivered. */
  beginBatch(): void {
    this.#batching = true;
  }

  endBatch(): void {
    this.#batching = false;
    if (this.#pending !== '' || this.#openBytes > 0) this.flush();
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
    this.#drop();
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
    this.#forget();
    this.#state = RELEASED;
    return chunks;
  }

  written(): void {
    if (this.#kept === undefined || this.#sink === undefined) return;
    this.#kept = undefined;
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

  #refuse(frame: string): boolean {
    if (this.#state !== DEAD) throw sendAfterClose();
    this.droppedBytes += Buffer.byteLength(frame) + 1;
    return false;
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
  };

  #drainIfLow(): void {
    if (!this.#stalled || this.queuedBytes > this.#lowWaterBytes) return;
    this.#stalled = false;
    if (this.#state === OPEN) this.#owner.drained();
  }

  /** Turns what has gathered into bytes behind those of the open chunk. */
  #encode(): void {
    const text = this.#pending;
    this.#pending = '';
    const worstBytes = text.length * MAX_BYTES_PER_CHAR;
    if (this.#openBytes + worstBytes > SLAB_BYTES) this.#close();
    if (worstBytes > SLAB_BYTES) {
      this.#enqueue(Buffer.from(text));
      return;
    }
    this.#openBytes += this.#slab().write(text, this.#openBytes, 'utf8');
  }

  /** The open chunk's memory. */
  #slab(): Buffer {
    if (this.#open === undefined) {
      this.#open = freeSlab ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
      freeSlab = undefined;
    }
    return this.#open;
  }

  /** Enough has gathered for a write. While the sink is busy it waits, in chunks of at least that size. */
  #writeOrClose(): void {
    if (this.#sink !== undefined && this.#kept === undefined) this.#pump(this.#sink);
    else if (this.#openBytes >= COALESCE_BYTES) this.#close();
  }

  /** Moves the open chunk to the queue: a copy of its size, so that what waits for a slow peer holds no more memory than bytes. */
  #close(): void {
    if (this.#open === undefined || this.#openBytes === 0) return;
    this.#enqueue(Buffer.from(this.#open.subarray(0, this.#openBytes)));
    this.#openBytes = 0;
  }

  #enqueue(chunk: Buffer): void {
    this.#queue.push(chunk);
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
      // The sink is done with it. What a sink keeps goes with the slab that holds it.
      if (slab !== undefined) freeSlab = slab;
    }
  }

  #next(): Buffer | undefined {
    if (this.#head === this.#queue.length && this.#pending !== '') this.#encode();
    if (this.#head < this.#queue.length) {
      const chunk = this.#queue[this.#head++] as Buffer;
      this.#queueBytes -= chunk.length;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      }
      return chunk;
    }
    return this.#openBytes === 0 ? undefined : this.#open?.subarray(0, this.#openBytes);
  }

  /** Bytes that are encoded and not taken. */
  #encodedBytes(): number {
    return this.#queueBytes + this.#openBytes + (this.#kept === undefined ? 0 : this.#kept.length);
  }

  /** Cheap while even the worst case fits; near the mark the few frames that are no bytes yet are counted exactly. */
  #belowHighWater(): boolean {
    if (this.#encodedBytes() + this.#pending.length * MAX_BYTES_PER_CHAR <= this.#highWaterBytes) return true;
    if (this.queuedBytes <= this.#highWaterBytes) return true;
    if (!this.#stalled) {
      this.#stalled = true;
      this.stalls++;
      // When the sink takes everything at once there is no `written()`; then the next turn is what tells the caller to go on.
      this.#schedule();
    }
    return false;
  }

  #finishIfEmpty(): void {
    if (this.#state !== ENDING || this.#sink === undefined || this.queuedBytes > 0) return;
    this.#state = ENDED;
    this.#sink.end();
    this.#owner.allWritten();
  }

  #die(): void {
    this.#drop();
    this.#state = this.#state === OPEN ? DEAD : RELEASED;
  }

  #drop(): void {
    this.droppedBytes += this.queuedBytes;
    this.#forget();
  }

  #tellIfEmpty(): void {
    if (this.#emptyWaiters.length === 0 || this.queuedBytes > 0) return;
    for (const resolve of this.#emptyWaiters.splice(0)) resolve();
  }

  #forget(): void {
    this.#pending = '';
    this.#open = undefined;
    this.#openBytes = 0;
    this.#queue = [];
    this.#head = 0;
    this.#queueBytes = 0;
    this.#kept = undefined;
    this.#tellIfEmpty();
  }
}

function sendAfterClose(): TransportError {
  return new TransportError('SEND_AFTER_CLOSE', 'a frame was sent after close() or end()');
}

function notOneFrame(frame: string): TransportError {
  const at = frame.indexOf('\n');
  return new TransportError(
    'SEND_NOT_ONE_FRAME',
    `a frame must not hold a newline; there is one at character ${at} of ${frame.length}`,
    {
      actual: at,
    },
  );
}
