import type { Readable } from 'node:stream';
import { TransportError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { ByteTail } from './byte-tail.ts';
import { beginForwarding, endForwarding, forwardToStderr } from './stderr-forward.ts';

/** What is done with a child's stderr, beside reading it and keeping its tail. */
export type StderrUse = 'tail' | 'forward' | 'ignore' | ((bytes: Uint8Array) => void);

/** The stderr of one child: read from the spawn on, so that the child is never blocked by it. */
export class ChildStderr {
  readonly #use: StderrUse;
  readonly #tail: ByteTail;
  readonly #told: (bytes: Uint8Array) => void;
  #stream: Readable | undefined;
  #isDone = true;

  /**
   * @param told gets the bytes unless they are ignored or go to a function of the caller's
   * @throws TransportError `OPTION_INVALID` or `OPTION_RANGE`
   */
  constructor(use: StderrUse | undefined, tailBytes: number | undefined, told: (bytes: Uint8Array) => void) {
    this.#use = checkedUse(use ?? 'tail');
    this.#tail = new ByteTail(limitValue('stderrTailBytes', tailBytes));
    this.#told = told;
  }

  /** Reads to the end; `done` comes once, also after `giveUp()`. */
  read(stream: Readable, done: () => void): void {
    this.#stream = stream;
    this.#isDone = false;
    stream.on('data', this.#onBytes);
    stream.on('error', () => {});
    if (this.#use === 'forward') beginForwarding();
    stream.on('close', () => {
      if (this.#use === 'forward') endForwarding();
      this.#isDone = true;
      done();
    });
  }

  /** Nothing more comes: it was never opened, has ended, or was given up. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get tailText(): string {
    return this.#tail.text();
  }

  /** What there was before anybody could be told: the tail. */
  tellEarly(): void {
    if (typeof this.#use === 'function' || this.#use === 'ignore') return;
    const early = this.#tail.copyBytes();
    if (early.length > 0) this.#told(early);
  }

  giveUp(): void {
    this.#isDone = true;
    this.#stream?.destroy();
  }

  readonly #onBytes = (bytes: Uint8Array): void => {
    this.#tail.push(bytes);
    if (typeof this.#use === 'function') {
      this.#use(bytes);
      return;
    }
    if (this.#use === 'ignore') return;
    if (this.#use === 'forward') forwardToStderr(bytes);
    this.#told(bytes);
  };
}

function checkedUse(use: StderrUse): StderrUse {
  if (use === 'tail' || use === 'forward' || use === 'ignore' || typeof use === 'function') return use;
  throw new TransportError('OPTION_INVALID', "stderr must be 'tail', 'forward', 'ignore' or a function");
}
