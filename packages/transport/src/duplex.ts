import type { FrameBatch, FrameReaderOptions, IdKey } from '@linewire/framing';

/** How a duplex ended. */
export interface CloseReason {
  /**
   * - `closed`: this side closed it;
   * - `eof`: this side closed it after the peer had said that it sends no more;
   * - `peer-closed`: the peer stopped reading (EPIPE), so nothing could be sent any more;
   * - `exit`: the child process ended by itself, also when it was closed after it had said that it sends no more;
   * - `error`: reading, writing or starting failed, see `error`.
   */
  readonly kind: 'closed' | 'eof' | 'peer-closed' | 'exit' | 'error';
  /** Child only: its exit code; null when a signal ended it, undefined when it never started. */
  readonly exitCode?: number | null;
  /** Child only: the signal that ended it, or null. */
  readonly signal?: string | null;
  /** Child only: the last bytes of its stderr, decoded, at most `stderrTailBytes` of them. */
  readonly stderrTail?: string;
  readonly error?: Error;
}

/** What a duplex calls. Each callback belongs to one owner for the whole life of the duplex; there are no listeners to add or remove. */
export interface DuplexHandlers {
  /**
   * Frames in stream order; faults are frames of kind `fault` and `invalid`. The batch is legal only until the callback returns.
   * Returns how many frames were consumed (nothing = all); the rest comes again after `resume()`.
   */
  onFrames(batch: FrameBatch): number | undefined | void;
  /**
   * Whether a request is delivered though requests are paused. Must not change anything: the frame comes through `onFrames` at once.
   * Default: none is. A request whose id is parked already is always delivered, to be refused.
   */
  isFree?(batch: FrameBatch, index: number): boolean;
  /**
   * The parked requests have no room for this one. The answer that refuses it, one JSON text, goes out from the reserved quota and reading goes
   * on; undefined, the default, stops reading until half of their bytes are gone. Refuse while this side waits for answers itself:
   * they are behind the request, and a peer that does the same would wait for ever.
   */
  refusal?(batch: FrameBatch, index: number): string | undefined;
  /** The peer will send nothing more. Comes once, after the last frame; only requests that are parked by then come later. */
  onEnd?(): void;
  /** `send()` had returned false, and the unsent bytes fell to `lowWaterBytes`. */
  onDrain?(): void;
  /** Exactly once, as the last callback. */
  onClose?(reason: CloseReason): void;
  /** Bytes of the child's stderr as they come; the receiver owns them. Child only. */
  onStderr?(bytes: Uint8Array): void;
}

/** The requests that came while requests were paused. */
export interface ParkedRequests {
  readonly count: number;
  /** Bytes of their frames, at most `maxParkedBytes`. */
  readonly byteCount: number;
  /** How often reading stopped because there was no room for one more. */
  readonly stalls: number;
  /** How many were refused because there was no room for one more. */
  readonly refused: number;
  has(key: IdKey): boolean;
  /** Takes one out, as its sender has cancelled it. False: none of that id waits. */
  drop(key: IdKey): boolean;
  /** Takes all out. Returns the exact texts of their ids, in order. */
  dropAll(): string[];
}

/** One frame that writes itself into memory that it is given. */
export interface FrameWriter {
  /**
   * Writes one JSON text in UTF-8, without a newline, into `target` from `at` on.
   *
   * @returns the position after it, or -1 when it does not fit
   */
  writeInto(target: Uint8Array, at: number): number;
  /** The frame as text. Asked for when it did not fit, and when there is no memory to give. */
  text(): string;
}

/** Counters since the duplex was opened. */
export interface DuplexStats {
  /** Non-blank frames read, faults and invalid ones included. */
  readonly framesIn: number;
  readonly framesOut: number;
  readonly bytesIn: number;
  /** Bytes handed to the system, or to the stream in front of it. */
  readonly bytesOut: number;
  readonly faults: number;
  readonly invalidFrames: number;
  readonly blankFrames: number;
  /** How often `send()` went above the high-water mark. */
  readonly stalls: number;
  /** Frames accepted by `send()` whose bytes were dropped because the peer had gone. Counted in bytes. */
  readonly droppedBytes: number;
}

