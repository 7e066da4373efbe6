import type { SendOutcome, Ticket } from '../duplex.ts';
import { TransportError } from '../errors.ts';

/** Withdrawn tickets that are remembered. */
const REMEMBERED_DROPS = 65_536;

/**
 * What became of the frames of an outbox. Nothing is kept per frame: a lane is written in order, so the last ticket of each chunk tells of all
 * before it. Only who asks costs an entry, and a withdrawn ticket costs one while it is remembered.
 */
export class Settlements {
  readonly #replies: Waiters = new Waiters();
  readonly #requests: Waiters = new Waiters();
  readonly #dropped: Set<Ticket> = new Set();
  #end: 'dropped' | 'peer-closed' | undefined;
  /** The last tickets handed to the sink. */
  #replyHanded = 0;
  #requestHanded = 0;
  /** The last tickets of which the system has all bytes. */
  replyWritten: Ticket = 0;
  #requestWritten = 0;

  /** A chunk goes to the sink, and these are the last frames in it or before it. */
  handed(reply: Ticket, request: Ticket): void {
    this.#replyHanded = reply;
    this.#requestHanded = request;
  }

  /** The same for a chunk of replies alone. */
  handedReplies(reply: Ticket): void {
    this.#replyHanded = reply;
  }

  /** The system has all of what was handed to the sink. */
  taken(): void {
    this.replyWritten = this.#replyHanded;
    this.#requestWritten = this.#requestHanded;
    if (this.#replies.size > 0) this.#replies.settleTo(this.replyWritten, 'written');
    if (this.#requests.size > 0) this.#requests.settleTo(this.#requestWritten, 'written');
  }

  /** A request was taken out of the outbox. */
  drop(ticket: Ticket): void {
    this.#dropped.add(ticket);
    if (this.#dropped.size > REMEMBERED_DROPS) {
      for (const oldest of this.#dropped) {
        this.#dropped.delete(oldest);
        break;
      }
    }
    this.#requests.settleOne(ticket, 'dropped');
  }

  /** Nothing more is written. What the sink holds may have gone in part. The first end counts. */
  end(outcome: 'dropped' | 'peer-closed'): void {
    if (this.#end !== undefined) return;
    this.#end = outcome;
    this.#replies.settleTo(this.#replyHanded, 'peer-closed');
    this.#replies.settleTo(Number.POSITIVE_INFINITY, outcome);
    this.#requests.settleTo(this.#requestHanded, 'peer-closed');
    this.#requests.settleTo(Number.POSITIVE_INFINITY, outcome);
  }

  /** What `withdraw` tells when nothing is queued any more: the sink never had a byte of this request. */
  wasLeftBehind(ticket: Ticket, lastRequest: Ticket): boolean {
    const isRequest = ticket % 2 === 0 && ticket <= lastRequest;
    return isRequest && ticket > this.#requestHanded && !this.#dropped.has(ticket);
  }

  ask(ticket: Ticket, lastReply: Ticket, lastRequest: Ticket): Promise<SendOutcome> {
    if (ticket === 0 || this.#dropped.has(ticket)) return Promise.resolve('dropped');
    const isReply = ticket % 2 === 1;
    if (!(Number.isInteger(ticket) && ticket > 0 && ticket <= (isReply ? lastReply : lastRequest))) {
      throw new TransportError('OPTION_INVALID', `${String(ticket)} is no ticket that this duplex has given`);
    }
    if (ticket <= (isReply ? this.replyWritten : this.#requestWritten)) return Promise.resolve('written');
    if (this.#end !== undefined) {
      const handed = isReply ? this.#replyHanded : this.#requestHanded;
      return Promise.resolve(ticket <= handed ? 'peer-closed' : this.#end);
    }
    return (isReply ? this.#replies : this.#requests).add(ticket);
  }
}

interface Waiter {
  readonly ticket: Ticket;
  readonly resolve: (outcome: SendOutcome) => void;
}

/** Who has asked in one lane, by rising ticket. */
class Waiters {
  readonly #list: Waiter[] = [];

  get size(): number {
    return this.#list.length;
  }

  add(ticket: Ticket): Promise<SendOutcome> {
    return new Promise((resolve) => {
      // Mostly the newest frame is asked for.
      this.#list.splice(this.#firstAbove(ticket), 0, { ticket, resolve });
    });
  }

  /** Settles all up to a ticket. */
  settleTo(ticket: Ticket, outcome: SendOutcome): void {
    for (const waiter of this.#list.splice(0, this.#firstAbove(ticket))) waiter.resolve(outcome);
  }

  settleOne(ticket: Ticket, outcome: SendOutcome): void {
    const from = this.#firstAbove(ticket - 1);
    for (const waiter of this.#list.splice(from, this.#firstAbove(ticket) - from)) waiter.resolve(outcome);
  }

  #firstAbove(ticket: Ticket): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#list[middle] as Waiter).ticket <= ticket) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
