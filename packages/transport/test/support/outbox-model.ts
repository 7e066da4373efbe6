import type { FrameWriter, SendOutcome, Ticket } from '../../src/duplex.ts';
import { waterMarks } from '../../src/limits.ts';
import { Outbox } from '../../src/writing/outbox.ts';
import type { Sink } from '../../src/writing/sink.ts';

type Fate = 'waiting' | 'handed' | 'written' | 'withdrawn' | 'refused-dead' | 'never';

interface ModelFrame {
  ticket: Ticket;
  readonly line: Buffer;
  readonly isRequest: boolean;
  fate: Fate;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/**
 * An outbox beside the simplest thing that does the same: two arrays of lines. Each chunk that the sink is given must be lines of the model
 * in its order, whole; each number that the outbox tells must be the model's.
 */
export class OutboxModel {
  readonly outbox: Outbox;
  private keeps = false;
  drains = 0;
  allWrittenCalls = 0;
  failures: string[] = [];
  readonly tickets: Ticket[] = [];
  private readonly high: number;
  private readonly low: number;
  private readonly frames: Map<Ticket, ModelFrame> = new Map();
  private replies: ModelFrame[] = [];
  private requests: ModelFrame[] = [];
  private kept: Buffer | undefined;
  private keptTaken = 0;
  private handed: ModelFrame[] = [];
  /** Fails when so many bytes more have been written. */
  private failsAfter = Number.POSITIVE_INFINITY;
  private state: 'open' | 'ending' | 'dead' | 'released' = 'open';
  private endOutcome: 'dropped' | 'peer-closed' = 'dropped';
  private readonly asked: { ticket: Ticket; outcome: SendOutcome | undefined; expected?: SendOutcome }[] = [];
  private readonly controllers: { ticket: Ticket; controller: AbortController }[] = [];
  private dropped = 0;
  /** A frame is writing itself. */
  private isLent = false;

  constructor(high: number, low: number) {
    this.high = high;
    this.low = low;
    this.outbox = new Outbox(
      {
        drained: () => {
          this.drains++;
          must(this.outbox.queuedBytes <= this.low, 'drained above low water');
          must(!this.outbox.isFull, 'drained and still full');
        },
        allWritten: () => {
          this.allWrittenCalls++;
          must(this.waitingBytes() === 0, 'all written, and bytes wait');
        },
        failed: (error) => this.failures.push(error.message),
      },
      waterMarks({ highWaterBytes: high, lowWaterBytes: low, reservedBytes: 2 ** 31 - 1 }),
    );
    const sink: Sink = {
      write: (chunk) => this.sinkWrite(chunk),
      unsent: (chunk) => chunk.subarray(this.keptTaken),
      end: () => must(this.state === 'ending' && this.waitingBytes() === 0, 'ended too soon'),
      release() {},
    };
    this.outbox.attach(sink);
  }

  sendReply(text: string, how: 'text' | 'bytes' | 'writer' | 'reserved'): void {
    if (this.isClosed()) {
      this.mustRefuse(() => this.outbox.sendEncoded(text));
      return;
    }
    const frame = this.expect(text, false);
    if (how === 'reserved') {
      // No ticket comes back, so nobody can ask for it.
      must(
        this.outbox.sendReserved(text) === (this.state !== 'dead' || frame.fate !== 'refused-dead'),
        'reserved',
      );
      return;
    }
    const ticket =
      how === 'text'
        ? this.outbox.sendEncoded(text)
        : how === 'bytes'
          ? this.outbox.send(Buffer.from(text), { lane: 'reply' })
          : this.outbox.sendWith(writerOf(text));
    must(ticket > 0, 'a reply is always taken');
    this.name(frame, ticket);
  }

  /** A frame that sends others while it writes itself; they come behind it, unless it does not fit and becomes text after them. */
  sendNesting(text: string, inner: readonly (() => void)[], fails: boolean): void {
    if (this.isClosed() || this.state === 'dead' || this.isLent) return;
    const frame = this.expect(text, false);
    const takeBack = (): void => {
      this.replies = this.replies.filter((other) => other !== frame);
    };
    const writer = writerOf(text, () => {
      this.isLent = true;
      for (const run of inner) run();
      this.isLent = false;
      if (fails) throw new Error('told to');
    });
    const { writeInto } = writer;
    writer.writeInto = (target, at) => {
      const end = writeInto(target, at);
      if (end < 0 || end >= target.length) {
        takeBack();
        this.replies.push(frame);
      }
      return end;
    };
    try {
      const ticket = this.outbox.sendWith(writer);
      must(!fails, 'the exception of a writer comes out');
      this.name(frame, ticket);
    } catch (error) {
      if (!fails) throw error;
      takeBack();
    }
  }