/**
 * Both directions of one connection, in whole frames.
 *
 * The same contract over own stdio, a child process and a pair in memory, so nothing above may assume a process.
 */
export interface Duplex {
  /**
   * Begins to read. Nothing is lost before; it waits in the system's buffers.
   *
   * @throws TransportError `ALREADY_STARTED` at the second call.
   */
  start(handlers: DuplexHandlers): void;
  /**
   * Queues one JSON text; the newline is added. Never waits and makes no promise: frames are written together when the current read batch
   * ends, at 64 KiB, or on the next turn of the event loop.
   *
   * @returns false when the unsent bytes are above `highWaterBytes` (the frame is queued all the same): go on after `onDrain`.
   *   Also false, and the frame is dropped and counted, once the peer is known to be gone and `onClose` is on its way.
   * @throws TransportError `SEND_NOT_ONE_FRAME` for a newline inside, `SEND_AFTER_CLOSE` after `close()`, `end()` or the end of the duplex.
   */
  send(frame: string): boolean;
  /**
   * `send` for a text that came out of a JSON encoder and so can hold no newline: it is not searched for one, which would cost more than
   * queueing it. With a newline in it the peer sees two frames.
   *
   * @returns and throws as `send`, but never `SEND_NOT_ONE_FRAME`.
   */
  sendEncoded(frame: string): boolean;
  /**
   * `sendEncoded` for a frame that writes itself into the memory that goes to the system: no string is made. When the writer throws, nothing
   * is queued and its exception comes out.
   *
   * @returns and throws as `sendEncoded`.
   */
  sendWith(writer: FrameWriter): boolean;
  /** Writes what is queued now, instead of at the end of the read batch or on the next turn. */
  flush(): void;
  /** Stops the delivery of frames, at once; the reading of bytes stops when the next chunk has come, so at most one window is held. */
  pause(): void;
  /** Delivers what was held and reads on. */
  resume(): void;
  /**
   * Pause by kind: requests that come from now on are copied and wait, at most `maxParkedBytes` of them (see `DuplexHandlers.refusal`), while
   * answers, notifications and faults are delivered as before. Inside `onFrames` it also holds for the frames of the batch that are not
   * consumed. Idempotent.
   */
  pauseRequests(): void;
  /** Delivers the requests that have waited, in order, one in a batch, until they are paused again, and then what comes. Inside a callback: after it. */
  resumeRequests(): void;
  readonly parked: ParkedRequests;
  /** Writes what is queued, and settles when the system has taken all of it, or nothing more can be written. Never rejects, waits as long as the peer does. */
  flushed(): Promise<void>;
  /** Bytes accepted by `send()` that the system has not taken yet, newlines included. Exact. */
  readonly queuedBytes: number;
  /** Says that this side will send no more (EOF for the peer) once all is written, and goes on reading. Own stdio keeps its descriptor open. */
  end(): void;
  /** Writes what is queued, then ends. Idempotent; settles after everything is released, and never rejects. */
  close(): Promise<CloseReason>;
  readonly closed: Promise<CloseReason>;
  /** A snapshot, made when it is read. */
  readonly stats: DuplexStats;
}

/** How the frames of the peer are read: the limits and policies of the frame reader. */
export type ReadingOptions = Omit<FrameReaderOptions, 'onFrames'>;

/** How much may be queued, for the peer and from it. */
export interface QueueOptions {
  /** Unsent bytes above which `send()` returns false: 0 to 2 GiB−1, default 1 MiB. */
  readonly highWaterBytes?: number;
  /** Unsent bytes at which `onDrain` comes: 0 to `highWaterBytes`, default 256 KiB or `highWaterBytes` if that is less. */
  readonly lowWaterBytes?: number;
  /** Bytes of requests that may wait while requests are paused: 0 to 2 GiB−1, default 4 MiB. 0: reading stops instead. */
  readonly maxParkedBytes?: number;
}
