import type { OnReadOpts, Socket, SocketConstructorOpts } from 'node:net';
import { Landing } from './landing.ts';
import type { Intake, Source } from './source.ts';

/** Reads a pipe or socket straight into the window of the frame reader. */
export class SocketSource implements Source {
  readonly #from: { readonly fd: number } | { readonly handle: object };
  readonly #landing: Landing = new Landing(false);
  #socket: Socket | undefined;

  /** A descriptor, or the handle of one that Node has opened; this source is its owner then. */
  constructor(from: number | object) {
    this.#from = typeof from === 'number' ? { fd: from } : { handle: from };
  }

  start(intake: Intake): void {
    const landing = this.#landing;
    landing.begin(intake);
    // Not imported at the top: runs between files and devices never load it.
    const { Socket } = process.getBuiltinModule('node:net');
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      ...this.#from,
      readable: true,
      writable: false,
      onread: landing.onread,
    };
    const socket = new Socket(options);
    this.#socket = socket;
    socket.on('end', () => landing.isOver || intake.ended());
    socket.on('error', (error) => landing.isOver || intake.failed(error));
  }

  resume(): void {
    if (this.#landing.unpause()) this.#socket?.resume();
  }

  stop(): void {
    this.#landing.end();
    this.#socket?.destroy();
  }
}