  sendRequest(
    text: string,
    how: 'text' | 'bytes' | 'value' | 'encoded' | 'writer',
    option: 'none' | 'signal' | 'aborted' | 'timeout',
  ): void {
    if (this.isClosed()) {
      this.mustRefuse(() => this.outbox.send(text));
      return;
    }
    const isFull = this.outbox.isFull;
    const controller = new AbortController();
    if (option === 'aborted') controller.abort();
    const options =
      option === 'none'
        ? undefined
        : option === 'timeout'
          ? { timeoutMs: 2 ** 31 - 1 }
          : { signal: controller.signal };
    const value = { text };
    const line = how === 'value' ? JSON.stringify(value) : text;
    if (option === 'aborted') {
      const ticket = this.outbox.send(text, options);
      must(ticket > 0, 'a send that is aborted already gets a ticket');
      const frame: ModelFrame = { ticket: 0, line: Buffer.alloc(0), isRequest: true, fate: 'withdrawn' };
      this.name(frame, ticket);
      return;
    }
    const frame = this.expect(line, true, isFull);
    const ticket =
      options === undefined && how === 'encoded'
        ? this.outbox.sendEncoded(text, 'request')
        : options === undefined && how === 'writer'
          ? this.outbox.sendWith(writerOf(text), 'request')
          : this.outbox.send(how === 'value' ? value : how === 'bytes' ? Buffer.from(text) : text, options);
    must(
      (ticket === 0) === (frame.fate === 'never'),
      'a request is refused exactly while the outbox is full',
    );
    if (ticket === 0) return;
    if (option === 'signal') this.controllers.push({ ticket, controller });
    this.name(frame, ticket);
  }

  withdraw(pick: number): void {
    const ticket = this.tickets[pick % Math.max(1, this.tickets.length)] ?? 0;
    const frame = this.frames.get(ticket);
    const isUnsent = frame?.isRequest === true && (frame.fate === 'waiting' || frame.fate === 'refused-dead');
    must(this.outbox.withdraw(ticket) === isUnsent, `withdraw of a frame that is ${frame?.fate}`);
    if (isUnsent && !this.isOver()) this.takeOut(frame);
  }

  abort(pick: number): void {
    const { ticket, controller } = this.controllers[pick % Math.max(1, this.controllers.length)] ?? {};
    if (ticket === undefined || controller === undefined || controller.signal.aborted) return;
    const frame = this.frames.get(ticket);
    controller.abort();
    if (frame?.fate === 'waiting' && (this.state === 'open' || this.state === 'ending')) this.takeOut(frame);
  }

  ask(pick: number): void {
    const ticket = this.tickets[pick % Math.max(1, this.tickets.length)] ?? 0;
    const asked: (typeof this.asked)[number] = { ticket, outcome: undefined };
    // Of what is decided already the answer may not change any more.
    const expected = this.outcomeNow(ticket);
    if (expected !== undefined) asked.expected = expected;
    this.asked.push(asked);
    void this.outbox.settled(ticket).then((outcome) => {
      must(asked.outcome === undefined, 'settled twice');
      asked.outcome = outcome;
    });
  }

  /** The system takes some bytes of the chunk that the sink keeps. */
  takeSome(count: number): void {
    if (this.kept === undefined) return;
    this.keptTaken = Math.min(this.kept.length, this.keptTaken + count);
    if (this.keptTaken >= this.failsAfter) this.fail();
    else if (this.keptTaken === this.kept.length) this.writeKept();
  }

  /** From now on the sink keeps chunks until it is told to write them, or takes them at once. */
  keepChunks(keeps: boolean): void {
    this.keeps = keeps;
  }

  failSoon(bytes: number): void {
    this.failsAfter = Math.min(this.failsAfter, bytes);
  }

