import { afterEach, describe, expect, it, vi } from 'vitest';
import { AreaPool } from '../../src/engine/areas.ts';
import { activeEngine, createFrameReader } from '../../src/index.ts';
import { Carry } from '../../src/reader/carry.ts';
import { HeldFrames } from '../../src/reader/held-frames.ts';
import { poisons } from '../../src/reader/poison.ts';
import { FrameStore } from '../../src/reader/store.ts';
import { GrammarMachine } from '../../src/scalar/machine.ts';
import { bytesOf, joined, land } from '../support/events.ts';

interface Work {
  /** Bytes the grammar machine of the scalar engine went over. */
  scanned: number;
  /** Bytes moved out of the window, and back. */
  moved: number;
  /** Bytes looked through for the last newline. */
  searched: number;
  /** Calls that needed an area. */
  turns: number;
}

/** Counts bytes instead of time: the same on a busy machine. */
function counting(): Work {
  const work = { scanned: 0, moved: 0, searched: 0, turns: 0 };
  const { run } = GrammarMachine.prototype;
  vi.spyOn(GrammarMachine.prototype, 'run').mockImplementation(function (this: GrammarMachine, ...args) {
    const stop = run.apply(this, args);
    // The arguments end with from, to and base.
    work.scanned += stop - (args.at(-3) as number);
    return stop;
  });
  const { append } = FrameStore.prototype;
  vi.spyOn(FrameStore.prototype, 'append').mockImplementation(function (this: FrameStore, bytes, start, end) {
    work.moved += end - start;
    append.call(this, bytes, start, end);
  });
  const { take } = HeldFrames.prototype;
  vi.spyOn(HeldFrames.prototype, 'take').mockImplementation(function (this: HeldFrames, live, from, to) {
    take.call(this, live, from, to);
    work.moved += this.byteLength;
  });
  const { idle } = AreaPool.prototype;
  vi.spyOn(AreaPool.prototype, 'idle').mockImplementation(function (this: AreaPool) {
    work.turns++;
    return idle.call(this);
  });
  const { append: carry, moveBefore } = Carry.prototype;
  vi.spyOn(Carry.prototype, 'append').mockImplementation(function (this: Carry, bytes, start, end) {
    work.moved += end - start;
    carry.call(this, bytes, start, end);
  });
  vi.spyOn(Carry.prototype, 'moveBefore').mockImplementation(function (this: Carry, window, end) {
    work.moved += this.length;
    return moveBefore.call(this, window, end);
  });
  for (const owner of [Uint8Array.prototype, Buffer.prototype] as const) {
    const { lastIndexOf } = owner as { lastIndexOf(this: Uint8Array, byte: number): number };
    vi.spyOn(owner as unknown as { lastIndexOf(byte: number): number }, 'lastIndexOf').mockImplementation(
      function (this: Uint8Array, byte) {
        const found = lastIndexOf.call(this, byte);
        work.searched += this.length - Math.max(found, 0);
        return found;
      } as (byte: number) => number,
    );
  }
  return work;
}

afterEach(() => vi.restoreAllMocks());

const head = '{"jsonrpc":"2.0","id":1,"result":{"t":"';

function frame(byteCount: number): Uint8Array {
  return bytesOf(`${head}${'x'.repeat(byteCount - head.length - 3)}"}}`);
}

function workOf(bytes: Uint8Array, chunkBytes: number, windowBytes: number, feed: 'push' | 'commit'): Work {
  let frames = 0;
  const reader = createFrameReader({
    windowBytes,
    onFrames(batch) {
      frames += batch.count;
    },
  });
  const work = counting();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    if (feed === 'push') reader.push(chunk);
    else land(reader, chunk);
  }
  reader.end();
  vi.restoreAllMocks();
  expect(frames).toBeGreaterThan(0);
  return work;
}

