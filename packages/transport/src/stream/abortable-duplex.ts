import type { CloseReason } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { StreamDuplex } from '../framed/stream-duplex.ts';
import { limitValue } from '../limits.ts';
import { onAbort } from '../shared-abort.ts';
import type { StreamOptions } from './stream-options.ts';

/** A stream duplex that a signal can end, and whose streams may need a moment to be let go of: only then is it closed. */
export abstract class AbortableDuplex extends StreamDuplex {
  readonly #signal: AbortSignal | undefined;
  #unabort: (() => void) | undefined;
  #isReleased = false;
  #allWritten = false;

  constructor(options: StreamOptions) {
    super(options, limitValue('exitFlushMs', options.exitFlushMs));
    this.#signal = options.signal;
  }

  /** To be called when the streams are attached. */
  protected watchSignal(): void {
    const signal = this.#signal;
    if (signal === undefined) return;
    if (signal.aborted) process.nextTick(this.#onAbort);
    else this.#unabort = onAbort(signal, this.#onAbort);
  }

  protected override settle(reason: CloseReason): void {
    this.#allWritten ||= this.outbox.ended;
    super.settle(reason);
  }

  protected released(reason: CloseReason): void {
    // What a peer does while its streams are being let go of must not end the duplex a second time.
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#unabort?.();
    const isOrderly = this.#allWritten && reason.error === undefined;
    this.letGo(isOrderly, () => this.tellEnd(reason));
  }

  /** Lets go of the streams and calls back, once, also when that takes no time. Orderly: everything is written and ended. */
  protected abstract letGo(isOrderly: boolean, done: () => void): void;

  readonly #onAbort = (): void => {
    const error = new TransportError('ABORTED', 'the signal of the duplex was aborted', {
      cause: this.#signal?.reason,
    });
    this.settle({ kind: 'closed', error });
  };
}
