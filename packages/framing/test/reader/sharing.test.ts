import { afterEach, describe, expect, it, vi } from 'vitest';
import { AreaPool, areasFor, STANDARD_AREA } from '../../src/engine/areas.ts';
import type { ScanArea, ScanEngine } from '../../src/engine/engine.ts';
import { selectAreas } from '../../src/engine-choice.ts';
import {
  createFrameReader,
  type FrameBatch,
  type FrameReader,
  type FrameReaderOptions,
} from '../../src/index.ts';
import { poisonByte, poisons } from '../../src/reader/poison.ts';
import { bytesOf, joined, land } from '../support/events.ts';

const engine: ScanEngine = selectAreas('auto', STANDARD_AREA).engine;

/** Areas that are opened while `act` runs. */
function opened(act: () => void): number {
  const openArea = vi.spyOn(engine, 'openArea');
  act();
  return openArea.mock.calls.length;
}

afterEach(() => vi.restoreAllMocks());

function line(id: number | string, padding = 0): Uint8Array {
  return bytesOf(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"m","params":{"x":"${'x'.repeat(padding)}"}}\n`,
  );
}

/** A reader that notes the text of its frames. */
function noting(options: Partial<FrameReaderOptions> = {}): { reader: FrameReader; texts: string[] } {
  const texts: string[] = [];
  const reader = createFrameReader({
    onFrames(batch) {
      for (let index = 0; index < batch.count; index++) texts.push(batch.text(index));
    },
    ...options,
  });
  return { reader, texts };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trimEnd();
}

describe('a reader that is fed inside the callback of another', () => {
  it('leaves the bytes, rows and views of the outer batches as they are, three deep', () => {
    const depth = 3;
    const checked: number[] = [];
    function nest(level: number): FrameReader {
      return createFrameReader({
        onFrames(batch: FrameBatch) {
          const read = (): unknown[] =>
            Array.from({ length: batch.count }, (_, index) => [
              batch.start(index),
              batch.id(index),
              batch.payload(index),
              batch.text(index),
            ]);
          const before = read();
          const views = before.map((_, index) => batch.frameView(index));
          const copies = views.map((view) => view.slice());
          if (level < depth) nest(level + 1).push(lines(level + 1));
          expect(read()).toEqual(before);
          expect(views.map((view) => view.slice())).toEqual(copies);
          checked.push(level);
        },
        onError(error) {
          throw error;
        },
      });
    }
    function lines(level: number): Uint8Array {
      return joined(...[1, 2, 3].map((id) => line(`${level}-${id}`, level * 100)));
    }
    nest(1).push(lines(1));
    expect(checked).toEqual([3, 2, 1]);
  });

  it('may be fed a view of the outer batch: the bytes are passed on as they are', () => {
    const { reader: inner, texts } = noting();
    const outer = createFrameReader({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) {
          inner.push(batch.frameView(index));
          inner.push(bytesOf('\n'));
        }
      },
    });
    outer.push(line(1));
    for (const byte of line(2)) outer.push(Uint8Array.of(byte));
    outer.push(line(3, 20_000));
    expect(texts).toEqual([line(1), line(2), line(3, 20_000)].map(textOf));
  });

  it('works in an area that is used again for the next one', () => {
    const { reader: inner } = noting();
    const outer = createFrameReader({ onFrames: () => void inner.push(line('inner')) });
    outer.push(line(1));
    const feedMore = (): void => {
      for (const id of [2, 3, 4]) outer.push(line(id));
    };
    expect(opened(feedMore)).toBe(0);
  });

  it('may be closed, paused and resumed there', () => {
    const { reader: inner, texts } = noting();
    const outer = createFrameReader({
      onFrames() {
        inner.pause();
        inner.push(line('a'));
        inner.resume();
        inner.close();
      },
    });
    outer.push(line(1));
    outer.push(bytesOf('  \n'));
    expect(texts).toEqual([textOf(line('a'))]);
  });
});

describe('a view that reserve returned', () => {
  it('may be filled after other readers had their turns, as the system does when bytes come', () => {
    const { reader: armed, texts } = noting();
    const { reader: other, texts: otherTexts } = noting();
    armed.push(line(1).slice(0, 20));
    const view = armed.reserve();
    other.push(line('other', 3000));
    other.push(line('cut').slice(0, 9));
    land(other, line('cut').slice(9));
    view.set(line(1).slice(20));
    armed.commit(line(1).length - 20);
    expect(texts).toEqual([textOf(line(1))]);
    expect(otherTexts).toEqual([textOf(line('other', 3000)), textOf(line('cut'))]);
  });

  it('may be filled after its own reader was pushed to, paused and resumed', () => {
    const { reader, texts } = noting();
    const view = reader.reserve();
    reader.push(line(1).slice(0, 20));
    reader.pause();
    reader.push(line(1).slice(20));
    view.set(line(2));
    expect(reader.commit(line(2).length)).toBe(false);
    reader.resume();
    expect(texts).toEqual([line(1), line(2)].map(textOf));
  });

  it('is the same object every time, so that a read costs none', () => {
    const { reader } = noting();
    const { reader: other } = noting();
    const view = reader.reserve();
    for (let round = 0; round < 3; round++) {
      land(reader, line(round));
      other.push(line(round));
      expect(reader.reserve()).toBe(view);
    }
  });

  it('is not where the reader is at work in whose callback it was asked for', () => {
    const { reader: inner, texts } = noting();
    const outer = createFrameReader({
      onFrames(batch) {
        const before = batch.text(0);
        land(inner, line('inner'));
        expect(batch.text(0)).toBe(before);
      },
      onError(error) {
        throw error;
      },
    });
    outer.push(line(1));
    expect(texts).toEqual([textOf(line('inner'))]);
  });

  it('is committed once', () => {
    const { reader } = noting();
    reader.reserve();
    reader.commit(0);
    expect(() => reader.commit(1)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
  });

  it('cannot be committed while another reader is at work in its window: REENTRANT, and reserving again helps', () => {
    const { reader: inner, texts } = noting();
    const errors: unknown[] = [];
    const outer = createFrameReader({
      onFrames() {
        try {
          inner.commit(5);
        } catch (error) {
          errors.push(error);
        }
        land(inner, line(2));
      },
    });
    inner.push(line(1).slice(0, 3));
    inner.reserve();
    outer.push(line('outer'));
    expect(errors).toEqual([
      expect.objectContaining({ code: 'REENTRANT', message: expect.stringContaining('reserve() again') }),
    ]);
    expect(inner.stats().bytes).toBe(3 + line(2).length);
    expect(texts).toHaveLength(1);
  });
});

describe('the areas of a thread', () => {
  it('are one for all readers that take turns, and none before the first byte', () => {
    // Whatever tests before this one have opened is taken into account.
    noting().reader.push(line(0));
    const count = opened(() => {
      for (let id = 0; id < 50; id++) {
        const { reader } = noting({ windowBytes: 4096 << (id % 4), maxDepth: 1 + id * 100 });
        reader.push(line(id).slice(0, 10));
        land(reader, line(id).slice(10));
        reader.end();
      }
    });
    expect(count).toBe(0);
  });

  it.each([
    { windowBytes: STANDARD_AREA.windowBytes + 1 },
    { maxDepth: STANDARD_AREA.maxDepth + 1 },
    { maxIdBytes: STANDARD_AREA.maxIdBytes + 1 },
  ])('are not for a reader with %j: it gets one of its own at once', (options) => {
    const openArea = vi.spyOn(engine, 'openArea');
    const { reader, texts } = noting(options);
    expect(openArea).toHaveBeenCalledTimes(1);
    reader.push(line(1));
    land(reader, line(2));
    reader.end();
    expect(openArea.mock.calls).toEqual([[expect.objectContaining(options)]]);
    expect(texts).toEqual([line(1), line(2)].map(textOf));
  });

  it('have windows as long as the largest reader wants them', () => {
    const { reader } = noting({ windowBytes: 1 << 20 });
    expect(reader.reserve().length).toBe((1 << 20) - 16_384);
    const pool = areasFor(engine, { ...STANDARD_AREA, windowBytes: 4096 });
    expect(pool).toBe(areasFor(engine, STANDARD_AREA));
    expect(pool.idle().window.length).toBe(STANDARD_AREA.windowBytes);
  });

  it('are idle again after a call, also after one whose callback threw or closed the reader', () => {
    const pool = areasFor(engine, STANDARD_AREA);
    const first = pool.idle();
    const busy: boolean[] = [];
    const throwing = createFrameReader({
      onFrames() {
        busy.push(first.busy);
        throw new Error('boom');
      },
      onError() {
        busy.push(first.busy);
      },
    });
    throwing.push(line(1));
    expect(pool.idle()).toBe(first);
    const closing: FrameReader = createFrameReader({ onFrames: () => closing.close() });
    closing.push(line(1));
    expect(pool.idle()).toBe(first);
    expect(busy).toEqual([true, true]);
  });

  it('are opened one by one: the second when the first is busy', () => {
    const pool = new AreaPool(engine, { windowBytes: 4096, maxDepth: 16, maxIdBytes: 16 }, false);
    const first = pool.idle();
    expect(pool.idle()).toBe(first);
    first.busy = true;
    const second = pool.idle();
    expect(second).not.toBe(first);
    second.busy = true;
    first.busy = false;
    expect(pool.idle()).toBe(first);
  });

  it('that cannot be opened cost an error and nothing else: the same bytes may come again', () => {
    const inner = noting();
    let thrown: unknown[] = [];
    const outer = createFrameReader({
      onFrames() {
        // Every area that is open is taken, so that the next call needs a new one.
        const openArea = vi.spyOn(engine, 'openArea').mockImplementation(() => {
          throw new RangeError('out of memory');
        });
        const pool = areasFor(engine, STANDARD_AREA);
        const taken: ScanArea[] = [];
        try {
          for (;;) {
            const area = pool.idle();
            area.busy = true;
            taken.push(area);
          }
        } catch {}
        thrown = [() => inner.reader.push(line(1)), () => inner.reader.reserve()].map(errorOf);
        for (const area of taken) area.busy = false;
        openArea.mockRestore();
      },
    });
    outer.push(line(0));
    expect(thrown).toEqual([new RangeError('out of memory'), new RangeError('out of memory')]);
    expect(inner.reader.stats().bytes).toBe(0);
    inner.reader.push(line(1));
    expect(inner.texts).toEqual([textOf(line(1))]);
    expect(inner.reader.stats().bytes).toBe(line(1).length);
  });
});

function errorOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('what is left behind in a window', () => {
  it.each([1, 100, 5000, 20_000])(
    'by a reader that is dropped inside a frame, %i bytes of it, is seen by no other',
    (padding) => {
      const whole = line('secret', padding);
      noting().reader.push(whole.slice(0, -2));
      const { reader, texts } = noting();
      reader.push(bytesOf('"}}'));
      reader.push(line(1));
      land(reader, bytesOf('{"a":'));
      land(reader, bytesOf('1}'));
      reader.end();
      expect(texts).toEqual([`"}}${textOf(line(1))}`, '{"a":1}']);
      expect(reader.stats()).toMatchObject({ frames: 2, bytes: 3 + line(1).length + 7 });
    },
  );

  it('is of no consequence to a read that is longer or shorter than the last', () => {
    const { reader, texts } = noting({ envelope: 'none', validate: 'none' });
    noting().reader.push(line('long', 10_000));
    for (const text of ['a', 'b\nc', '\n']) land(reader, bytesOf(text));
    expect(texts).toEqual(['ab', 'c']);
  });
});

describe.runIf(poisons)('under LINEWIRE_POISON=1', () => {
  it('whatever a call had in the window is overwritten when it ends, and held frames when they are consumed', () => {
    const views: Uint8Array[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++) views.push(batch.frameView(index));
        return 1;
      },
    });
    reader.push(joined(line(1), line(2), line(3)));
    const isPoison = (view: Uint8Array | undefined): boolean =>
      view?.every((byte) => byte === poisonByte) === true;
    expect(views.map(isPoison)).toEqual([true, true, true]);
    reader.resume();
    expect(views.map(isPoison)).toEqual([true, true, true, true, false]);
    reader.resume();
    expect(views.map(isPoison)).toEqual([true, true, true, true, true, true]);
  });
});
