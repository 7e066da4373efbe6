import type { Ticket } from '../duplex.ts';

/** A waiting request: text without its newline, or bytes with it. */
export type WaitingFrame = string | Buffer;

/** Requests have even tickets, replies odd ones, so that a ticket tells its lane. */
export const TICKET_STEP = 2;

/** From here on an emptied list is thrown away, and a passed half of it is cut off. */
const KEPT_SLOTS = 4096;

/**
 * The requests that wait, in order, and can be taken out. They become bytes only when they are handed to the system.
 *
 * Each ticket has one slot, so a ticket is found by subtraction; what was taken out leaves its slot empty. A request costs one array slot.
 */
export class RequestLane {
  #frames: (WaitingFrame | undefined)[] = [];
  #head = 0;
  #tail = 0;
  /** Slots below it are in `#countedBytes`. */
  #counted = 0;
  #countedBytes = 0;
  /** The last ticket given. */
  last: Ticket = 0;
  /** Frames that wait. */
  size = 0;
  /** UTF-16 units of texts and bytes of others, newlines included: never more than the bytes, and at least a third of them. */
  units = 0;

  /** Bytes that wait. Exact; each frame is counted once at most. */
  get bytes(): number {
    this.#count();
    return this.#countedBytes;
  }

  /** The last ticket that has left the lane, and with it all before it. */
  get passed(): Ticket {
    return this.last - (this.#tail - this.#head) * TICKET_STEP;
  }

  /** @returns the ticket */
  push(frame: WaitingFrame): Ticket {
    this.#frames[this.#tail++] = frame;
    this.size++;
    this.units += unitsOf(frame);
    this.last += TICKET_STEP;
    return this.last;
  }

  /** A ticket for a frame that was given up before it was queued. */
  skip(): Ticket {
    if (this.size > 0) this.#frames[this.#tail++] = undefined;
    this.last += TICKET_STEP;
    return this.last;
  }

  /** The next frame to go. */
  front(): WaitingFrame | undefined {
    while (this.#head < this.#tail) {
      const frame = this.#frames[this.#head];
      if (frame !== undefined) return frame;
      this.#head++;
    }
    return undefined;
  }

  /** Takes out what `front()` gave; between `beginPassing` and `endPassing`. */
  pass(frame: WaitingFrame): void {
    this.#frames[this.#head++] = undefined;
    this.size--;
    this.units -= unitsOf(frame);
  }

  /** Frames are about to leave: either all of them are counted or none. */
  beginPassing(): void {
    if (this.#counted > this.#head) this.#count();
  }

  /** @param byteCount - bytes of the frames that have left */
  endPassing(byteCount: number): void {
    if (this.#countedBytes > 0) this.#countedBytes -= byteCount;
    if (this.size === 0) {
      if (this.#frames.length > KEPT_SLOTS) this.#frames = [];
      this.#head = 0;
      this.#tail = 0;
      this.#counted = 0;
      return;
    }
    if (this.#head > KEPT_SLOTS && this.#head * 2 > this.#tail) {
      this.#frames = this.#frames.slice(this.#head, this.#tail);
      this.#counted = Math.max(0, this.#counted - this.#head);
      this.#tail -= this.#head;
      this.#head = 0;
    }
  }

  /** Takes a frame out. False: it is not here. */
  withdraw(ticket: Ticket): boolean {
    const slot = this.#tail - 1 - (this.last - ticket) / TICKET_STEP;
    if (slot < this.#head) return false;
    const frame = this.#frames[slot];
    if (frame === undefined) return false;
    this.#frames[slot] = undefined;
    this.size--;
    this.units -= unitsOf(frame);
    if (slot < this.#counted) this.#countedBytes -= bytesOf(frame);
    if (this.size === 0) this.endPassing(0);
    return true;
  }

  clear(): void {
    this.#frames = [];
    this.#head = 0;
    this.#tail = 0;
    this.#counted = 0;
    this.#countedBytes = 0;
    this.size = 0;
    this.units = 0;
  }

  #count(): void {
    while (this.#counted < this.#tail) {
      const frame = this.#frames[this.#counted++];
      if (frame !== undefined) this.#countedBytes += bytesOf(frame);
    }
  }
}

function unitsOf(frame: WaitingFrame): number {
  return typeof frame === 'string' ? frame.length + 1 : frame.length;
}

function bytesOf(frame: WaitingFrame): number {
  return typeof frame === 'string' ? Buffer.byteLength(frame) + 1 : frame.length;
}
