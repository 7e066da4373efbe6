import { Duplex } from 'node:stream';
import type { Fault, FaultPlan } from './fault-plan.ts';

/** Bytes that wait on each way before the sender has to. */
const WAITING_BYTES = 16 * 1024;

/** Two streams of bytes that are each other's peer. */
export interface FaultLink {
  readonly left: Duplex;
  readonly right: Duplex;
}

/**
 * A connection in memory on which things go wrong as planned. Every chunk that arrives is a buffer of its own; the sender's write is done when the
 * receiver has room, as with a pipe.
 */
export function faultLink(plan: FaultPlan = {}): FaultLink {
  const left = new LinkEnd();
  const right = new LinkEnd();
  left.join(right, new Way(plan.toRight ?? [], right, () => left.die()));
  right.join(left, new Way(plan.toLeft ?? [], left, () => right.die()));
  return { left, right };
}

/**
 * Puts faults between a stream of bytes and whoever talks to it: `toRight` is the way to the stream. When one is gone the other is
 * destroyed.
 *
 * @returns what to use in the stream's place
 */
export function throughFaults(stream: Duplex, plan: FaultPlan): Duplex {
  const { left, right } = faultLink(plan);
  stream.pipe(right);
  right.pipe(stream);
  for (const [one, other] of [
    [stream, right],
    [right, stream],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => {
      // Closed in order, both of its ways are over; what waits for the other is still to be delivered.
      if (!one.readableEnded || !one.writableFinished) other.destroy();
    });
  }
  return left;
}

/** One end: what is written here goes through a way to the other. */
class LinkEnd extends Duplex {
  #way: Way | undefined;
  #other: LinkEnd | undefined;
  #wanted: (() => void) | undefined;

  constructor() {
    super({ readableHighWaterMark: WAITING_BYTES, writableHighWaterMark: WAITING_BYTES });
  }

  join(other: LinkEnd, way: Way): void {
    this.#other = other;
    this.#way = way;
  }

  /** Gives bytes to the reader of this end; calls back when there is room for more. */
  deliver(bytes: Buffer, taken: () => void): void {
    if (this.destroyed || this.readableEnded) setImmediate(taken);
    else if (this.push(bytes)) setImmediate(taken);
    else this.#wanted = taken;
  }

  deliverEnd(): void {
    if (!this.destroyed) this.push(null);
  }

  die(): void {
    const error = (): Error => Object.assign(new Error('the link died'), { code: 'ECONNRESET' });
    this.destroy(error());
    this.#other?.destroy(error());
  }

  override _read(): void {
    const taken = this.#wanted;
    this.#wanted = undefined;
    if (taken !== undefined) setImmediate(taken);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // A chunk that is kept must be ours: its sender may use the memory again.
    this.#way?.write(Buffer.from(chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#way?.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#way?.stop();
    const other = this.#other;
    // As with a socket: the peer reads what came before, then the end; what it writes from now on fails.
    setImmediate(() => other?.peerGone());
    done(error);
  }

  peerGone(): void {
    if (!this.readableEnded) this.deliverEnd();
    this.#way?.fail('EPIPE');
  }
}

/** One direction: counts bytes, and does what is planned for each. */
class Way {
  readonly #faults: Fault[];
  readonly #to: LinkEnd;
  readonly #die: () => void;
  #position = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #failure: string | undefined;
  /** The receiver was told the end; what is sent goes nowhere. */
  #isCutOff = false;
  #pending: ((error?: Error | null) => void) | undefined;

  constructor(faults: readonly Fault[], to: LinkEnd, die: () => void) {
    this.#faults = [...faults].sort((one, other) => one.at - other.at);
    this.#to = to;
    this.#die = die;
  }

  write(bytes: Buffer, done: (error?: Error | null) => void): void {
    this.#pending = done;
    this.#go(bytes);
  }

  end(done: (error?: Error | null) => void): void {
    this.#pending = done;
    this.#go(undefined);
  }

  /** Every write from now on fails, the one under way too. */
  fail(code: string): void {
    this.#failure ??= code;
    this.#clear();
    if (this.#pending !== undefined) this.#settle();
  }

  stop(): void {
    this.#clear();
    this.#pending = undefined;
  }

  #settle(): void {
    const done = this.#pending;
    this.#pending = undefined;
    const code = this.#failure;
    done?.(code === undefined ? null : Object.assign(new Error(`write ${code}`), { code }));
  }

  /** Hands on what comes before the next fault, does that, and goes on. Undefined: the end. */
  #go(bytes: Buffer | undefined): void {
    if (this.#pending === undefined) return;
    if (this.#failure !== undefined) {
      this.#settle();
      return;
    }
    const fault = this.#faults[0];
    if (fault !== undefined && fault.at <= this.#position) {
      this.#faults.shift();
      this.#do(fault, () => this.#go(bytes));
      return;
    }
    if (bytes === undefined) {
      if (!this.#isCutOff) this.#to.deliverEnd();
      this.#isCutOff = true;
      this.#settle();
      return;
    }
    if (bytes.length === 0) {
      this.#settle();
      return;
    }
    const room = fault === undefined ? bytes.length : Math.min(bytes.length, fault.at - this.#position);
    this.#position += room;
    this.#give(bytes.subarray(0, room), () => this.#go(bytes.subarray(room)));
  }

  #give(bytes: Buffer, taken: () => void): void {
    if (this.#isCutOff) this.#immediate = setImmediate(taken);
    else this.#to.deliver(bytes, taken);
  }

  #do(fault: Fault, next: () => void): void {
    switch (fault.kind) {
      case 'cut':
        this.#immediate = setImmediate(next);
        return;
      case 'wait':
        this.#turns(fault.turns, next);
        return;
      case 'delay':
        this.#timer = setTimeout(next, fault.ms);
        return;
      case 'garbage':
        this.#give(Buffer.from(fault.bytes, 'latin1'), next);
        return;
      case 'stuck':
        return;
      case 'end':
        if (!this.#isCutOff) this.#to.deliverEnd();
        this.#isCutOff = true;
        next();
        return;
      case 'break':
        if (!this.#isCutOff) this.#to.deliverEnd();
        this.#isCutOff = true;
        this.fail(fault.code);
        return;
      case 'die':
        this.#failure = 'ECONNRESET';
        this.#settle();
        this.#die();
    }
  }

  #turns(count: number, next: () => void): void {
    this.#immediate = setImmediate(() => (count > 1 ? this.#turns(count - 1, next) : next()));
  }

  #clear(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
