import { TransportError } from '../errors.ts';
import type { WaterMarks } from '../limits.ts';
import type { Sink, SinkOwner } from './sink.ts';

/** Characters at which coalesced frames are written without waiting for the end of the batch. */
const COALESCE_CHARS = 64 * 1024;
/** UTF-8 needs at most three bytes per UTF-16 unit. */
const MAX_BYTES_PER_CHAR = 3;
const SLAB_BYTES = 256 * 1024;

const encoder = new TextEncoder();
/** Encoding memory of the whole thread. It is free again when a sink took a chunk at once, and given away with the chunk when it did not. */
let slab: Buffer | undefined;

/** What an outbox tells its duplex. */
export interface OutboxOwner {
  /** Bytes fell to low water after `send` had returned false. */
  drained(): void;
  /** All bytes are written after `end()`. */
  flushed(): void;
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
 * A frame costs two string concatenations (ropes, no copy) and a newline search; it becomes bytes together with its neighbours.
 */
export class Outbox implements SinkOwner {
  readonly #owner: OutboxOwner;
  readonly #highWaterBytes: number;
  readonly #lowWaterBytes: number;
  #sink: Sink | undefined;
  #state: State = OPEN;

  /** Frames with their newlines, not encoded yet. */
  #pending = '';
  /** `#pending` up to `#countedChars` has `#countedBytes` bytes; kept only near high water, where the exact number decides. */
  #countedChars = 0;
  #countedBytes = 0;
  /** Encoded chunks that wait for the sink, from `#head` on. */
  #queue: Buffer[] = [];
  #head = 0;
  #queueBytes = 0;
  /** The chunk that the sink keeps. */
  #kept: Buffer | undefined;

  #batching = false;
  #scheduled = false;
  #stalled = false;

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
    return this.#queueBytes + (this.#kept === undefined ? 0 : this.#kept.length) + this.#pendingBytes();
  }

  /** Everything is written and nothing more is accepted. */
  get ended(): boolean {
    return this.#state === ENDED;
  }

  send(frame: string): boolean {
    if (this.#state !== OPEN) return this.#refuse(frame);
    if (frame.includes('\n')) throw notOneFrame(frame);
    if (frame.length >= COALESCE_CHARS && this.#pending !== '') this.#seal();
    // One assignment: should the string become too long for the engine, nothing of the frame is queued.
    this.#pending = `${this.#pending}${frame}\n`;
    this.framesOut++;
    if (this.#pending.length >= COALESCE_CHARS) this.#seal();
    else if (!this.#batching && !this.#scheduled) this.#schedule();
    return this.#belowHighWater(frame);
  }

  /** From here to `endBatch` frames only gather: a read batch is being delivered. */
  beginBatch(): void {
    this.#batching = true;
  }

  endBatch(): void {
    this.#batching = false;
    if (this.#pending !== '') this.flush();
  }

  /** Writes what has gathered, unless the sink is busy: then it goes with the next write, and more may join it. */
  flush(): void {
    if (this.#sink !== undefined && this.#kept === undefined) this.#pump(this.#sink);
  }

  /** No more frames; `flushed()` comes when all is written. */
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
    chunks.push(...this.#queue.slice(this.#head));
    if (this.#pending !== '') chunks.push(Buffer.from(this.#pending));
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

  /** Encodes what has gathered. A busy sink finds it in the queue. */
  #seal(): void {
    if (this.#sink !== undefined && this.#kept === undefined) {
      this.#pump(this.#sink);
      return;
    }
    const chunk = Buffer.from(this.#pending);
    this.#clearPending();
    this.#queue.push(chunk);
    this.#queueBytes += chunk.length;
  }

  #pump(sink: Sink): void {
    while (this.#kept === undefined && this.#state < DEAD) {
      const chunk = this.#next();
      if (chunk === undefined) return;
      this.#kept = chunk;
      this.bytesOut += chunk.length;
      const taken = sink.write(chunk);
      if (taken) this.#kept = undefined;
      else if (slab !== undefined && chunk.buffer === slab.buffer) slab = undefined;
    }
  }

  #next(): Buffer | undefined {
    if (this.#head < this.#queue.length) {
      const chunk = this.#queue[this.#head++] as Buffer;
      this.#queueBytes -= chunk.length;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      }
      return chunk;
    }
    if (this.#pending === '') return undefined;
    const text = this.#pending;
    this.#clearPending();
    if (text.length * MAX_BYTES_PER_CHAR > SLAB_BYTES) return Buffer.from(text);
    slab ??= Buffer.allocUnsafeSlow(SLAB_BYTES);
    return slab.subarray(0, encoder.encodeInto(text, slab).written);
  }

  /** Cheap while even the worst case fits; near the mark each frame is counted once, as it comes. */
  #belowHighWater(frame: string): boolean {
    const kept = this.#kept === undefined ? 0 : this.#kept.length;
    const encoded = this.#queueBytes + kept;
    if (encoded + this.#pending.length * MAX_BYTES_PER_CHAR <= this.#highWaterBytes) return true;
    if (this.#countedChars > 0 && this.#countedChars + frame.length + 1 === this.#pending.length) {
      this.#countedChars = this.#pending.length;
      this.#countedBytes += Buffer.byteLength(frame) + 1;
    }
    if (encoded + this.#pendingBytes() <= this.#highWaterBytes) return true;
    if (!this.#stalled) {
      this.#stalled = true;
      this.stalls++;
      // When the sink takes everything at once there is no `written()`; then the next turn is what tells the caller to go on.
      if (!this.#scheduled) this.#schedule();
    }
    return false;
  }

  #pendingBytes(): number {
    if (this.#countedChars !== this.#pending.length) {
      this.#countedChars = this.#pending.length;
      this.#countedBytes = Buffer.byteLength(this.#pending);
    }
    return this.#countedBytes;
  }

  #clearPending(): void {
    this.#pending = '';
    this.#countedChars = 0;
    this.#countedBytes = 0;
  }

  #finishIfEmpty(): void {
    if (this.#state !== ENDING || this.#sink === undefined || this.queuedBytes > 0) return;
    this.#state = ENDED;
    this.#sink.end();
    this.#owner.flushed();
  }

  #die(): void {
    this.#drop();
    this.#state = this.#state === OPEN ? DEAD : RELEASED;
  }

  #drop(): void {
    this.droppedBytes += this.queuedBytes;
    this.#forget();
  }

  #forget(): void {
    this.#clearPending();
    this.#queue = [];
    this.#head = 0;
    this.#queueBytes = 0;
    this.#kept = undefined;
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
