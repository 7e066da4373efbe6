import type { Ticket } from '../duplex.ts';

/** The bytes of reserved frames that are not written yet. Rare frames: each costs an entry until the next one asks. */
export class ReservedQuota {
  readonly #limitBytes: number;
  readonly #tickets: Ticket[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Room for so many bytes, when the replies up to `written` are out. */
  hasRoom(byteCount: number, written: Ticket): boolean {
    while (this.#tickets.length > 0 && (this.#tickets[0] as Ticket) <= written) {
      this.#tickets.shift();
      this.#bytes -= this.#sizes.shift() as number;
    }
    return this.#bytes + byteCount <= this.#limitBytes;
  }

  add(ticket: Ticket, byteCount: number): void {
    this.#tickets.push(ticket);
    this.#sizes.push(byteCount);
    this.#bytes += byteCount;
  }
}
