import type { CloseReason, QueueOptions, ReadingOptions } from '../duplex.ts';
import { TransportError } from '../errors.ts';
import { limitValue } from '../limits.ts';
import { readFailure, writeFailure } from '../writing/io-failure.ts';
import type { Transit } from './byte-transit.ts';
import { Direction } from './direction.ts';
import { Forwarder } from './forwarder.ts';
import type { RelayEnd, RelayEndExit } from './relay-end.ts';

/** One of the two sides of a relay. */
export type RelaySide = 'a' | 'b';

/** How a relay ended. */
export interface RelayReason {
  /**
   * - `eof`: both senders had ended and all was handed on;
   * - `closed`: `close()` was called;
   * - `peer-closed`: the side took nothing any more, or was reset;
   * - `exit`: the child of the side exited;
   * - `error`: reading, writing or looking at frames failed, see `error`.
   */
  readonly kind: CloseReason['kind'];
  /** Where it began; absent for `eof` and `closed`. */
  readonly side?: RelaySide;
  /** Child only; null when a signal ended it. */
  readonly exitCode?: number | null;
  /** Child only. */
  readonly signal?: string | null;
  readonly error?: Error;
}

/** Counters of one direction. */
export interface RelayDirectionStats {
  readonly bytesIn: number;
  /** Bytes handed to the system, or to the stream in front of it. */
  readonly bytesOut: number;
  /** Bytes that were read and could not be handed on, since the receiver had gone. */
  readonly droppedBytes: number;
  /** Bytes that wait for the receiver now. */
  readonly heldBytes: number;
  /** How often reading stopped for the receiver. */
  readonly stalls: number;
  /** The next are 0 when nobody looks at frames. Non-blank frames, faults and invalid ones included. */
  readonly framesIn: number;
  readonly faults: number;
  readonly invalidFrames: number;
  readonly blankFrames: number;
}

/** How long a relay waits, how much it holds, and which ways it goes. */
export interface RelayOptions extends Pick<QueueOptions, 'highWaterBytes'> {
  /** `both` (default): each way that the sides have a source and a sink for. */
  readonly direction?: 'both' | 'a-to-b';
  /** Longest time for what is held after `close()`: 0 to 2^31−1 ms, default 2,000. */
  readonly exitFlushMs?: number;
  /** Time without a byte after which a side that has gone is taken to have sent everything: 0 to 2^31−1 ms, default 250. */
  readonly exitDrainMs?: number;
  /** How frames are read where somebody looks at them. */
  readonly reading?: ReadingOptions;
}

/** Two sides joined. */
export interface Relay {
  /** Settles when nothing is under way any more and the streams are let go of. Never rejects. */
  readonly closed: Promise<RelayReason>;
  /** Reads no more, hands on what was read, ends both sides. Idempotent, never rejects. */
  close(): Promise<RelayReason>;
}

/** What stands in the way from `from` to the other side. */
export type OpenTransit = (from: RelaySide, to: Forwarder, reading: ReadingOptions) => Transit;

/** Two directions, and the rules of how the end of one side becomes the end of the other. */
export class JoinedEnds implements Relay {
  readonly closed: Promise<RelayReason>;
  readonly #ends: Readonly<Record<RelaySide, RelayEnd>>;
  /** By the side that sends. */
  readonly #directions: Partial<Record<RelaySide, Direction>> = {};
  readonly #transits: Partial<Record<RelaySide, Transit>> = {};
  readonly #exitFlushMs: number;
  readonly #exitDrainMs: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #resolve: (reason: RelayReason) => void = () => {};
  #cause: RelayReason | undefined;
  #underWay = 0;
  /** Children that have not exited. */
  #alive = 0;
  #isOver = false;

