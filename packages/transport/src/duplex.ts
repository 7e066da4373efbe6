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
  /** The unsent bytes had been above `highWaterBytes` (`isFull`), and fell to `lowWaterBytes`: requests are taken again. */
  onDrain?(): void;
  /** Exactly once, as the last callback. */
  onClose?(reason: CloseReason): void;
  /** Bytes of the child's stderr as they come; the receiver owns them. Child only. */
  onStderr?(bytes: Uint8Array): void;
}

/** The requests that came while requests were paused. */
export interface ParkedRequests {
  readonly count: number;
  /** Bytes of memory that they take: for each the length of its frame and 512. At most `maxParkedBytes`. */
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
  /**
   * If reading has stopped in front of a request, `DuplexHandlers.refusal` is asked about it once more, and reading goes on if it refuses now.
   * For who has begun to wait for an answer: it is behind that request.
   */
  reconsider(): void;
}

/**
 * Names a frame that was accepted: a positive integer, never given twice by one duplex, rising within a lane. 0: the outbox is full, nothing
 * was queued, and `onDrain` will come.
 */
export type Ticket = number;

/**
 * The two queues of an outbox, each in order. All that waits in `reply` (answers and notifications) goes before what waits in `request`;
 * priority is decided between frames, so no frame is ever torn.
 *
 * - `reply`: always accepted. Whoever runs the calls bounds their number, and starts no more of them while `isFull`.
 * - `request`: refused with ticket 0 while `isFull`. Can be withdrawn until its bytes are handed to the system.
 */
export type Lane = 'reply' | 'request';

/** How one frame is sent. */
export interface SendOptions {
  /** Default `request`. */
  readonly lane?: Lane;
  /** Aborted while the frame is still in the outbox, it is withdrawn. Request lane only. */
  readonly signal?: AbortSignal;
  /** A frame that is still in the outbox after so many ms is withdrawn: 0 to 2^31−1, no limit by default. Request lane only. */
  readonly timeoutMs?: number;
}

/**
 * What became of an accepted frame.
 *
 * - `written`: the system has all of its bytes;
 * - `dropped`: it was withdrawn, or this side ended before it was written: the system has no byte of it, unless a slow peer cut the last
 *   chunk of a close short;
 * - `peer-closed`: the peer was gone, or the connection failed, before all of its bytes were taken. Some may have been.
 */
export type SendOutcome = 'written' | 'dropped' | 'peer-closed';

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
  /** Frames accepted and not withdrawn. */
  readonly framesOut: number;
  readonly bytesIn: number;
  /** Bytes handed to the system, or to the stream in front of it. */
  readonly bytesOut: number;
  readonly faults: number;
  readonly invalidFrames: number;
  readonly blankFrames: number;
  /** How often the unsent bytes went above the high-water mark. */
  readonly stalls: number;
  /** Bytes of accepted frames that were dropped because the peer had gone or the duplex had ended; withdrawn frames are none of them. */
  readonly droppedBytes: number;
  /** Bytes of accepted frames that the system has not taken yet: `queuedBytes` of the duplex. */
  readonly queuedBytes: number;
  /** Bytes held for a frame that is coming in and has outgrown the landing window. */
  readonly storedBytes: number;
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
   * Queues one frame: a JSON text, its bytes in UTF-8 (copied), or an object to be encoded as `encodeJson` does it. The newline is added.
   * Never waits and makes no promise: frames are written together when the current read batch ends, at 64 KiB, or on the next turn of the
   * event loop.
   *
   * @returns the frame's ticket; 0 when the request lane is full (the frame was not looked at, go on after `onDrain`). A signal that is
   *   aborted already: a ticket, and nothing is queued. Once the peer is known to be gone and `onClose` is on its way: a ticket, and the
   *   frame is dropped and counted.
   * @throws TransportError `SEND_NOT_ONE_FRAME` for a newline inside, `SEND_AFTER_CLOSE` after `close()`, `end()` or the end of the duplex,
   *   `OPTION_INVALID` for what is no frame and for wrong options, `OPTION_RANGE` for `timeoutMs`.
   * @throws FramingError `ENCODE_REFUSED`, with the path, for an object that has no JSON. Nothing is queued after any of these.
   */
  send(frame: string | Uint8Array | object, options?: SendOptions): Ticket;
  /**
   * `send` for a text that came out of a JSON encoder and so can hold no newline: it is not searched for one, which would cost more than
   * queueing it. With a newline in it the peer sees two frames.
   *
   * @param lane - default `reply`
   * @returns and throws as `send`, but never `SEND_NOT_ONE_FRAME`.
   */
  sendEncoded(frame: string, lane?: Lane): Ticket;
  /**
   * `sendEncoded` for a frame that writes itself into the memory that goes to the system: no string is made, in the reply lane. When the
   * writer throws, nothing is queued and its exception comes out.
   *
   * @param lane - default `reply`; a request is queued as its text
   * @returns and throws as `sendEncoded`.
   */
  sendWith(writer: FrameWriter, lane?: Lane): Ticket;
  /**
   * Sends a refusal that must go out although the outbox is full: in the reply lane, and above `highWaterBytes` counted against
   * `reservedBytes`. A frame with a newline is not looked for, as in `sendEncoded`.
   *
   * @returns false when that quota is used up too. Then the peer has stopped reading while it goes on asking: the duplex closes with kind
   *   `error`, code `OVERLOADED`, and what was queued is dropped.
   * @throws TransportError `SEND_AFTER_CLOSE`.
   */
  sendReserved(frame: string): boolean;
  /**
   * Takes a request back that is still in the outbox: nothing of it is ever sent, its bytes count no more, it settles as `dropped`.
   *
   * @returns false when its bytes were handed to the system, when it was withdrawn before, and for tickets of the reply lane. When the
   *   peer is gone or the duplex has ended: true if the request was still in the outbox then, so that it can be sent again elsewhere.
   */
  withdraw(ticket: Ticket): boolean;
  /**
   * What becomes of a frame. Costs only who asks; may be asked at any time, also when it is decided, and never rejects. Every ticket
   * settles at the latest when the duplex ends. 0 is `dropped`. Of withdrawn tickets the last 65,536 are remembered; an older one counts as
   * `written`, so that nobody takes a call for unsent that may have run.
   *
   * @throws TransportError `OPTION_INVALID` for a number that is no ticket of this duplex.
   */
  settled(ticket: Ticket): Promise<SendOutcome>;
  /**
   * The unsent bytes went above `highWaterBytes` and `onDrain` has not come since. Requests are not taken; whoever runs calls starts no more
   * of them. Costs as much as reading a field.
   */
  readonly isFull: boolean;
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
  /** Bytes of accepted frames that the system has not taken yet, newlines included. Exact, but that a chunk counts until all of it is taken. */
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

/**
 * How much may be queued, for the peer and from it. Unsent is at most `highWaterBytes`, one request more, the answers of running calls, and `reservedBytes`.
 */
export interface QueueOptions {
  /** Unsent bytes above which the outbox is full: 0 to 2 GiB−1, default 1 MiB. */
  readonly highWaterBytes?: number;
  /** Unsent bytes at which `onDrain` comes: 0 to `highWaterBytes`, default 256 KiB or `highWaterBytes` if that is less. */
  readonly lowWaterBytes?: number;
  /** Unsent bytes of `sendReserved` frames that may stand above all else: 0 to 2 GiB−1, default 64 KiB. */
  readonly reservedBytes?: number;
  /** Bytes of requests that may wait while requests are paused, 512 for each included: 0 to 2 GiB−1, default 4 MiB. 0: reading stops instead. */
  readonly maxParkedBytes?: number;
}
