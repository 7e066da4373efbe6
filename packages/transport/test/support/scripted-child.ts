import type { ChildDuplex, CloseReason } from '../../src/index.ts';

/** A child that ends when the test says so, and can tell it late or twice. Only what a keeper touches is there. */
export class ScriptedChild {
  readonly generation: number;
  /** How often `close()` was called. */
  closes = 0;
  /** Whether `close()` ends it at once; else the test does, as the last step of a ladder would. */
  endsWhenClosed = true;
  /** A thenable and no promise, because a promise cannot settle twice. */
  readonly closed: Promise<CloseReason>;
  readonly #waiting: ((reason: CloseReason) => void)[] = [];
  #hasEnded = false;

  constructor(generation: number) {
    this.generation = generation;
    this.closed = {
      // biome-ignore lint/suspicious/noThenProperty: it stands in for the promise of a child
      then: (resolve: (reason: CloseReason) => void) => this.#waiting.push(resolve),
    } as unknown as Promise<CloseReason>;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  close(): Promise<CloseReason> {
    this.closes++;
    if (this.endsWhenClosed && !this.#hasEnded) this.end({ kind: 'closed', exitCode: 0, signal: null });
    return this.closed;
  }

  /** Tells its end, each time it is called. */
  end(reason: CloseReason): void {
    this.#hasEnded = true;
    for (const resolve of this.#waiting) queueMicrotask(() => resolve(reason));
  }

  asChild(): ChildDuplex {
    return this as unknown as ChildDuplex;
  }
}
