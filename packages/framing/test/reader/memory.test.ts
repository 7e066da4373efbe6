import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameReader, limits } from '../../src/index.ts';
import { bytesOf, joined, read } from '../support/events.ts';

const good = bytesOf('{"jsonrpc":"2.0","id":"ok","method":"ping"}\n');
const crBytes = 1;

describe('memory', () => {
  it('stays within limit and window for a line of 1 GiB without a newline, and the next frame is served', () => {
    const maxFrameBytes = 1 << 20;
    const codes: unknown[] = [];
    const reader = createFrameReader({
      maxFrameBytes,
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++)
          codes.push(batch.code(index), batch.end(index) - batch.start(index));
      },
    });
    const chunk = new Uint8Array(65_536).fill(0x78);
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    for (let fed = 0; fed < 1 << 30; fed += chunk.length) {
      reader.push(chunk);
      peak = Math.max(peak, reader.stats().storedBytes);
    }
    expect(peak).toBeLessThanOrEqual(maxFrameBytes + crBytes);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * maxFrameBytes);
    reader.push(bytesOf('\n'));
    reader.push(good);
    expect(codes).toEqual(['FRAME_TOO_LARGE', 1 << 30, undefined, good.length - 1]);
    const { storedBytes, peakStoredBytes, windowBytes, droppedBytes } = reader.stats();
    expect(storedBytes).toBe(0);
    expect(peakStoredBytes).toBeLessThanOrEqual(maxFrameBytes + crBytes);
    expect(windowBytes).toBe(limits.windowBytes.default);
    expect(droppedBytes).toBe(1 << 30);
  });

  it('is bounded for open structure too: string, brackets, a key, white space', () => {
    const maxFrameBytes = 100_000;
    for (const [head, filler] of [
      ['{"params":"', 'x'],
      ['{"', 'k'],
      ['', '['],
      ['', ' '],
      ['{"id":', '1'],
      ['{"method":"', 'é'],
    ] as const) {
      const reader = createFrameReader({
        maxFrameBytes,
        windowBytes: 4096,
        maxDepth: 1_000_000,
        onFrames() {},
      });
      reader.push(bytesOf(head));
      const chunk = bytesOf(filler.repeat(10_000));
      for (let round = 0; round < 100; round++) reader.push(chunk);
      expect(reader.stats().peakStoredBytes).toBeLessThanOrEqual(maxFrameBytes + crBytes);
      expect(reader.stats().storedBytes).toBe(0);
    }
  });

  it('of a big frame is given back when the frame is done', () => {
    const line = bytesOf(`{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(3_000_000)}"}}\n`);
    const held: number[] = [];
    const reader = createFrameReader({
      onFrames() {
        held.push(reader.stats().storedBytes);
      },
    });
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < line.length; at += 65_536) reader.push(line.subarray(at, at + 65_536));
      expect(reader.stats().storedBytes).toBe(0);
    }
    expect(held).toHaveLength(3);
    for (const bytes of held) expect(bytes).toBeGreaterThanOrEqual(line.length - 1);
    expect(reader.stats().peakStoredBytes).toBe(Math.max(...held));
  });

  it('is not needed for frames that fit the window', () => {
    const stats = read(good, {}, () => {}, 1).stats();
    expect(stats).toMatchObject({ peakStoredBytes: 0, storedBytes: 0, bytes: good.length, frames: 1 });
  });
});

