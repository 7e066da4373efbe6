import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The wire's own descriptor for writing, when it is not descriptor 1, and the one stream over it. */
export class WireOutput {
  readonly fd: number;
  /** It was opened so that a write takes what there is room for. Otherwise only `socket` makes it so. */
  readonly isNonBlocking: boolean;
  #socket: Socket | undefined;
  #users = 0;
  #isGivenUp = false;

  constructor(fd: number, isNonBlocking: boolean) {
    this.fd = fd;
    this.isNonBlocking = isNonBlocking;
  }

  /** The stream over it, made at the first call; from then on the descriptor does not block. Two streams would take each other's events. */
  get socket(): Socket {
    if (this.#socket === undefined) {
      const { Socket } = process.getBuiltinModule('node:net');
      this.#socket = new Socket({ fd: this.fd, readable: false, writable: true });
    }
    return this.#socket;
  }

  /** False once the stream has failed: its descriptor went with it, and the number may mean something else. */
  get isOpen(): boolean {
    return this.#socket?.destroyed !== true;
  }

  /** A duplex writes to it, and the descriptor stays open at least until the returned function is called. */
  use(): () => void {
    this.#users++;
    return () => {
      this.#users--;
      this.#closeIfUnused();
    };
  }

  /** Closes it as soon as nobody uses it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#closeIfUnused();
  }

  #closeIfUnused(): void {
    if (!this.#isGivenUp || this.#users > 0 || !this.isOpen) return;
    this.#isGivenUp = false;
    if (this.#socket === undefined) closeSync(this.fd);
    else this.#socket.destroy();
  }
}
