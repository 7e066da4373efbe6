import type { FrameBatch, IdKey } from '@linewire/framing';
import type { DuplexHandlers, ParkedRequests } from '../duplex.ts';
import { type ParkedFrame, ParkedFrames } from './parked-frames.ts';

/** What a gate does to its duplex. */
export interface GateOwner {
  /** No more frames come to `frames()` until `resumeReading()`: the rest of the current batch neither, which is not consumed. */
  pauseReading(): void;
  resumeReading(): void;
  /** Sends the refusal of a request from the reserved quota. False: the quota is full, the duplex is about to close. */
  sendReserved(frame: string): boolean;
}

/**
 * Pause by kind. Batches pass through it on their way to the handlers, untouched while nothing is paused or parked. While requests are
 * paused they are copied to a queue of at most `maxParkedBytes` and everything else goes on, in order. When the queue is full, the handlers
 * either refuse the newest request, because they wait for an answer themselves and so must read on, or reading stops until half of
 * the bytes are gone. No request overtakes another one, except those that the handlers call free.
 */
export class RequestGate implements ParkedRequests {
  stalls = 0;
  refused = 0;
  readonly #owner: GateOwner;
  readonly #parked: ParkedFrames;
  #handlers: DuplexHandlers | undefined;
  /** Requests are paused. */
  #closed = false;
  /** Everything is paused, by the duplex's `pause()`. */
  #paused = false;
  /** Reading has stopped because the queue is full. */
  #stalled = false;
  /** `refusal` is to be asked again about the request that reading has stopped in front of. */
  #reconsiders = false;
  /** How many callbacks of this gate are running: parked requests are not delivered into them. */
  #depth = 0;
  /** The parked request that is being delivered: in the queue still, and nobody's business. */
  #current: IdKey | undefined;
  /** `resume()` was called: reading goes on as soon as the parked requests have been delivered that may be. */
  #readsLater = false;
  #over = false;

  constructor(owner: GateOwner, maxParkedBytes: number) {
    this.#owner = owner;
    this.#parked = new ParkedFrames(maxParkedBytes);
  }

  /** Who gets the frames. */
  start(handlers: DuplexHandlers): void {
    this.#handlers = handlers;
  }

  get count(): number {
    return this.#parked.count;
  }

  get byteCount(): number {
    return this.#parked.byteCount;
  }

  has(key: IdKey): boolean {
    return key !== this.#current && this.#parked.has(key);
  }