describe('memory for what waits', () => {
  const line = bytesOf('{"jsonrpc":"2.0","id":1,"method":"m"}\n');

  /** Lands copies of `piece` as long as there is room for one. Returns the bytes that were landed. */
  function fill(reader: FrameReader, piece: Uint8Array): number {
    let landed = 0;
    for (let view = reader.reserve(); view.length > 0; view = reader.reserve()) {
      const part = piece.subarray(0, view.length);
      view.set(part);
      reader.commit(part.length);
      landed += part.length;
    }
    return landed;
  }

  it.each([1, 37, line.length, 3000])(
    'is the window at most while a reader is paused, landed in pieces of %i, and none of it is lost',
    (pieceBytes) => {
      const windowBytes = 8192;
      let bytes = 0;
      const reader = createFrameReader({
        windowBytes,
        envelope: 'none',
        validate: 'none',
        onFrames(batch) {
          for (let index = 0; index < batch.count; index++) bytes += batch.byteLength(index);
        },
      });
      reader.pause();
      const landed = fill(reader, new Uint8Array(pieceBytes).fill(0x78));
      expect(landed).toBe(windowBytes);
      expect(reader.reserve()).toHaveLength(0);
      reader.resume();
      expect(reader.reserve()).toHaveLength(windowBytes - windowBytes / 4);
      reader.end();
      expect(bytes).toBe(landed);
    },
  );

  it('counts held frames and a beginning that waits', () => {
    const windowBytes = 8192;
    let frames = 0;
    let holds = true;
    const reader = createFrameReader({
      windowBytes,
      onFrames(batch) {
        if (holds) return 0;
        frames += batch.count;
        return undefined;
      },
    });
    const before = joined(line, line, ' '.repeat(30));
    reader.push(before);
    const landed = fill(reader, line);
    // The newline of the last held frame is not needed any more.
    expect(before.length + landed - 1).toBe(windowBytes);
    holds = false;
    reader.resume();
    expect(frames).toBe(Math.floor((before.length - 30 + landed) / line.length));
  });

  it('is limit and window at most for a long frame that is held while the next has begun', () => {
    const windowBytes = 4096;
    const maxFrameBytes = 50_000;
    const long = `{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(maxFrameBytes - 100)}"}}`;
    const seen: number[] = [];
    let holds = true;
    const reader = createFrameReader({
      windowBytes,
      maxFrameBytes,
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) seen.push(batch.byteLength(index));
        return holds ? 0 : batch.count;
      },
    });
    const bytes = bytesOf(`${long}\n${long}\n${long}\n`);
    for (let at = 0; at < bytes.length; at += 2500) reader.push(bytes.subarray(at, at + 2500));
    const { storedBytes } = reader.stats();
    expect(storedBytes).toBeGreaterThan(maxFrameBytes / 2);
    expect(storedBytes).toBeLessThanOrEqual(maxFrameBytes + crBytes + windowBytes);
    seen.length = 0;
    holds = false;
    reader.resume();
    expect(seen).toEqual([long.length, long.length, long.length]);
    expect(reader.stats().peakStoredBytes).toBeLessThanOrEqual(maxFrameBytes + crBytes + windowBytes);
    expect(reader.stats().storedBytes).toBe(0);
  });

  it('is given back when the reader is closed', () => {
    const reader = createFrameReader({ onFrames: () => 0 });
    const big = bytesOf(`{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(300_000)}"}}\n{"`);
    for (let at = 0; at < big.length; at += 65_536) reader.push(big.subarray(at, at + 65_536));
    expect(reader.stats().storedBytes).toBeGreaterThan(0);
    reader.close();
    expect(reader.stats().storedBytes).toBe(0);
  });
});

describe('a frame longer than a string can be', () => {
  it('keeps its row, and its value is refused with the size, not called bad JSON', () => {
    const chunk = Buffer.alloc(1 << 20, 0x61);
    let code: unknown;
    let kind: unknown;
    const reader = createFrameReader({
      maxFrameBytes: 2 ** 31 - 1,
      onFrames(batch) {
        kind = batch.kind(0);
        try {
          batch.payload(0);
        } catch (error) {
          ({ code } = error as { code: unknown });
        }
      },
    });
    reader.push(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"t":"'));
    for (let megabyte = 0; megabyte < 513; megabyte++) reader.push(chunk);
    reader.push(Buffer.from('"}}\n'));
    expect([kind, code]).toEqual(['result', 'FRAME_TOO_LARGE']);
  });
});

describe('stats', () => {
  it('count the bytes of every frame over the limit, however it came', () => {
    const line = `{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(9000)}"}}`;
    for (const split of ['whole', 1] as const) {
      const options = { maxFrameBytes: 1024, windowBytes: 4096 };
      expect(read(`${line}\n${line}\n`, options, () => {}, split).stats().droppedBytes).toBe(2 * line.length);
    }
    expect(read(`${line}\n`, { maxFrameBytes: 1024 }, () => {}).stats().droppedBytes).toBe(line.length);
  });

  it('count bytes, frames, faults, invalid messages and blank lines', () => {
    const stream = '{"jsonrpc":"2.0","id":1,"method":"m"}\n\n{}\nnope\n \r\n[]\n{';
    for (const split of ['whole', 1] as const) {
      expect(read(stream, {}, () => {}, split).stats()).toMatchObject({
        bytes: stream.length,
        frames: 5,
        faults: 2,
        invalid: 1,
        blankFrames: 2,
        fallbackFrames: 0,
        droppedBytes: 0,
      });
    }
  });

  it('are a copy', () => {
    const reader = read('{}\n', {}, () => {});
    const before = reader.stats();
    expect(reader.stats()).not.toBe(before);
    expect(reader.stats()).toEqual(before);
  });
});
