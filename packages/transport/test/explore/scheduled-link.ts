import type { Intake, Source } from '../../src/reading/source.ts';
import type { Sink, SinkOwner } from '../../src/writing/sink.ts';

/** When a link moves on, and how many of the bytes that wait it moves: decided by whoever explores. */
export interface LinkClock {
  /** Calls back once, later. */
  later(label: string, action: () => void): void;
  /** From 1 to `most`: the next short write. */
  portion(most: number): number;
}

/** One direction between two duplexes: a pipe of one chunk, whose bytes arrive in portions and at times of the clock's choice. */
export class ScheduledLink implements Sink, Source {
  writer: SinkOwner | undefined;
  readonly #name: string;
  readonly #clock: LinkClock;
  #intake: Intake | undefined;
  #chunk: Buffer | undefined;
  #at = 0;
  #held = false;
  #scheduled = false;

  constructor(name: string, clock: LinkClock) {
    this.#name = name;
    this.#clock = clock;
  }

  write(chunk: Buffer): boolean {
    this.#chunk = chunk;
    this.#at = 0;
    this.#schedule();
    return false;
  }

  unsent(chunk: Buffer): Uint8Array {
    return chunk.subarray(this.#at);
  }

  end(): void {}

  release(): void {
    this.writer = undefined;
    this.#chunk = undefined;
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#schedule();
  }

  resume(): void {
    this.#held = false;
    this.#schedule();
  }

  stop(): void {
    this.#intake = undefined;
  }

  #schedule(): void {
    if (this.#scheduled || this.#held || this.#chunk === undefined || this.#intake === undefined) return;
    this.#scheduled = true;
    this.#clock.later(`${this.#name} moves`, this.#move);
  }

  readonly #move = (): void => {
    this.#scheduled = false;
    const chunk = this.#chunk;
    if (chunk === undefined || this.#intake === undefined || this.#held) return;
    const end = this.#at + this.#clock.portion(chunk.length - this.#at);
    const bytes = chunk.subarray(this.#at, end);
    this.#at = end;
    this.#held = !this.#intake.chunk(bytes);
    if (end === chunk.length) {
      this.#chunk = undefined;
      this.writer?.written();
    }
    this.#schedule();
  };
}
