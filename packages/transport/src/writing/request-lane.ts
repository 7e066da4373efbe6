import type { Ticket } from '../duplex.ts';
import { giveSlab, SLAB_BYTES, takeSlab } from './slabs.ts';

/** Requests have even tickets, replies odd ones, so that a ticket tells its lane. */
export const TICKET_STEP = 2;

/** UTF-8 needs at most three bytes per UTF-16 unit. */
const MAX_BYTES_PER_CHAR = 3;
/** Characters at which gathered texts become bytes, as in the reply lane. */
const ENCODE_CHARS = 4 * 1024;
/** Frames of at least so many characters or bytes are blocks of their own. */
const BIG_FRAME = 64 * 1024;
/** Slots of passed frames beyond which the list is cut. */
const KEPT_SLOTS = 4096;

interface Block {
  readonly bytes: Buffer;
  /** Frames in it, withdrawn ones included. */
  readonly slots: number;
}

const LF = 0x0a;

/**
 * The requests that wait, in order, and can be taken out until they leave.
 *
 * They become bytes in groups, as replies do, for strings that wait would be copied by the garbage collector (a fifth of a sender's time). Of
 * each frame its size is kept, negative when it was withdrawn: so a ticket is found by subtraction, and holes are closed when bytes leave.
 */
export class RequestLane {
  /** One slot per ticket, from `#head` to `#tail`: characters of a frame that is text, bytes of one that is encoded. */
  #sizes: number[] = [];
  #head = 0;
  #tail = 0;
  /** Slots of withdrawn frames. */
  #holes = 0;
  /** Texts with their newlines, not encoded yet; the last `#textSlots` slots. */
  #text = '';
  #textSlots = 0;
  /** The first `#openBytes` of a slab; the slots before those of the text. */
  #open: Buffer | undefined;
  #openBytes = 0;
  #openSlots = 0;
  /** What is encoded and closed, from `#firstBlock` on. */
  #blocks: Block[] = [];
  #firstBlock = 0;
  /** Bytes of encoded frames, without the holes. */
  #encodedBytes = 0;
  /** The last ticket given. */
  last: Ticket = 0;
  /** The memory that holds what was taken last. */
  takenSlab: Buffer | undefined;

  /** Bytes that wait, newlines included. Exact. */
  get bytes(): number {
    return this.#encodedBytes + Buffer.byteLength(this.#text);
  }

  /** At least as many bytes as wait; cheap. */
  get mostBytes(): number {
    return this.#encodedBytes + this.#text.length * MAX_BYTES_PER_CHAR;
  }

  /** At most as many bytes as wait; cheap. */
  get leastBytes(): number {
    return this.#encodedBytes + this.#text.length;
  }

  get isEmpty(): boolean {
    return this.#tail - this.#head === this.#holes;
  }

