import { afterEach, describe, expect, it, vi } from 'vitest';
import { AreaPool, STANDARD_AREA } from '../../src/engine/areas.ts';
import { selectAreas } from '../../src/engine-choice.ts';
import { createFrameReader, type FrameReader } from '../../src/index.ts';
import { bytesOf } from '../support/events.ts';

const { engine } = selectAreas('auto', STANDARD_AREA);
const long = bytesOf(`{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(600_000)}"}}\n`);

afterEach(() => vi.restoreAllMocks());

describe('a store that cannot grow', () => {
  it('is OUT_OF_MEMORY with the size, and closes the reader: no frame comes out with a hole in it', () => {
    const kinds: string[] = [];
    const reader = createFrameReader({ onFrames: (batch) => void kinds.push(batch.kind(0)) });
    vi.spyOn(ArrayBuffer.prototype as unknown as { resize(): void }, 'resize').mockImplementation(() => {
      throw new RangeError('no room');
    });
    const code = expect.objectContaining({ code: 'OUT_OF_MEMORY', cause: new RangeError('no room') });
    expect(() => reader.push(long)).toThrow(code);
    vi.restoreAllMocks();
    expect(() => reader.push(long)).toThrow(expect.objectContaining({ code: 'READER_CLOSED' }));
    expect(kinds).toEqual([]);
  });
});

describe('an area of its own', () => {
  it.each(['close', 'end'] as const)(
    'is let go of at %s: what comes later does not find it in use',
    (call) => {
      const openArea = vi.spyOn(engine, 'openArea');
      const closePool = vi.spyOn(AreaPool.prototype, 'close');
      const reader: FrameReader = createFrameReader({ windowBytes: 1 << 20, onFrames: () => {} });
      reader.push(bytesOf('{"jsonrpc":"2.0","method":"a"}\n{'));
      const area = openArea.mock.results[0]?.value as { resident?: unknown };
      reader[call]();
      expect(area.resident).toBeUndefined();
      expect(closePool).toHaveBeenCalled();
      expect(reader.stats()).toMatchObject({ bytes: 32, frames: call === 'end' ? 2 : 1 });
    },
  );
});

describe('a pool that is closed', () => {
  it('forgets areas of one reader, and keeps those that are shared', () => {
    const own = selectAreas('auto', { ...STANDARD_AREA, windowBytes: 1 << 20 });
    const first = own.idle();
    own.close();
    expect(own.idle()).not.toBe(first);
    const shared = selectAreas('auto', STANDARD_AREA);
    const area = shared.idle();
    shared.close();
    expect(shared.idle()).toBe(area);
  });
});

describe('the end, where there is no memory for a window', () => {
  it('has not come: it may be told again, and then brings what was left', () => {
    const texts: string[] = [];
    const inner = createFrameReader({ onFrames: (batch) => void texts.push(batch.text(0)) });
    inner.push(bytesOf('{"jsonrpc":"2.0","method":"a"}'));
    let thrown: unknown;
    const outer = createFrameReader({
      onFrames() {
        vi.spyOn(engine, 'openArea').mockImplementation(() => {
          throw new RangeError('no room');
        });
        const giveBack = takeAll();
        try {
          inner.end();
        } catch (error) {
          thrown = error;
        }
        giveBack();
      },
    });
    outer.push(bytesOf('{"jsonrpc":"2.0","method":"b"}\n'));
    vi.restoreAllMocks();
    expect(thrown).toEqual(new RangeError('no room'));
    inner.end();
    expect(texts).toEqual(['{"jsonrpc":"2.0","method":"a"}']);
  });
});

/** Makes every area that is open busy, so that the next call needs a new one. Returns how to give them back. */
function takeAll(): () => void {
  const pool = selectAreas('auto', STANDARD_AREA);
  const taken: { busy: boolean }[] = [];
  try {
    for (;;) {
      const area = pool.idle();
      area.busy = true;
      taken.push(area);
    }
  } catch {
    // All that are open are taken.
  }
  return () => {
    for (const area of taken) area.busy = false;
  };
}
