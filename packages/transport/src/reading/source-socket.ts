import type { OnReadOpts, Socket, SocketConstructorOpts } from 'node:net';
import type { Intake, Source } from './source.ts';

/** One read of a pipe brings at most this much, and only the first read after a stop lands here. */
const ASIDE_BYTES = 64 * 1024;

/**
 * Reads a pipe or socket straight into the window of the frame reader (`onread`): no buffer per read, no copy.
 *
 * Node asks for the next landing place before it stops reading. While the reader holds frames that place may be small, or none at all,
 * so the first read after a stop lands aside and is copied.
 */
export class SocketSource implements Source {
  readonly #from: { readonly fd: number } | { readonly handle: object };
  #socket: Socket | undefined;
  #intake: Intake | undefined;
  #aside: Uint8Array | undefined;
  #landsAside = false;
  #stopped = false;
  /** The intake said false; Node is told so by the callback's result. */
  #paused = false;

  /** A descriptor, or the handle of one that Node has opened; this source is its owner then. */
  constructor(from: number | object) {
    this.#from = typeof from === 'number' ? { fd: from } : { handle: from };
  }

  start(intake: Intake): void {
    this.#intake = intake;
    // Not imported at the top: runs between files and devices never load it.
    const { Socket } = process.getBuiltinModule('node:net');
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      ...this.#from,
      readable: true,
      writable: false,
      onread: { buffer: this.#place, callback: this.#landed },
    };
    const socket = new Socket(options);
    this.#socket = socket;
    socket.on('end', () => this.#stopped || intake.ended());
    socket.on('error', (error) => this.#stopped || intake.failed(error));
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket?.resume();
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.destroy();
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
    if (intake === undefined || this.#stopped) return false;
    const aside = this.#landsAside ? this.#aside : undefined;
    const more = aside === undefined ? intake.landed(byteCount) : intake.chunk(aside.subarray(0, byteCount));
    this.#paused = !more;
    return more;
  };
}