// Counts are the same in poison mode.
describe.skipIf(poisons)('work', () => {
  it.each([
    [4_000_000, 1024, 262_144],
    [4_000_000, 65_536, 262_144],
    [4_000_000, 1_000_003, 4096],
    [100_000, 7, 4096],
    [100_000, 1, 4096],
    [250_000, 1, 262_144],
  ])(
    'on a frame of %i bytes in chunks of %i with a window of %i is one scan and at most two moves per byte',
    (byteCount, chunkBytes, windowBytes) => {
      const bytes = frame(byteCount);
      for (const feed of ['push', 'commit'] as const) {
        const { scanned, moved, searched } = workOf(bytes, chunkBytes, windowBytes, feed);
        if (activeEngine().name === 'scalar') expect(scanned).toBe(byteCount);
        expect(moved).toBeLessThanOrEqual(2 * byteCount);
        expect(searched).toBeLessThanOrEqual(byteCount);
      }
    },
  );

  it('on small frames is linear as well, wherever chunks end', () => {
    const line = bytesOf('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,2,3],"b":"text"}}\n');
    const stream = new Uint8Array(line.length * 3000);
    for (let at = 0; at < stream.length; at += line.length) stream.set(line, at);
    for (const chunkBytes of [1, 13, 100, 4096, 65_536]) {
      const { scanned, moved, searched } = workOf(stream, chunkBytes, 4096, 'push');
      expect(scanned).toBeLessThanOrEqual(stream.length);
      expect(moved).toBeLessThanOrEqual(2 * stream.length);
      expect(searched).toBeLessThanOrEqual(stream.length);
    }
  });

  it.each([1, 7, 100])(
    'on a line of 16,000 bytes in pieces of %i moves them aside and back, and takes one turn',
    (pieceBytes) => {
      const line = joined(frame(15_999), '\n');
      const { scanned, moved, turns } = workOf(line, pieceBytes, 262_144, 'push');
      expect(scanned).toBe(0);
      expect(moved).toBeLessThanOrEqual(2 * line.length);
      // The end of the stream takes the other.
      expect(turns).toBe(2);
      expect(workOf(line, pieceBytes, 262_144, 'commit').moved).toBeLessThanOrEqual(2 * line.length);
    },
  );

  it('on frames that are held moves them once, however many callbacks they take', () => {
    const line = bytesOf('{"jsonrpc":"2.0","id":1,"method":"m"}\n');
    const stream = new Uint8Array(line.length * 1000);
    for (let at = 0; at < stream.length; at += line.length) stream.set(line, at);
    let frames = 0;
    const reader = createFrameReader({
      onFrames() {
        frames++;
        return 1;
      },
    });
    const work = counting();
    reader.push(stream);
    while (frames < 1000) reader.resume();
    expect(work.moved).toBeLessThanOrEqual(stream.length);
    expect(work.turns).toBe(1);
  });

  it('on tiny frames before a long unfinished one does not search the rest again for every table', () => {
    const tiny = new Uint8Array(600_000);
    for (let at = 0; at < tiny.length; at += 3) tiny.set([0x7b, 0x7d, 0x0a], at);
    const stream = new Uint8Array(1_048_576).fill(0x20);
    stream.set(tiny);
    const { searched } = workOf(stream, stream.length, 1_048_576, 'commit');
    expect(searched).toBeLessThanOrEqual(2 * stream.length);
  });

  it('on a chunk that waits is not repeated at every resume', () => {
    const line = bytesOf('{"jsonrpc":"2.0","id":1,"method":"m"}\n');
    const chunk = new Uint8Array(line.length * 20_000);
    for (let at = 0; at < chunk.length; at += line.length) chunk.set(line, at);
    let frames = 0;
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        frames += batch.count;
        reader.pause();
      },
    });
    let copied = 0;
    const { set } = Uint8Array.prototype;
    vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (this: Uint8Array, bytes, at) {
      copied += bytes.length;
      set.call(this, bytes, at);
    });
    reader.push(chunk);
    for (let round = 0; frames < 20_000 && round < 20_000; round++) reader.resume();
    expect(frames).toBe(20_000);
    // To where it waits, and to the window.
    expect(copied).toBeLessThanOrEqual(2 * chunk.length);
    expect(copied).toBeGreaterThan(chunk.length);
  });
});
