import type { Readable, Writable } from 'node:stream';
import type { Duplex } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Source } from '../reading/source.ts';
import { StreamSource } from '../reading/source-stream.ts';
import { AbortableDuplex } from './abortable-duplex.ts';
import { isPlainSocket, openNodeSink } from './node-sink.ts';
import type { StreamOptions } from './stream-options.ts';

/**
 * A duplex over two Node streams, or over one that is both (`streamDuplex(socket)`). It owns them from this call on: nobody else may read,
 * write, pause or destroy them, and they are destroyed when it ends.
 *
 * A stream that is no socket gets copies of what is sent, since it may keep them. An error of either stream ends the duplex: kind
 * `peer-closed` when its code says that nobody is there any more, or it has none; else `error` with `READ_FAILED` or `WRITE_FAILED`.
 *
 * @throws TransportError `OPTION_INVALID` for a stream of objects; `OPTION_RANGE`. FramingError for the reader's options.
 */
export function streamDuplex(readable: Readable, writable: Writable, options?: StreamOptions): Duplex;
export function streamDuplex(both: Readable & Writable, options?: StreamOptions): Duplex;
export function streamDuplex(
  readable: Readable,
  second: Writable | StreamOptions = {},
  third: StreamOptions = {},
): Duplex {
  if (isWritable(second)) return new NodeStreamDuplex(readable, second, third, 'stream');
  if (!isWritable(readable)) {
    throw new TransportError('OPTION_INVALID', 'one stream alone must be readable and writable');
  }
  return new NodeStreamDuplex(readable, readable, second, 'stream');
}

function isWritable(value: unknown): value is Writable {
  return typeof value === 'object' && value !== null && 'write' in value && typeof value.write === 'function';
}

/** Also the duplex of sockets, whose source may be another. */
export class NodeStreamDuplex extends AbortableDuplex {
  readonly #label: string;
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #source: Source | undefined;
  readonly #flushMs: number;

  /** @param source - reads `readable`, if `'data'` is not the way */
  constructor(
    readable: Readable,
    writable: Writable,
    options: StreamOptions,
    label: string,
    source?: Source,
  ) {
    super(options);
    this.#label = label;
    this.#readable = readable;
    this.#writable = writable;
    this.#source = source;
    this.#flushMs = options.exitFlushMs ?? limits.exitFlushMs.default;
    if (readable.readableObjectMode)
      throw new TransportError('OPTION_INVALID', 'the readable stream must give bytes, not objects');
    // An error can come before there is a reader; the writing side, or the start, will see that the stream is gone.
    readable.on('error', () => {});
    // The end of the peer is not ours.
    if ('allowHalfOpen' in writable) writable.allowHalfOpen = true;
    this.outbox.attach(openNodeSink(writable, this.outbox, () => {}));
    this.watchSignal();
  }

  describe(): string {
    return this.#label;
  }

  protected openSource(): Source {
    const readable = this.#readable;
    return (
      this.#source ??
      new StreamSource(readable, {
        pause: () => readable.pause(),
        resume: () => readable.resume(),
        // Thrown away until the streams are let go of: a socket that is closed with bytes unread is reset, and so is what we wrote last.
        release: () => readable.resume(),
      })
    );
  }

  protected letGo(isOrderly: boolean, done: () => void): void {
    if (!isOrderly) this.#destroy(done);
    else whenOver(this.#writable, 'finish', this.#flushMs, () => this.#linger(done));
  }

  /** Waits a moment for the end of the peer, for the same reason. */
  #linger(done: () => void): void {
    const readable = this.#readable;
    if (!isPlainSocket(readable) || readable.readableEnded) this.#destroy(done);
    else whenOver(readable, 'end', limits.exitDrainMs.default, () => this.#destroy(done));
  }

  #destroy(done: () => void): void {
    this.#readable.destroy();
    this.#writable.destroy();
    // The descriptor is closed on a later turn; a stream of others may never say so.
    if (isPlainSocket(this.#writable)) whenOver(this.#writable, 'close', limits.exitDrainMs.default, done);
    else done();
  }
}

/** Calls back once, when the event has come or the stream is closed, at the latest after some time. */
function whenOver(
  stream: Readable | Writable,
  event: 'finish' | 'end' | 'close',
  timeoutMs: number,
  over: () => void,
): void {
  const isOver =
    stream.closed ||
    (event === 'finish' && 'writableFinished' in stream && stream.writableFinished) ||
    (event === 'end' && 'readableEnded' in stream && stream.readableEnded);
  if (isOver) {
    over();
    return;
  }
  const finish = (): void => {
    clearTimeout(timer);
    stream.off(event, finish);
    stream.off('close', finish);
    over();
  };
  const timer = setTimeout(finish, timeoutMs);
  stream.on(event, finish);
  if (event !== 'close') stream.on('close', finish);
}