  constructor(a: RelayEnd, b: RelayEnd, options: RelayOptions, openTransit: OpenTransit) {
    const { direction = 'both', reading = {} } = options;
    if (direction !== 'both' && direction !== 'a-to-b')
      throw new TransportError('OPTION_INVALID', "direction must be 'both' or 'a-to-b'");
    const maxHeldBytes = limitValue('highWaterBytes', options.highWaterBytes);
    this.#exitFlushMs = limitValue('exitFlushMs', options.exitFlushMs);
    this.#exitDrainMs = limitValue('exitDrainMs', options.exitDrainMs);
    this.#ends = { a, b };
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    for (const from of direction === 'both' ? (['a', 'b'] as const) : (['a'] as const)) {
      this.#open(from, maxHeldBytes, (to) => openTransit(from, to, reading));
    }
    if (this.#underWay === 0)
      throw new TransportError('OPTION_INVALID', `nothing can go from ${a.name} to ${b.name}`);
    this.#watchExit('a');
    this.#watchExit('b');
    for (const from of ['a', 'b'] as const) {
      const transit = this.#transits[from];
      if (transit !== undefined) this.#directions[from]?.start(transit);
    }
  }

  close(): Promise<RelayReason> {
    if (this.#isOver) return this.closed;
    this.#cause ??= { kind: 'closed' };
    this.#directions.a?.endInput();
    this.#directions.b?.endInput();
    this.#after(this.#exitFlushMs, () => this.#release());
    return this.closed;
  }

  /** Counters of the way that begins at a side; undefined when there is none. */
  statsFrom(side: RelaySide): RelayDirectionStats | undefined {
    const direction = this.#directions[side];
    if (direction === undefined) return undefined;
    const { bytesOut, droppedBytes, heldBytes, stalls } = direction.forwarder;
    const seen = this.#transits[side]?.reader?.stats();
    return {
      bytesIn: direction.bytesIn,
      bytesOut,
      droppedBytes,
      heldBytes,
      stalls,
      framesIn: seen?.frames ?? 0,
      faults: seen?.faults ?? 0,
      invalidFrames: seen?.invalid ?? 0,
      blankFrames: seen?.blankFrames ?? 0,
    };
  }

  #open(from: RelaySide, maxHeldBytes: number, openTransit: (to: Forwarder) => Transit): void {
    const to = other(from);
    const source = this.#ends[from].openSource();
    if (source === undefined) return;
    const { openSink } = this.#ends[to];
    const owner = {
      inputFailed: (error: Error): void => this.#sideFailed(from, readFailure(error)),
      outputBroken: (error: Error): void => this.#sideFailed(to, writeFailure(error)),
      transitFailed: (error: Error): void => this.#transitFailed(from, error),
      over: (): void => this.#directionOver(),
    };
    let hasSink = true;
    const direction = new Direction(owner, source, (forwarderOwner) => {
      return new Forwarder(forwarderOwner, maxHeldBytes, (sinkOwner) => {
        const sink = openSink(sinkOwner);
        hasSink = sink !== undefined;
        return sink ?? NO_SINK;
      });
    });
    if (!hasSink) return;
    this.#directions[from] = direction;
    this.#transits[from] = openTransit(direction.forwarder);
    this.#underWay++;
  }

  #watchExit(side: RelaySide): void {
    const { onExit } = this.#ends[side];
    if (onExit === undefined) return;
    this.#alive++;
    onExit((exit) => this.#exited(side, exit));
  }

  #exited(side: RelaySide, exit: RelayEndExit): void {
    this.#alive--;
    if (this.#isOver) return;
    if (this.#cause === undefined || this.#cause.side === side) this.#cause = { kind: 'exit', side, ...exit };
    this.#directions[other(side)]?.release();
    this.#drain(side);
    this.#settleIfOver();
  }

  #sideFailed(side: RelaySide, { kind, error }: CloseReason): void {
    if (this.#isOver) return;
    this.#cause ??= { kind, side, ...(error && { error }) };
    // A child says by its exit that it has gone; until then it may go on speaking with its stdin closed.
    if (this.#ends[side].onExit !== undefined) return;
    this.#directions[other(side)]?.release();
    this.#drain(side);
  }

  #transitFailed(side: RelaySide, error: Error): void {
    this.#cause = { kind: 'error', side, error };
    this.#directions.a?.endInput();
    this.#directions.b?.endInput();
    this.#after(this.#exitFlushMs, () => this.#release());
  }

  /** What a side that has gone had sent may still be in the system's buffers. Time counts while nothing comes and nothing is held up. */
  #drain(side: RelaySide): void {
    const direction = this.#directions[side];
    if (direction === undefined || direction.isInputOver) return;
    const { bytesIn } = direction;
    this.#after(this.#exitDrainMs, () => {
      if (direction.bytesIn !== bytesIn || direction.forwarder.heldBytes > 0) this.#drain(side);
      else direction.endInput();
    });
  }

  #directionOver(): void {
    this.#underWay--;
    if (this.#underWay > 0 || this.#isOver) return;
    // Both pipes of a child have ended: it is most likely on its way out, and its exit tells more.
    if (this.#alive > 0) this.#after(this.#exitDrainMs, () => this.#settle());
    else this.#settle();
  }

  #settleIfOver(): void {
    if (this.#underWay === 0) this.#settle();
  }

  #release(): void {
    this.#directions.a?.release();
    this.#directions.b?.release();
  }

  #settle(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#release();
    this.#ends.a.release();
    this.#ends.b.release();
    this.#resolve(this.#cause ?? { kind: 'eof' });
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isOver) act();
    }, milliseconds);
    this.#timers.add(timer);
  }
}

function other(side: RelaySide): RelaySide {
  return side === 'a' ? 'b' : 'a';
}

/** Stands where a side takes nothing; the direction is never started. */
const NO_SINK = {
  write: (): boolean => true,
  unsent: (chunk: Buffer): Uint8Array => chunk,
  end: (): void => {},
  release: (): void => {},
};
