import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, type FrameReader } from '../../src/index.ts';
import { bytesOf, land } from '../support/events.ts';

function line(id: number | string): Uint8Array {
  return bytesOf(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"m"}\n`);
}

function lines(first: number, last: number): Uint8Array {
  const parts: string[] = [];
  for (let id = first; id <= last; id++) parts.push(`{"jsonrpc":"2.0","id":${id},"method":"m"}\n`);
  return bytesOf(parts.join(''));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A reader that notes the ids it is given, batch by batch, and lets `act` decide about each batch. */
function noting(act: (batch: FrameBatch, reader: FrameReader, round: number) => number | undefined | void): {
  reader: FrameReader;
  batches: unknown[][];
} {
  const batches: unknown[][] = [];
  const reader: FrameReader = createFrameReader({
    windowBytes: 4096,
    onFrames(batch) {
      batches.push(range(0, batch.count - 1).map((index) => batch.id(index)));
      return act(batch, reader, batches.length - 1);
    },
  });
  return { reader, batches };
}

describe('pause and resume', () => {
  it('outside the callback: nothing is delivered until resume, which delivers all of it', () => {
    const { reader, batches } = noting(() => {});
    expect(reader.paused).toBe(false);
    reader.pause();
    expect(reader.paused).toBe(true);
    expect(reader.push(lines(1, 3))).toBe(false);
    expect(batches).toEqual([]);
    reader.resume();
    expect(reader.paused).toBe(false);
    expect(batches).toEqual([[1, 2, 3]]);
    expect(reader.push(line(4))).toBe(true);
    expect(batches.flat()).toEqual([1, 2, 3, 4]);
  });

  it('inside the callback: pausing takes effect when it returns, frames of that batch count as consumed', () => {
    const { reader, batches } = noting((_, self, round) => {
      if (round === 0) self.pause();
    });
    expect(reader.push(lines(1, 2))).toBe(false);
    expect(reader.push(line(3))).toBe(false);
    expect(batches).toEqual([[1, 2]]);
    reader.resume();
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('inside the callback: consuming one frame and pausing stops after that frame', () => {
    const { reader, batches } = noting((_, self, round) => {
      if (round > 0) return undefined;
      self.pause();
      return 1;
    });
    expect(reader.push(lines(1, 3))).toBe(false);
    reader.push(line(4));
    expect(batches).toEqual([[1, 2, 3]]);
    reader.resume();
    expect(batches.slice(1)).toEqual([[2, 3], [4]]);
  });

  it('inside the callback: pausing and resuming changes nothing', () => {
    const { reader, batches } = noting((_, self) => {
      self.pause();
      self.resume();
    });
    expect(reader.push(lines(1, 2))).toBe(true);
    expect(batches).toEqual([[1, 2]]);
  });

  it('resume when nothing is paused, and pause twice, are harmless', () => {
    const { reader, batches } = noting(() => {});
    reader.resume();
    reader.pause();
    reader.pause();
    reader.resume();
    reader.push(line(1));
    expect(batches).toEqual([[1]]);
  });

  it('keeps the end of the stream back too', () => {
    const { reader, batches } = noting(() => {});
    reader.pause();
    reader.push(lines(1, 2).slice(0, -1));
    reader.end();
    expect(batches).toEqual([]);
    reader.resume();
    expect(batches.flat()).toEqual([1, 2]);
    reader.resume();
    expect(batches.flat()).toEqual([1, 2]);
  });

  it('keeps more than a window back, in order', () => {
    const { reader, batches } = noting(() => {});
    reader.pause();
    for (let first = 1; first <= 901; first += 100) expect(reader.push(lines(first, first + 99))).toBe(false);
    reader.end();
    reader.resume();
    expect(batches.flat()).toEqual(range(1, 1000));
  });

  it('in every batch still gives every frame once, in order', () => {
    const { reader, batches } = noting((_, self) => self.pause());
    reader.push(lines(1, 1000));
    reader.push(lines(1001, 1500));
    reader.end();
    for (let round = 0; round < 100; round++) reader.resume();
    expect(batches.flat()).toEqual(range(1, 1500));
  });
});

describe('frames that are held', () => {
  it('come first in the next batch: by return value', () => {
    const { reader, batches } = noting((_, __, round) => (round === 0 ? 1 : undefined));
    expect(reader.push(lines(1, 3))).toBe(false);
    expect(reader.push(line(4))).toBe(true);
    expect(batches).toEqual([[1, 2, 3], [2, 3], [4]]);
  });

  it('come first in the next batch: by batch.consumed', () => {
    const { reader, batches } = noting((batch, _, round) => {
      if (round === 0) batch.consumed = 2;
    });
    expect(reader.push(lines(1, 3))).toBe(false);
    reader.resume();
    expect(batches).toEqual([[1, 2, 3], [3]]);
  });

  it('are told by the return value where both are given', () => {
    const { reader, batches } = noting((batch, _, round) => {
      batch.consumed = 0;
      return round === 0 ? 2 : batch.count;
    });
    reader.push(lines(1, 3));
    reader.resume();
    expect(batches).toEqual([[1, 2, 3], [3]]);
  });

  it('come at end(), and at resume() after it', () => {
    const { reader, batches } = noting((_, __, round) => (round < 2 ? 0 : undefined));
    reader.push(lines(1, 2));
    reader.end();
    reader.resume();
    expect(batches).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it.each([
    [-1, 0],
    [99, 3],
    [1.9, 1],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 3],
  ])('a return value of %d consumes %d of three', (returned, consumed) => {
    const { reader, batches } = noting((_, __, round) => (round === 0 ? returned : undefined));
    reader.push(lines(1, 3));
    reader.resume();
    expect(batches.slice(1).flat()).toEqual([1, 2, 3].slice(consumed));
  });

  it('one by one give every frame once, in order', () => {
    const seen: unknown[] = [];
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        seen.push(batch.id(0));
        return 1;
      },
    });
    reader.push(lines(1, 500));
    reader.end();
    for (let round = 0; round < 1000; round++) reader.resume();
    expect(seen).toEqual(range(1, 500));
  });

  it('fill the window: what is pushed waits behind them, in order, and reserve has no room', () => {
    let holds = true;
    const { reader, batches } = noting(() => (holds ? 0 : undefined));
    for (let first = 1; first <= 901; first += 100) expect(reader.push(lines(first, first + 99))).toBe(false);
    expect(reader.reserve()).toHaveLength(0);
    expect(reader.commit(0)).toBe(false);
    batches.length = 0;
    holds = false;
    reader.resume();
    expect(batches.flat()).toEqual(range(1, 1000));
    expect(reader.reserve().length).toBeGreaterThan(0);
  });

  it('keep their place when bytes are pushed and landed in turn', () => {
    let pauses = true;
    const { reader, batches } = noting((_, self) => {
      if (pauses) self.pause();
    });
    reader.push(lines(1, 300));
    reader.resume();
    // Bytes are waiting now and the window may have room: nothing may land before them.
    const view = reader.reserve();
    if (view.length > 0) {
      view.set(line('landed'));
      reader.commit(line('landed').length);
    }
    pauses = false;
    reader.resume();
    const seen = batches.flat();
    expect(seen.slice(0, 300)).toEqual(range(1, 300));
    land(reader, line('landed'));
    expect(batches.flat().at(-1)).toBe('landed');
  });

  it('may be a frame that outgrew the window', () => {
    const big = `{"jsonrpc":"2.0","id":"big","method":"m","params":{"x":"${'x'.repeat(10_000)}"}}\n`;
    const texts: string[] = [];
    let holds = true;
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) texts.push(batch.text(index));
        return holds ? 0 : batch.count;
      },
    });
    for (let at = 0; at < big.length; at += 1000) reader.push(bytesOf(big.slice(at, at + 1000)));
    reader.push(line(2));
    expect(new Set(texts.map((text) => text.length))).toEqual(new Set([big.length - 1]));
    holds = false;
    reader.resume();
    expect(texts.at(-2)).toBe(big.trimEnd());
    expect(texts.at(-1)).toContain('"id":2');
  });

  it('a NaN consumed with a big frame does not lose the stream', () => {
    const big = `{"jsonrpc":"2.0","id":"big","method":"m","params":{"x":"${'x'.repeat(10_000)}"}}\n`;
    const ids: unknown[] = [];
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        ids.push(batch.id(0));
        return ids.length === 1 ? Number.NaN : 1;
      },
    });
    for (let at = 0; at < big.length; at += 1000) reader.push(bytesOf(big.slice(at, at + 1000)));
    reader.resume();
    reader.push(line(2));
    reader.resume();
    expect(ids).toEqual(['big', 'big', 2]);
  });
});

describe('close', () => {
  it('inside the callback drops the rest and delivers nothing any more', () => {
    const { reader, batches } = noting((_, self) => {
      self.close();
      return 1;
    });
    reader.push(lines(1, 2000));
    reader.resume();
    expect(batches).toHaveLength(1);
  });

  it('outside the callback drops what is paused', () => {
    const { reader, batches } = noting(() => {});
    reader.pause();
    reader.push(lines(1, 1000));
    reader.close();
    reader.close();
    reader.resume();
    expect(batches).toEqual([]);
    expect(reader.stats().storedBytes).toBe(0);
  });

  it('gives the memory of a big frame back', () => {
    const { reader } = noting(() => {});
    for (let round = 0; round < 5; round++) reader.push(bytesOf('x'.repeat(4096)));
    expect(reader.stats().storedBytes).toBeGreaterThan(0);
    reader.close();
    expect(reader.stats().storedBytes).toBe(0);
  });

  it.each(['close', 'end'] as const)('and every feeding call after %s throws READER_CLOSED', (call) => {
    const { reader } = noting(() => {});
    reader[call]();
    const closed = expect.objectContaining({ code: 'READER_CLOSED' });
    expect(() => reader.push(line(1))).toThrow(closed);
    expect(() => reader.reserve()).toThrow(closed);
    expect(() => reader.commit(0)).toThrow(closed);
    expect(() => reader.end()).toThrow(closed);
    reader.pause();
    reader.resume();
    reader.close();
  });
});

describe('feeding the reader from inside its callback', () => {
  it('throws REENTRANT, for every call that feeds', () => {
    const codes: unknown[] = [];
    const { reader } = noting((_, self) => {
      for (const feed of [
        () => self.push(line(9)),
        () => self.reserve(),
        () => self.commit(0),
        () => self.end(),
      ]) {
        try {
          feed();
        } catch (error) {
          codes.push((error as { code?: unknown }).code);
        }
      }
    });
    reader.push(line(1));
    expect(codes).toEqual(['REENTRANT', 'REENTRANT', 'REENTRANT', 'REENTRANT']);
    expect(reader.push(line(2))).toBe(true);
  });
});

describe('reserve and commit', () => {
  it('take what was landed and nothing else', () => {
    const { reader, batches } = noting(() => {});
    const view = reader.reserve();
    expect(view.length).toBe(3072);
    view.set(line(1));
    expect(reader.commit(10)).toBe(true);
    expect(reader.reserve().length).toBe(3072);
    land(reader, line(1).slice(10));
    expect(batches).toEqual([[1]]);
  });

  it.each([-1, 3073, 1.5, Number.NaN])('refuse to commit %d of 3,072 bytes', (byteCount) => {
    const { reader } = noting(() => {});
    reader.reserve();
    expect(() => reader.commit(byteCount)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
    expect(reader.stats().bytes).toBe(0);
  });

  it('leave three quarters of the window free for a read, however long the frame is, in the same place', () => {
    const { reader } = noting(() => {});
    const first = reader.reserve();
    for (let at = 0; at < 20_000; at += 100) {
      const view = reader.reserve();
      expect(view.length).toBe(3072);
      expect(view).toBe(first);
      view.fill(0x78, 0, 100);
      reader.commit(100);
    }
  });
});
