import type { Intake, Source } from '../reading/source.ts';
import type { Transit } from './byte-transit.ts';
import type { Forwarder, ForwarderOwner } from './forwarder.ts';

/** What a direction tells its relay. */
export interface DirectionOwner {
  /** The sender's stream failed; what it sent before still goes on. */
  inputFailed(error: Error): void;
  /** The receiver takes nothing any more. */
  outputBroken(error: Error): void;
  /** What looks at the frames in between gave up. */
  transitFailed(error: Error): void;
  /** Nothing is under way any more, and the receiver was told. Comes once, the last. */
  over(): void;
}

/** One way through a relay: from the source of one side to the sink of the other, at the pace of the slower. */
export class Direction implements Intake, ForwarderOwner {
  readonly forwarder: Forwarder;
  readonly #owner: DirectionOwner;
  readonly #source: Source;
  #transit: Transit | undefined;
  #inputOver = false;
  #isHeld = false;
  #isOver = false;

  bytesIn = 0;

  constructor(owner: DirectionOwner, source: Source, openForwarder: (owner: ForwarderOwner) => Forwarder) {
    this.#owner = owner;
    this.#source = source;
    this.forwarder = openForwarder(this);
  }

  /** Begins to read. */
  start(transit: Transit): void {
    this.#transit = transit;
    this.#source.start(this);
  }

  get isInputOver(): boolean {
    return this.#inputOver;
  }

  /** Takes what has come for the whole; what is on its way goes out. */
  endInput(): void {
    if (this.#inputOver) return;
    this.#source.stop();
    this.ended();
  }

  /** Stops at once. Idempotent. */
  release(): void {
    this.#inputOver = true;
    this.#source.stop();
    this.forwarder.release();
    this.#finish();
  }

  room(): Uint8Array {
    return this.#transit?.room() ?? NOTHING;
  }

  landed(byteCount: number): boolean {
    if (this.#inputOver) return false;
    this.bytesIn += byteCount;
    try {
      this.#transit?.landed(byteCount);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#goesOn();
  }

  chunk(bytes: Uint8Array): boolean {
    if (this.#inputOver) return false;
    this.bytesIn += bytes.length;
    try {
      this.#transit?.chunk(bytes);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#goesOn();
  }

  ended(): void {
    if (this.#inputOver) return;
    this.#inputOver = true;
    try {
      this.#transit?.ended();
    } catch (error) {
      this.#giveUp(error);
    }
    this.forwarder.end();
  }

  failed(error: Error): void {
    if (this.#inputOver) return;
    this.#owner.inputFailed(error);
    this.ended();
  }

  hasRoom(): void {
    if (!this.#isHeld || this.#inputOver) return;
    this.#isHeld = false;
    this.#source.resume();
  }

  finished(): void {
    process.nextTick(() => this.#finish());
  }

  /** The sender is not read any more, so that it learns from the system what happened. */
  broken(error: Error): void {
    if (this.#isOver) return;
    this.#inputOver = true;
    this.#source.stop();
    this.#owner.outputBroken(error);
    this.#finish();
  }

  /** What went on before is still written. */
  #giveUp(error: unknown): void {
    this.#inputOver = true;
    this.#source.stop();
    this.forwarder.end();
    this.#owner.transitFailed(error instanceof Error ? error : new Error(String(error)));
  }

  #goesOn(): boolean {
    if (this.#inputOver) return false;
    this.#isHeld = this.forwarder.isFull();
    return !this.#isHeld;
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.over();
  }
}

const NOTHING = new Uint8Array(0);
