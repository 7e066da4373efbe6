import type { ReadableStream, WritableStream } from 'node:stream/web';
import type { Duplex } from '../duplex.ts';
import { limits } from '../limits.ts';
import type { Source } from '../reading/source.ts';
import { AbortableDuplex } from './abortable-duplex.ts';
import type { StreamOptions } from './stream-options.ts';
import { WebSink } from './web-sink.ts';
import { WebSource } from './web-source.ts';

/** Two Web streams of bytes: what `fetch`, workers, Deno and `CompressionStream` give and take. */
export interface WebStreamPair {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/**
 * A duplex over two Web streams of bytes. It locks both until it ends; then the reader is cancelled and the writer closed, or aborted
 * when the duplex did not end in order. What is written is a copy of its own, which the stream may keep or transfer.
 *
 * @throws TypeError when a stream is locked. TransportError `OPTION_RANGE`; FramingError for the reader's options.
 */
export function webStreamDuplex(streams: WebStreamPair, options: StreamOptions = {}): Duplex {
  return new WebStreamDuplex(streams, options);
}

class WebStreamDuplex extends AbortableDuplex {
  readonly #source: WebSource;
  readonly #sink: WebSink;
  readonly #flushMs: number;

  constructor({ readable, writable }: WebStreamPair, options: StreamOptions) {
    super(options);
    this.#flushMs = options.exitFlushMs ?? limits.exitFlushMs.default;
    this.#source = new WebSource(readable.getReader());
    this.#sink = new WebSink(writable.getWriter(), this.outbox);
    this.outbox.attach(this.#sink);
    this.watchSignal();
  }

  describe(): string {
    return 'web stream';
  }

  protected openSource(): Source {
    return this.#source;
  }

  protected letGo(isOrderly: boolean, done: () => void): void {
    if (isOrderly) {
      this.#sink.whenClosed(this.#flushMs, () => this.#source.letGo(limits.exitDrainMs.default, done));
      return;
    }
    this.#sink.abort();
    this.#source.letGo(0, done);
  }
}
