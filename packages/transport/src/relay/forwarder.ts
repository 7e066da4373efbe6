import type { Sink, SinkOwner } from '../writing/sink.ts';

/** Bytes of a slot: what one read of a pipe brings at most. Larger ones leave the cache before they are written. */
export const SLOT_BYTES: number = 64 * 1024;

/** What a forwarder tells its direction. */
export interface ForwarderOwner {
  /** It was full and has room again. */
  hasRoom(): void;
  /** Everything is out, and the receiver was told the end. */
  finished(): void;
  /** The receiver takes nothing any more; what waited is dropped. */
  broken(error: Error): void;
}

/**
 * Brings bytes to one sink in order. What the sink does not take at once waits in slots of memory that are used again and again, so nothing is
 * allocated per read; it is full when more than `maxHeldBytes` wait.
 */
export class Forwarder implements SinkOwner {
  readonly #owner: ForwarderOwner;
  readonly #maxHeldBytes: number;
  readonly #sink: Sink;
  /** Chunks that wait behind the one that the sink keeps, from `#head` on. */
  #waiting: Buffer[] = [];
  #head = 0;
  #kept: Buffer | undefined;
  #freeSlots: Buffer[] = [];
  #isOver = false;
  #isEnding = false;
  #wasFull = false;

  heldBytes = 0;
  bytesOut = 0;
  droppedBytes = 0;
  /** How often the receiver was slower than the sender. */
  stalls = 0;

  constructor(owner: ForwarderOwner, maxHeldBytes: number, openSink: (owner: SinkOwner) => Sink) {
    this.#owner = owner;
    this.#maxHeldBytes = maxHeldBytes;
    this.#sink = openSink(this);
  }

  /** Memory of `SLOT_BYTES` to fill and to give back with `send`, or to keep for the next time. */
  slot(): Buffer {
    return this.#freeSlots.pop() ?? Buffer.allocUnsafeSlow(SLOT_BYTES);
  }

  /** @param chunk - the filled part of a slot, or other memory that is given away */
  send(chunk: Buffer): void {
    if (this.#isOver) {
      this.droppedBytes += chunk.length;
      this.#recycle(chunk);
      return;
    }
    this.heldBytes += chunk.length;
    if (this.#kept !== undefined) this.#waiting.push(chunk);
    else this.#write(chunk);
  }

  /** Bytes of others, which are theirs again when this returns: what the sink does not take at once is copied. */
  sendBorrowed(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += SLOT_BYTES) {
      const piece = bytes.subarray(at, at + SLOT_BYTES);
      const slot = this.slot();
      slot.set(piece);
      this.send(slot.subarray(0, piece.length));
    }
  }

  /** Asked after each read. True: stop reading until `hasRoom`. */
  isFull(): boolean {
    if (this.heldBytes <= this.#maxHeldBytes) return false;
    if (!this.#wasFull) {
      this.#wasFull = true;
      this.stalls++;
    }
    return true;
  }

  /** Nothing more comes: the receiver is told so when everything is out. */
  end(): void {
    if (this.#isEnding || this.#isOver) return;
    this.#isEnding = true;
    this.#endIfEmpty();
  }

  /** Drops what waits, and lets go of the sink. Nothing is told after it. */
  release(): void {
    this.#drop();
    this.#sink.release();
  }

  written(): void {
    const chunk = this.#kept;
    if (chunk === undefined) return;
    this.#kept = undefined;
    this.#done(chunk);
    while (this.#kept === undefined && this.#head < this.#waiting.length) {
      this.#write(this.#waiting[this.#head++] as Buffer);
    }
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    }
    // Half empty: going on at once would stop again after one read.
    if (this.#wasFull && this.heldBytes <= this.#maxHeldBytes / 2) {
      this.#wasFull = false;
      this.#owner.hasRoom();
    }
    this.#endIfEmpty();
  }

  failed(error: Error): void {
    if (this.#isOver) return;
    this.#drop();
    // On its own turn: a write may fail inside the call that brought the bytes.
    process.nextTick(() => this.#owner.broken(error));
  }

  #write(chunk: Buffer): void {
    this.#kept = chunk;
    if (!this.#sink.write(chunk)) return;
    this.#kept = undefined;
    this.#done(chunk);
  }

  #done(chunk: Buffer): void {
    this.heldBytes -= chunk.length;
    this.bytesOut += chunk.length;
    this.#recycle(chunk);
  }

  #recycle(chunk: Buffer): void {
    const { buffer } = chunk;
    if (buffer.byteLength === SLOT_BYTES) this.#freeSlots.push(Buffer.from(buffer));
  }

  #drop(): void {
    this.#isOver = true;
    this.droppedBytes += this.heldBytes;
    this.heldBytes = 0;
    this.#waiting = [];
    this.#head = 0;
    this.#kept = undefined;
    this.#freeSlots = [];
  }

  #endIfEmpty(): void {
    if (!this.#isEnding || this.#isOver || this.heldBytes > 0) return;
    this.#isOver = true;
    this.#sink.end();
    this.#owner.finished();
  }
}