  fail(): void {
    if (this.state === 'open' || this.state === 'ending') this.die(this.state === 'open');
    this.outbox.failed(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
  }

  end(): void {
    if (this.state === 'open') this.state = 'ending';
    this.outbox.end();
  }

  release(): void {
    if (this.state === 'open' || this.state === 'ending') this.dropped += this.waitingBytes();
    if (this.state !== 'released') this.finish('released');
    this.outbox.release();
  }

  /** The end of the process: everything that is left comes out, in order. */
  takeUnsent(): void {
    const expected = [...this.replies, ...this.requests].map((frame) => frame.line);
    if (this.kept !== undefined) expected.unshift(this.kept.subarray(this.keptTaken));
    const got = Buffer.concat(this.outbox.takeUnsent());
    must(got.equals(Buffer.concat(expected)), 'the last flush is not what was left');
    if (this.state !== 'released') this.finish('released');
  }

  check(): void {
    if (this.isLent) return;
    must(
      this.outbox.queuedBytes === this.waitingBytes(),
      `${this.outbox.queuedBytes} is not ${this.waitingBytes()}`,
    );
    if (this.state === 'open' && this.waitingBytes() > this.high)
      must(this.outbox.isFull, 'above high water and not full');
    for (const { ticket, outcome } of this.asked) {
      if (outcome !== undefined)
        must(outcome === this.outcomeNow(ticket), `${ticket} was told ${outcome} too soon`);
    }
  }

  /** After the last operation: every promise has settled, with the truth. */
  async finalCheck(): Promise<void> {
    this.release();
    await new Promise((resolve) => setImmediate(resolve));
    this.check();
    for (const { ticket, outcome, expected } of this.asked) {
      must(outcome === this.outcomeNow(ticket), `${ticket} is ${outcome}, not ${this.outcomeNow(ticket)}`);
      if (expected !== undefined) must(outcome === expected, `${ticket} became ${outcome} after ${expected}`);
    }
    must(
      this.outbox.droppedBytes === this.dropped,
      `${this.outbox.droppedBytes} dropped bytes, not ${this.dropped}`,
    );
    must(this.failures.length <= 1 && this.allWrittenCalls <= 1, 'the end is told once');
  }

  /** A frame is about to be sent: from now on the sink may get it. */
  private expect(text: string, isRequest: boolean, isFull = false): ModelFrame {
    const line = Buffer.from(`${text}\n`);
    const frame: ModelFrame = { ticket: 0, line, isRequest, fate: 'waiting' };
    if (this.state === 'dead') {
      frame.fate = 'refused-dead';
      this.dropped += line.length;
    } else if (isFull) frame.fate = 'never';
    else (isRequest ? this.requests : this.replies).push(frame);
    return frame;
  }

  private name(frame: ModelFrame, ticket: Ticket): void {
    must(!this.frames.has(ticket), 'a ticket is given once');
    frame.ticket = ticket;
    this.frames.set(ticket, frame);
    this.tickets.push(ticket);
  }

  private sinkWrite(chunk: Buffer): boolean {
    must(!this.isLent, 'written while a frame writes itself');
    must(this.kept === undefined, 'a second chunk before the first was written');
    const copy = Buffer.from(chunk);
    this.match(copy);
    this.kept = copy;
    this.keptTaken = 0;
    if (this.keeps) return false;
    if (copy.length >= this.failsAfter) {
      this.fail();
      return false;
    }
    this.failsAfter -= copy.length;
    this.kept = undefined;
    this.markWritten();
    return true;
  }

  private match(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const frame = this.replies[0] ?? this.requests[0];
      if (frame === undefined || !chunk.subarray(at, at + frame.line.length).equals(frame.line)) {
        throw new Error(`at byte ${at} of a chunk of ${chunk.length} the next frame does not follow`);
      }
      at += frame.line.length;
      (frame.isRequest ? this.requests : this.replies).shift();
      frame.fate = 'handed';
      this.handed.push(frame);
    }
  }

  private writeKept(): void {
    this.failsAfter -= this.kept?.length ?? 0;
    this.kept = undefined;
    this.markWritten();
    this.outbox.written();
  }

  private markWritten(): void {
    for (const frame of this.handed.splice(0)) frame.fate = 'written';
  }

  private takeOut(frame: ModelFrame): void {
    frame.fate = 'withdrawn';
    this.requests = this.requests.filter((other) => other !== frame);
  }

  private die(wasOpen: boolean): void {
    this.dropped += this.waitingBytes();
    this.endOutcome = 'peer-closed';
    this.finish(wasOpen ? 'dead' : 'released');
  }

  private finish(state: 'dead' | 'released'): void {
    this.state = state;
    this.kept = undefined;
    this.replies = [];
    this.requests = [];
  }

  private waitingBytes(): number {
    let bytes = this.kept?.length ?? 0;
    for (const frame of this.replies) bytes += frame.line.length;
    for (const frame of this.requests) bytes += frame.line.length;
    return bytes;
  }

  private outcomeNow(ticket: Ticket): SendOutcome | undefined {
    const fate = ticket === 0 ? 'withdrawn' : this.frames.get(ticket)?.fate;
    const isOver = this.isOver();
    switch (fate) {
      case 'written':
        return 'written';
      case 'withdrawn':
        return 'dropped';
      case 'refused-dead':
        return 'peer-closed';
      case 'handed':
        return isOver ? 'peer-closed' : undefined;
      default:
        return isOver ? this.endOutcome : undefined;
    }
  }

  private isOver(): boolean {
    return this.state === 'dead' || this.state === 'released';
  }

  private isClosed(): boolean {
    return this.state === 'ending' || this.state === 'released';
  }

  private mustRefuse(send: () => unknown): void {
    try {
      send();
    } catch (error) {
      must((error as { code?: unknown }).code === 'SEND_AFTER_CLOSE', 'the wrong error after the end');
      return;
    }
    throw new Error('a frame was taken after the end');
  }
}

function writerOf(text: string, during?: () => void): FrameWriter {
  return {
    writeInto(target, at) {
      const bytes = Buffer.from(text);
      during?.();
      if (at + bytes.length > target.length) return -1;
      target.set(bytes, at);
      return at + bytes.length;
    },
    text: () => text,
  };
}
