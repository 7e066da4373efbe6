import type { FrameBatch, IdKey } from '@linewire/framing';
import type { CloseReason, QueueOptions, ReadingOptions } from '../../src/duplex.ts';
import { StreamDuplex } from '../../src/framed/stream-duplex.ts';
import type { Source } from '../../src/reading/source.ts';
import type { LinkClock, ScheduledLink } from './scheduled-link.ts';

/** The real duplex, between two links whose moves are chosen. */
class ExploredDuplex extends StreamDuplex {
  readonly #input: ScheduledLink;

  constructor(options: ReadingOptions & QueueOptions, output: ScheduledLink, input: ScheduledLink) {
    super(options, 1000);
    this.#input = input;
    output.writer = this.outbox;
    this.outbox.attach(output);
  }

  describe(): string {
    return 'explored';
  }

  protected openSource(): Source {
    return this.#input;
  }

  protected released(reason: CloseReason): void {
    this.#input.stop();
    this.tellEnd(reason);
  }
}

/** What one side wants to do: kinds of messages, in this order. */
export type Errand = 'call' | 'ping' | 'note' | 'cancel';

export interface PeerOptions {
  readonly maxInFlight: number;
  readonly queue: Required<
    Pick<QueueOptions, 'highWaterBytes' | 'lowWaterBytes' | 'maxParkedBytes' | 'reservedBytes'>
  >;
  /** Bytes of padding in each message. */
  readonly padding: number;
  /** False injects a fault: a request that finds no room always stops the reading. */
  readonly refuses: boolean;
}

/**
 * One of two equals: it sends requests and notifications, runs those of the other within its credit, and checks all it gets. Every message has
 * a number that rises by one in its lane, so a lost, doubled or overtaken one shows.
 */
export class Peer {
  readonly duplex: ExploredDuplex;
  readonly problems: string[] = [];
  refusals = 0;
  readonly #name: string;
  readonly #options: PeerOptions;
  readonly #clock: LinkClock;
  readonly #errands: Errand[];
  /** Ids of own requests that are not answered. */
  readonly #unanswered: Set<number> = new Set();
  readonly #cancelled: Set<number> = new Set();
  readonly #running: Set<IdKey> = new Set();
  #lastId = 0;
  #repliesSent = 0;
  #repliesSeen = 0;
  #lastCallSeen = 0;
  #mostReplies = 0;

  constructor(
    name: string,
    errands: readonly Errand[],
    options: PeerOptions,
    clock: LinkClock,
    output: ScheduledLink,
    input: ScheduledLink,
  ) {
    this.#name = name;
    this.#errands = [...errands];
    this.#options = options;
    this.#clock = clock;
    this.duplex = new ExploredDuplex(options.queue, output, input);
    this.duplex.start({
      onFrames: (batch) => this.#frames(batch),
      isFree: (batch, index) => batch.method(index) === 'ping',
      refusal: (batch, index) => this.#refusal(batch, index),
      onDrain: () => {
        this.#goOn();
        this.#resume();
      },
      onClose: (reason) => {
        this.problems.push(`closed: ${reason.kind} ${reason.error?.message ?? ''}`);
      },
    });
  }

  /** Sends what it can. */
  begin(): void {
    this.#goOn();
  }

