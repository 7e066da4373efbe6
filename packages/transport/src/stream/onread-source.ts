import type { OnReadOpts, Socket } from 'node:net';
import { Landing } from '../reading/landing.ts';
import type { Intake, Source } from '../reading/source.ts';

/**
 * Reads a socket that is made by us straight into the window of the frame reader. It is made before its socket, which is told of the landing
 * place at its own making (`onread`).
 *
 * After `stop()` what comes is thrown away: a socket that is closed with bytes unread is reset, and the peer may lose what we wrote last.
 */
export class OnreadSource implements Source {
  readonly #landing: Landing = new Landing(true);
  #socket: Socket | undefined;

  get onread(): OnReadOpts {
    return this.#landing.onread;
  }

  /** Nothing is read before `start()`. */
  attach(socket: Socket): void {
    this.#socket = socket;
    socket.pause();
  }

  start(intake: Intake): void {
    const landing = this.#landing;
    landing.begin(intake);
    this.#socket?.on('end', () => landing.isOver || intake.ended());
    this.#socket?.on('error', (error) => landing.isOver || intake.failed(error));
    this.#socket?.resume();
  }

  resume(): void {
    if (this.#landing.unpause()) this.#socket?.resume();
  }

  stop(): void {
    if (this.#landing.isOver) return;
    this.#landing.end();
    this.#socket?.resume();
  }
}
