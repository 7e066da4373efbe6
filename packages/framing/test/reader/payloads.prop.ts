import { Random } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, type FrameReader } from '../../src/index.ts';
import { bytesOf, land } from '../support/events.ts';
import { document, randomShape, type Shape } from '../support/json-shapes.ts';
import { difference } from '../support/slots.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

/** Something that a batch gave, and what it ought to have given. */
type Kept = readonly [actual: unknown, expected: unknown, what: string];

interface Message {
  readonly line: string;
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly payload: string;
}

const methods = ['tools/call', 'ping', 'é', 'm', 'a-method-of-a-name-that-is-longer-than-most', 'n\\u006f'];
const kinds = ['params', 'params', 'result', 'error'] as const;

/** Makes messages of a few shapes, as one peer sends them. */
class Sender {
  readonly #random: Random;
  readonly #shapes: readonly Shape[];
  #lastId = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#shapes = Array.from({ length: 3 }, () => randomShape(random, 3));
  }

  message(): Message {
    const random = this.#random;
    const kind = random.pick(kinds);
    const isCall = kind === 'params';
    const id = isCall && random.integer(0, 3) === 0 ? undefined : this.#id();
    const method = isCall ? random.pick(methods) : undefined;
    const payload = this.#payload();
    const members = ['"jsonrpc":"2.0"'];
    if (id !== undefined) members.push(`"id":${id}`);
    if (method !== undefined) members.push(`"method":"${method}"`);
    members.push(`"${kind}":${payload}`);
    return { line: `{${members.join(random.pick([',', ',', ', ']))}}`, id, method, payload };
  }

  #id(): string {
    this.#lastId++;
    return this.#random.pick([`${this.#lastId}`, `"id-${this.#lastId}"`, `"é${this.#lastId}"`]);
  }

  #payload(): string {
    const random = this.#random;
    const text = document(random, random.pick(this.#shapes), random.integer(0, 3) > 0).replaceAll('\n', ' ');
    // `params` are an object or an array; now and then too long for the window.
    const filler =
      random.integer(0, 29) === 0 ? 'long '.repeat(random.integer(500, 3000)) : random.pick(['', 'é', 'ok']);
    return `{"name":"${random.pick(['read', 'write', 'list'])}","v":${text},"filler":"${filler}"}`;
  }
}

/** A reader and its stream. Its callback looks at frames in any order, takes as many as it likes, pauses, and feeds others. */
class Peer {
  readonly reader: FrameReader;
  /** What was given, kept beyond the callbacks. */
  readonly kept: Kept[] = [];
  delivered = 0;
  readonly count: number;
  readonly #random: Random;
  readonly #messages = new Map<number, Message>();
  readonly #stream: Uint8Array;
  readonly #feedOthers: () => void;
  #fed = 0;
  #ended = false;

  constructor(random: Random, sender: Sender, count: number, feedOthers: () => void) {
    this.#random = random;
    this.#feedOthers = feedOthers;
    this.count = count;
    const lines: string[] = [];
    let at = 0;
    for (let index = 0; index < count; index++) {
      const message = sender.message();
      this.#messages.set(at, message);
      lines.push(`${message.line}\n`);
      at += Buffer.byteLength(message.line) + 1;
    }
    this.#stream = bytesOf(lines.join(''));
    this.reader = createFrameReader({
      windowBytes: 4096,
      onFrames: (batch) => this.#take(batch),
      onError: (error) => this.kept.push([error, undefined, 'error']),
    });
  }

  get isDone(): boolean {
    return this.#ended && this.delivered === this.count;
  }