  drop(key: IdKey): boolean {
    if (key === this.#current || !this.#parked.drop(key)) return false;
    this.#unstall();
    return true;
  }

  dropAll(): string[] {
    const ids = this.#parked.dropAll(this.#current);
    this.#unstall();
    return ids;
  }

  reconsider(): void {
    if (!this.#stalled) return;
    this.#reconsiders = true;
    this.#unstall();
  }

  pauseRequests(): void {
    this.#closed = true;
  }

  resumeRequests(): void {
    if (!this.#closed) return;
    this.#closed = false;
    this.#goOn();
  }

  /** Stops everything: parked requests, and reading. */
  pause(): void {
    this.#paused = true;
    this.#owner.pauseReading();
  }

  /** Delivers what was held, parked requests first, and reads on. */
  resume(): void {
    this.#paused = false;
    // Inside a batch of the reader, which then goes on by itself, but not inside the delivery of a parked request.
    if (this.#depth > 0 && this.#current === undefined) this.#owner.resumeReading();
    else {
      this.#readsLater = !this.#stalled;
      this.#goOn();
    }
  }

  /** Nothing is delivered any more. */
  end(): void {
    this.#over = true;
    this.#parked.clear();
  }

  /** The next frames of the peer. Returns how many of them were consumed. */
  frames(batch: FrameBatch): number | undefined | void {
    if (this.#closed || this.#parked.count > 0) return this.#sift(batch, 0);
    this.#depth++;
    let consumed: number | undefined | void;
    try {
      consumed = this.#handlers?.onFrames(batch);
    } finally {
      this.#depth--;
    }
    // They may have paused requests in the middle: then the rest is sifted at once.
    if (!this.#closed) return consumed;
    return this.#sift(batch, consumedOf(batch, consumed));
  }

  /** Frames from `at` on, one run of frames of other kinds, or one request, at a time. Returns how many are consumed. */
  #sift(batch: FrameBatch, at: number): number {
    const { count } = batch;
    while (at < count && !this.#paused && !this.#over) {
      const isOpen = !this.#closed && this.#parked.count === 0;
      let end = at;
      if (isOpen) end = count;
      else while (end < count && batch.kind(end) !== 'request') end++;
      if (end === at) {
        if (!this.#passes(batch, at)) {
          if (!this.#park(batch, at)) return at;
          at++;
          continue;
        }
        end = at + 1;
      }
      at += this.#handOn(batch, at, end);
      this.#goOn();
      // Not consumed whole: by who has paused requests, which is what the rest is looked through for, or by who wants a rest.
      if (at < end && !(isOpen && this.#closed)) return at;
    }
    return at;
  }

  /** Whether a request is delivered though requests are paused. One whose id is parked is for the handlers to refuse. */
  #passes(batch: FrameBatch, index: number): boolean {
    return this.has(batch.idKey(index) as IdKey) || this.#handlers?.isFree?.(batch, index) === true;
  }

  /** False: there is no room, and reading has stopped in front of this request. */
  #park(batch: FrameBatch, index: number): boolean {
    if (this.#parked.fits(batch.byteLength(index))) {
      this.#parked.add(batch.idKey(index) as IdKey, batch, index);
      return true;
    }
    const refusal = this.#handlers?.refusal?.(batch, index);
    if (refusal !== undefined) {
      this.refused++;
      this.#owner.sendReserved(refusal);
      return true;
    }
    this.#stalled = true;
    this.stalls++;
    this.#owner.pauseReading();
    return false;
  }

  #handOn(batch: FrameBatch, from: number, to: number): number {
    const part = batch.part(from, to);
    this.#depth++;
    try {
      return consumedOf(part, this.#handlers?.onFrames(part));
    } catch (error) {
      // Counts for the reader as an exception of the handlers does: delivered up to the frame that it was at.
      batch.consumed = from + part.release() - 1;
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** Parked requests first; then reading, if there is room again. Later, when a callback is running. */
  #goOn(): void {
    if (this.#depth > 0) return;
    while (!this.#closed && !this.#paused && !this.#over) {
      const first = this.#parked.first();
      if (first === undefined || !this.#deliver(first)) break;
    }
    if (this.#readsLater && !this.#paused) {
      this.#readsLater = false;
      this.#owner.resumeReading();
    } else {
      this.#unstall();
    }
  }

  /** False: it was not consumed, and stays the first. */
  #deliver({ key, frame }: ParkedFrame): boolean {
    let consumed = 1;
    this.#current = key;
    this.#depth++;
    try {
      consumed = frame.deliver(this.#receive);
    } catch (error) {
      throwLater(error);
    }
    this.#depth--;
    this.#current = undefined;
    if (consumed === 0) return false;
    this.#parked.drop(key);
    return true;
  }

  readonly #receive = (batch: FrameBatch): number => consumedOf(batch, this.#handlers?.onFrames(batch));

  #unstall(): void {
    if (!this.#stalled || this.#paused || this.#depth > 0) return;
    if (!this.#reconsiders && !this.#parked.isHalfEmpty) return;
    this.#reconsiders = false;
    this.#stalled = false;
    this.#owner.resumeReading();
  }
}

/** What a callback has consumed, by what it returned or by what it said before. */
function consumedOf(batch: FrameBatch, returned: number | undefined | void): number {
  const frames = typeof returned === 'number' ? returned : batch.consumed >= 0 ? batch.consumed : batch.count;
  return Math.min(Math.max(Math.trunc(frames) || 0, 0), batch.count);
}

/** An exception of the handlers is an uncaught one, and the frame that it came from counts as delivered: as when a reader calls them. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