  /** What is not done though nothing moves any more. */
  unfinished(): string[] {
    const rests: string[] = [];
    if (this.#errands.length > 0) rests.push(`${this.#errands.length} errands`);
    if (this.#unanswered.size > 0) rests.push(`unanswered ${[...this.#unanswered].join()}`);
    if (this.#running.size > 0) rests.push('running');
    if (this.duplex.parked.count > 0) rests.push(`${this.duplex.parked.count} parked`);
    if (this.duplex.queuedBytes > 0) rests.push(`${this.duplex.queuedBytes} bytes unsent`);
    return rests.map((rest) => `${this.#name}: ${rest}`);
  }

  /** After each step. */
  check(): void {
    const { queue, maxInFlight, padding } = this.#options;
    const { parked, queuedBytes } = this.duplex;
    if (parked.byteCount > queue.maxParkedBytes) this.problems.push(`${parked.byteCount} bytes parked`);
    // Above the mark: one request, the answers of running calls, and what was free of credit: pings and notifications of the script.
    const frame = padding + 100;
    const most = queue.highWaterBytes + (1 + maxInFlight + this.#mostReplies) * frame + queue.reservedBytes;
    if (queuedBytes > most) this.problems.push(`${queuedBytes} bytes unsent, at most ${most}`);
    if (this.#running.size > maxInFlight) this.problems.push(`${this.#running.size} running`);
  }

  /** Replies that no credit bounds: how many the scripts of both sides can cause. */
  allowFreeReplies(count: number): void {
    this.#mostReplies = count;
  }

  /** As long as the outbox takes requests. */
  #goOn(): void {
    for (let errand = this.#errands[0]; errand !== undefined; errand = this.#errands[0]) {
      if (!this.#run(errand)) return;
      this.#errands.shift();
    }
  }

  #run(errand: Errand): boolean {
    if (errand === 'note') {
      this.#reply(`"method":"note","params":{`, '}');
      return true;
    }
    if (errand === 'cancel') {
      const id = [...this.#unanswered].at(-1);
      if (id === undefined) return true;
      this.#unanswered.delete(id);
      this.#cancelled.add(id);
      this.#reply(`"method":"cancel","params":{"id":${id},`, '}');
      return true;
    }
    const id = this.#lastId + 1;
    const ticket = this.duplex.send(
      `{"jsonrpc":"2.0","id":${id},"method":"${errand}","params":{"pad":"${this.#pad()}"}}`,
    );
    if (ticket === 0) return false;
    this.#lastId = id;
    this.#unanswered.add(id);
    return true;
  }

  #reply(before: string, after: string): void {
    this.duplex.send(this.#replyText(before, after), { lane: 'reply' });
  }

  #replyText(before: string, after: string): string {
    this.#repliesSent++;
    return `{"jsonrpc":"2.0",${before}"n":${this.#repliesSent},"pad":"${this.#pad()}"${after}}`;
  }

  #pad(): string {
    return 'x'.repeat(this.#options.padding);
  }

  #frames(batch: FrameBatch): number {
    for (let index = 0; index < batch.count; index++) {
      const payload = batch.payload(index) as { n?: number; id?: number; data?: { n: number } };
      switch (batch.kind(index)) {
        case 'request':
          if (!this.#request(batch, index)) return index;
          break;
        case 'notification':
          this.#sawReply(payload.n);
          if (batch.method(index) === 'cancel') this.duplex.parked.drop(payload.id as IdKey);
          break;
        case 'result':
        case 'error':
          this.#sawReply(payload.n ?? payload.data?.n);
          this.#answered(batch.id(index) as number);
          break;
        default:
          this.problems.push(`a ${batch.kind(index)} frame`);
      }
    }
    return batch.count;
  }

  #request(batch: FrameBatch, index: number): boolean {
    const key = batch.idKey(index) as IdKey;
    const idText = batch.idText(index) as string;
    if (batch.method(index) === 'ping') {
      this.#reply(`"id":${idText},"result":{`, '}');
      return true;
    }
    if (this.#running.size >= this.#options.maxInFlight || this.duplex.isFull) {
      this.duplex.pauseRequests();
      return false;
    }
    const id = batch.id(index) as number;
    if (id <= this.#lastCallSeen) this.problems.push(`call ${id} after ${this.#lastCallSeen}`);
    this.#lastCallSeen = id;
    this.#running.add(key);
    this.#clock.later(`${this.#name} settles ${id}`, () => {
      this.#running.delete(key);
      this.#reply(`"id":${idText},"result":{`, '}');
      this.#resume();
    });
    return true;
  }

  #resume(): void {
    if (this.#running.size < this.#options.maxInFlight && !this.duplex.isFull) this.duplex.resumeRequests();
  }

  #refusal(batch: FrameBatch, index: number): string | undefined {
    if (!this.#options.refuses || this.#unanswered.size === 0) return undefined;
    this.refusals++;
    return this.#replyText(
      `"id":${batch.idText(index)},"error":{"code":-32603,"message":"overloaded","data":{`,
      '}}',
    );
  }

  #sawReply(number: number | undefined): void {
    if (number !== this.#repliesSeen + 1)
      this.problems.push(`${this.#name}: reply ${number} after ${this.#repliesSeen}`);
    this.#repliesSeen = number ?? 0;
  }

  #answered(id: number): void {
    if (!this.#unanswered.delete(id) && !this.#cancelled.delete(id))
      this.problems.push(`${this.#name}: a second or unasked answer to ${id}`);
  }
}
