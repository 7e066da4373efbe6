import type { OnReadOpts, Socket } from 'node:net';
import type { Intake, Source } from '../reading/source.ts';

/** Only the first read, and those after a stop, land here. */
const ASIDE_BYTES = 64 * 1024;

/**
 * Reads a socket that is made by us straight into the window of the frame reader. It is made before its socket, which is told of the landing
 * place at its own making (`onread`).
 *
 * After `stop()` what comes is thrown away: a socket that is closed with bytes unread is reset, and the peer may lose what we wrote last.
 */
export class OnreadSource implements Source {
  readonly onread: OnReadOpts;
  #socket: Socket | undefined;
  #intake: Intake | undefined;
  #aside: Uint8Array | undefined;
  #landsAside = false;
  #stopped = false;
  /** The intake said false; Node is told so by the callback's result. */
  #paused = false;

  constructor() {
    this.onread = { buffer: this.#place, callback: this.#landed };
  }

  /** Nothing is read before `start()`. */
  attach(socket: Socket): void {
    this.#socket = socket;
    socket.pause();
  }

  start(intake: Intake): void {
    this.#intake = intake;
    this.#socket?.on('end', () => this.#stopped || intake.ended());
    this.#socket?.on('error', (error) => this.#stopped || intake.failed(error));
    this.#socket?.resume();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket?.resume();
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#socket?.resume();
  }

  readonly #place = (): Uint8Array => {
    const room = this.#paused || this.#stopped ? undefined : this.#intake?.room();
    this.#landsAside = room === undefined || room.length === 0;
    if (room !== undefined && room.length > 0) return room;
    this.#aside ??= new Uint8Array(ASIDE_BYTES);
    return this.#aside;
  };

  readonly #landed = (byteCount: number): boolean => {
    const intake = this.#intake;
    if (intake === undefined || this.#stopped) return true;
    const aside = this.#landsAside ? this.#aside : undefined;
    const more = aside === undefined ? intake.landed(byteCount) : intake.chunk(aside.subarray(0, byteCount));
    this.#paused = !more;
    return more;
  };
}