  /** Feeds one more piece, or lets what waits come. */
  step(): void {
    if (this.reader.paused || this.#random.integer(0, 4) === 0) this.reader.resume();
    if (this.#ended) return;
    if (this.#fed === this.#stream.length) {
      this.#ended = true;
      this.reader.end();
      return;
    }
    const size = this.#random.pick([1, 7, 100, 700, 3000, 20_000]);
    const piece = this.#stream.slice(this.#fed, this.#fed + size);
    this.#fed += piece.length;
    // Reserved views are shared, so that they must be filled and committed at once; while frames wait there may be no room.
    if (
      this.#random.integer(0, 1) === 0 &&
      !this.reader.paused &&
      piece.length < 800 &&
      this.reader.reserve().length >= piece.length
    ) {
      land(this.reader, piece);
    } else {
      this.reader.push(piece);
    }
    piece.fill(0x78);
  }

  #take(batch: FrameBatch): number {
    const random = this.#random;
    const wanted = random.integer(0, 3) === 0 ? random.integer(1, batch.count) : batch.count;
    for (let look = random.integer(0, 2 * wanted); look > 0; look--) {
      this.#look(batch, random.integer(0, batch.count - 1));
      if (random.integer(0, 19) === 0) this.#feedOthers();
    }
    for (let index = 0; index < wanted; index++) this.#look(batch, index);
    if (random.integer(0, 9) === 0) this.reader.pause();
    this.delivered += wanted;
    return wanted;
  }

  #look(batch: FrameBatch, index: number): void {
    const message = this.#messages.get(batch.start(index));
    if (message === undefined || batch.kind(index) === 'fault') {
      this.kept.push([`${batch.kind(index)} at ${batch.start(index)}`, 'a message', 'kind']);
      return;
    }
    const { line, id, method, payload } = message;
    const roll = this.#random.integer(0, 5);
    if (roll === 0) this.kept.push([batch.value(index), JSON.parse(line), line]);
    if (roll === 1) this.kept.push([batch.idText(index), id, `id of ${line}`]);
    if (roll === 2)
      this.kept.push([
        batch.method(index),
        method === undefined ? undefined : JSON.parse(`"${method}"`),
        line,
      ]);
    if (roll === 3) this.kept.push([batch.payload(index, method ?? 'asked'), JSON.parse(payload), line]);
    if (roll > 3) this.kept.push([batch.payload(index), JSON.parse(payload), line]);
  }
}

/** Lets readers of one thread read their streams in turns, and inside each other's callbacks. Returns how many texts had a known shape. */
function readTogether(random: Random, peerCount: number): number {
  const peers: Peer[] = [];
  let depth = 0;
  const feedOthers = (): void => {
    if (depth === 2) return;
    depth++;
    const idle = peers.filter((peer) => !inside.has(peer));
    if (idle.length > 0) stepOf(random.pick(idle));
    depth--;
  };
  const inside = new Set<Peer>();
  const stepOf = (peer: Peer): void => {
    inside.add(peer);
    peer.step();
    inside.delete(peer);
  };
  for (let count = 0; count < peerCount; count++) {
    peers.push(new Peer(random, new Sender(random), random.integer(1, 60), feedOthers));
  }
  for (let turn = 0; peers.some((peer) => !peer.isDone); turn++) {
    if (turn > 1_000_000) throw new Error('the streams do not end');
    stepOf(random.pick(peers));
  }
  for (const { kept, delivered, count } of peers) {
    expect(delivered).toBe(count);
    for (const [actual, expected, what] of kept) {
      const found = difference(actual, expected);
      if (found !== undefined) throw new Error(`${found}: ${what.slice(0, 1000)}`);
    }
  }
  return peers.reduce((sum, { reader }) => sum + reader.stats().decoding.hits, 0);
}

describe(`payloads and values of frames, kept beyond their callbacks (seed ${seed})`, () => {
  it(
    'are what JSON.parse gives, however a stream is cut, held and paused, whoever reads in between',
    () => {
      holds(
        fc.property(
          fc.integer({ min: 0, max: 2 ** 31 - 1 }),
          fc.integer({ min: 1, max: 4 }),
          (from, peerCount) => {
            readTogether(new Random(from), peerCount);
          },
        ),
        5,
      );
    },
    timeBoxMs + 30_000,
  );
});