  /** The last ticket that has left the lane, and with it all before it. */
  get passed(): Ticket {
    return this.last - (this.#tail - this.#head) * TICKET_STEP;
  }

  pushText(frame: string): Ticket {
    if (frame.length >= BIG_FRAME) return this.#pushBlock(Buffer.from(`${frame}\n`));
    this.#text = `${this.#text}${frame}\n`;
    this.#textSlots++;
    const ticket = this.#slot(frame.length + 1);
    if (this.#text.length >= ENCODE_CHARS) this.#encode();
    return ticket;
  }

  /** Copies it. */
  pushBytes(frame: Uint8Array): Ticket {
    const byteCount = frame.length + 1;
    if (byteCount > BIG_FRAME) {
      const block = Buffer.allocUnsafeSlow(byteCount);
      block.set(frame);
      block[frame.length] = LF;
      return this.#pushBlock(block);
    }
    this.#encode();
    if (this.#openBytes + byteCount > SLAB_BYTES) this.close();
    const slab = this.#slab();
    slab.set(frame, this.#openBytes);
    slab[this.#openBytes + frame.length] = LF;
    this.#openBytes += byteCount;
    this.#openSlots++;
    this.#encodedBytes += byteCount;
    return this.#slot(byteCount);
  }

  /** A ticket for a frame that was given up before it was queued. */
  skip(): Ticket {
    this.last += TICKET_STEP;
    if (this.#tail === this.#head) return this.last;
    this.#encode();
    this.#sizes[this.#tail++] = 0;
    this.#holes++;
    this.#openSlots++;
    return this.last;
  }

  /** Takes a frame out. False: it is not here. */
  withdraw(ticket: Ticket): boolean {
    this.#encode();
    const slot = this.#tail - 1 - (this.last - ticket) / TICKET_STEP;
    const size = slot < this.#head ? undefined : this.#sizes[slot];
    if (size === undefined || size <= 0 || slot >= this.#tail) return false;
    this.#sizes[slot] = -size;
    this.#holes++;
    this.#encodedBytes -= size;
    if (this.isEmpty) this.clear();
    return true;
  }

  /** The next bytes to leave; undefined when there are none. They are the caller's now, and so is `takenSlab`, when they are in one. */
  take(): Buffer | undefined {
    this.takenSlab = undefined;
    if (this.isEmpty) return undefined;
    if (this.#firstBlock === this.#blocks.length) {
      this.#encode();
      return this.#blocks.length === 0 ? this.#takeOpen() : this.take();
    }
    const { bytes, slots } = this.#blocks[this.#firstBlock++] as Block;
    if (this.#firstBlock === this.#blocks.length) {
      this.#blocks = [];
      this.#firstBlock = 0;
    }
    const left = this.#pass(bytes, slots);
    return left.length === 0 ? this.take() : left;
  }

  /** Moves all to `target` if it has room behind `at` for it. @returns the position behind it, `at` when nothing was moved */
  takeInto(target: Buffer, at: number): number {
    this.#encode();
    if (this.isEmpty || this.#blocks.length > 0 || at + this.#openBytes > target.length) return at;
    const bytes = this.#takeOpen();
    if (bytes === undefined || this.takenSlab === undefined) return at;
    target.set(bytes, at);
    giveSlab(this.takenSlab);
    return at + bytes.length;
  }

  /** Seals what is encoded: a copy of its size, so that what waits for a slow peer holds no more memory than bytes. */
  close(): void {
    if (this.#openSlots === 0) return;
    // There are slots without bytes, those of frames that were given up.
    const bytes = Buffer.from(this.#open?.subarray(0, this.#openBytes) ?? '');
    this.#blocks.push({ bytes, slots: this.#openSlots });
    this.#openBytes = 0;
    this.#openSlots = 0;
  }

  /** Seals when that is worth a write. */
  closeIfWorth(byteCount: number): void {
    if (this.#openBytes >= byteCount) this.close();
  }

  /** Nothing waits any more. Tickets go on. */
  clear(): void {
    if (this.#open !== undefined) giveSlab(this.#open);
    this.#open = undefined;
    this.#openBytes = 0;
    this.#openSlots = 0;
    this.#text = '';
    this.#textSlots = 0;
    this.#blocks = [];
    this.#firstBlock = 0;
    this.#encodedBytes = 0;
    this.#reset();
  }

  #takeOpen(): Buffer | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    const bytes = open.subarray(0, this.#openBytes);
    const slots = this.#openSlots;
    this.takenSlab = open;
    this.#open = undefined;
    this.#openBytes = 0;
    this.#openSlots = 0;
    return this.#pass(bytes, slots);
  }

  #slot(size: number): Ticket {
    this.#sizes[this.#tail++] = size;
    this.last += TICKET_STEP;
    return this.last;
  }

  #pushBlock(bytes: Buffer): Ticket {
    this.#encode();
    this.close();
    this.#blocks.push({ bytes, slots: 1 });
    this.#encodedBytes += bytes.length;
    return this.#slot(bytes.length);
  }

  /** Turns the gathered texts into bytes behind those of the open slab. */
  #encode(): void {
    const text = this.#text;
    if (text === '') return;
    const slots = this.#textSlots;
    this.#text = '';
    this.#textSlots = 0;
    if (this.#openBytes + text.length * MAX_BYTES_PER_CHAR > SLAB_BYTES) this.close();
    const byteCount = this.#slab().write(text, this.#openBytes, 'utf8');
    this.#openBytes += byteCount;
    this.#openSlots += slots;
    this.#encodedBytes += byteCount;
    if (byteCount === text.length) return;
    this.#measure(text, slots);
  }

  /** Not all of it is ASCII: the frames' sizes in bytes. */
  #measure(text: string, slots: number): void {
    let at = 0;
    for (let slot = this.#tail - slots; slot < this.#tail; slot++) {
      const end = at + (this.#sizes[slot] as number);
      this.#sizes[slot] = Buffer.byteLength(text.slice(at, end));
      at = end;
    }
  }

  #slab(): Buffer {
    this.#open ??= takeSlab();
    return this.#open;
  }

  /** The frames of the first slots leave; what was withdrawn is closed up, in place. */
  #pass(bytes: Buffer, slots: number): Buffer {
    const left = this.#holes === 0 ? bytes : bytes.subarray(0, this.#closeUp(bytes, slots));
    this.#head += slots;
    this.#encodedBytes -= left.length;
    if (this.#head === this.#tail) this.#reset();
    else if (this.#head > KEPT_SLOTS && this.#head * 2 > this.#tail) {
      this.#sizes = this.#sizes.slice(this.#head, this.#tail);
      this.#tail -= this.#head;
      this.#head = 0;
    }
    return left;
  }

  /** @returns the bytes that are left */
  #closeUp(bytes: Buffer, slots: number): number {
    let from = 0;
    let to = 0;
    for (let slot = this.#head; slot < this.#head + slots; slot++) {
      const size = this.#sizes[slot] as number;
      if (size <= 0) this.#holes--;
      else {
        if (from !== to) bytes.copyWithin(to, from, from + size);
        to += size;
      }
      from += Math.abs(size);
    }
    return to;
  }

  #reset(): void {
    if (this.#sizes.length > KEPT_SLOTS) this.#sizes = [];
    this.#head = 0;
    this.#tail = 0;
    this.#holes = 0;
  }
}
