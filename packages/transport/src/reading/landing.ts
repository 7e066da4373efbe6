import type { OnReadOpts } from 'node:net';
import type { Intake } from './source.ts';

/** One read of a pipe brings at most this much, and only the first read after a stop lands here. */
const ASIDE_BYTES = 64 * 1024;

/**
 * Where a socket's reads land (`onread`): straight in the window of the frame reader, without a buffer per read and without a copy.
 *
 * Node asks for the next landing place before it stops reading. While the reader holds frames that place may be small, or none at all,
 * so the first read after a stop lands aside and is copied.
 */
export class Landing {
  /** For the socket, which takes it at its making. */
  readonly onread: OnReadOpts;
  readonly #readsOnWhenOver: boolean;
  #intake: Intake | undefined;
  #aside: Uint8Array | undefined;
  #landsAside = false;
  #isOver = false;
  /** The intake said false; Node is told so by the callback's result. */
  #isPaused = false;

  /** @param readsOnWhenOver - what comes after `end()` is read and thrown away */
  constructor(readsOnWhenOver: boolean) {
    this.#readsOnWhenOver = readsOnWhenOver;
    this.onread = { buffer: this.#place, callback: this.#landed };
  }

  /** Nothing is told to the intake any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  begin(intake: Intake): void {
    this.#intake = intake;
  }

  /** True when it was paused, so that the socket has to be told. */
  unpause(): boolean {
    const wasPaused = this.#isPaused;
    this.#isPaused = false;
    return wasPaused;
  }

  end(): void {
    this.#isOver = true;
  }

  readonly #place = (): Uint8Array => {
    const room = this.#isPaused || this.#isOver ? undefined : this.#intake?.room();
    this.#landsAside = room === undefined || room.length === 0;
    if (room !== undefined && room.length > 0) return room;
    this.#aside ??= new Uint8Array(ASIDE_BYTES);
    return this.#aside;
  };

  readonly #landed = (byteCount: number): boolean => {
    const intake = this.#intake;
    if (intake === undefined || this.#isOver) return this.#readsOnWhenOver;
    const aside = this.#landsAside ? this.#aside : undefined;
    const more = aside === undefined ? intake.landed(byteCount) : intake.chunk(aside.subarray(0, byteCount));
    this.#isPaused = !more;
    return more;
  };
}
