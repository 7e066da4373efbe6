import { afterEach, describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, type FrameReader } from '../../src/index.ts';
import { bytesOf } from '../support/events.ts';

const three = bytesOf([1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"m"}\n`).join(''));

/** Ids of every batch after the first, in which `act` throws. */
function afterThrowing(act: (batch: FrameBatch) => void): { rest: unknown[]; errors: unknown[] } {
  const rest: unknown[] = [];
  const errors: unknown[] = [];
  let round = 0;
  const reader = createFrameReader({
    onFrames(batch) {
      if (round++ === 0) act(batch);
      else for (let index = 0; index < batch.count; index++) rest.push(batch.id(index));
    },
    onError: (error) => errors.push(error),
  });
  reader.push(three);
  reader.end();
  return { rest, errors };
}

const listeners = process.listeners('uncaughtException');

afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of listeners) process.on('uncaughtException', listener);
});

/** The next exception that nobody caught. */
function uncaught(): Promise<unknown> {
  process.removeAllListeners('uncaughtException');
  return new Promise((resolve) => process.once('uncaughtException', resolve));
}

describe('an exception out of onFrames', () => {
  const boom = new Error('boom');

  it('goes to onError', () => {
    expect(
      afterThrowing(() => {
        throw boom;
      }).errors,
    ).toEqual([boom]);
  });

  it('counts the frames up to index consumed as delivered', () => {
    for (const [consumed, rest] of [
      [0, [2, 3]],
      [1, [3]],
      [2, []],
      [3, []],
    ] as const) {
      const found = afterThrowing((batch) => {
        batch.consumed = consumed;
        throw boom;
      });
      expect(found.rest).toEqual(rest);
    }
  });

  it('counts the frames up to the highest index read as delivered, where consumed was never set', () => {
    for (const [index, rest] of [
      [0, [2, 3]],
      [1, [3]],
      [2, []],
    ] as const) {
      const found = afterThrowing((batch) => {
        batch.method(index);
        batch.method(0);
        throw boom;
      });
      expect(found.rest).toEqual(rest);
    }
  });

  it('counts one frame as delivered where nothing was read, so that a callback which always throws gets to the end', () => {
    expect(
      afterThrowing(() => {
        throw boom;
      }).rest,
    ).toEqual([2, 3]);
    let calls = 0;
    const reader = createFrameReader({
      onFrames() {
        calls++;
        throw boom;
      },
      onError() {},
    });
    reader.push(three);
    reader.end();
    for (let round = 0; round < 10; round++) reader.resume();
    expect(calls).toBe(3);
  });

  it('holds the rest back until the next bytes, resume or end', () => {
    const counts: number[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        counts.push(batch.count);
        throw boom;
      },
      onError() {},
    });
    expect(reader.push(three)).toBe(false);
    expect(counts).toEqual([3]);
    reader.resume();
    expect(counts).toEqual([3, 2]);
  });

  it('is thrown again in a microtask where there is no onError, and the reader goes on', async () => {
    const thrown = uncaught();
    const ids: unknown[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        ids.push(batch.id(0));
        if (ids.length === 1) throw boom;
      },
    });
    expect(() => reader.push(three)).not.toThrow();
    reader.resume();
    expect(ids).toEqual([1, 2]);
    expect(await thrown).toBe(boom);
  });

  it('out of onError itself is thrown again in a microtask', async () => {
    const thrown = uncaught();
    const second = new Error('second');
    const reader = createFrameReader({
      onFrames() {
        throw boom;
      },
      onError() {
        throw second;
      },
    });
    expect(() => reader.push(three)).not.toThrow();
    expect(await thrown).toBe(second);
  });

  it('that is undefined is an exception all the same', () => {
    expect(
      afterThrowing(() => {
        const nothing: unknown = undefined;
        throw nothing;
      }),
    ).toEqual({ rest: [2, 3], errors: [undefined] });
  });
});

describe('inside onError', () => {
  /** What happens when onError calls `act` on its reader. */
  function whenReporting(act: (reader: FrameReader) => void): {
    ids: unknown[];
    codes: unknown[];
    reader: FrameReader;
  } {
    const ids: unknown[] = [];
    const codes: unknown[] = [];
    const reader: FrameReader = createFrameReader({
      onFrames(batch) {
        ids.push(batch.id(0));
        throw new Error('boom');
      },
      onError() {
        try {
          act(reader);
        } catch (error) {
          codes.push((error as { code?: unknown }).code);
        }
      },
    });
    reader.push(three);
    return { ids, codes, reader };
  }

  it('feeding throws REENTRANT: frames are still in the middle of being delivered', () => {
    const { ids, codes } = whenReporting((reader) => reader.push(three));
    expect(ids).toEqual([1]);
    expect(codes).toEqual(['REENTRANT']);
  });

  it('resume does not deliver a frame twice', () => {
    const { ids, codes, reader } = whenReporting((self) => self.resume());
    for (let round = 0; round < 5; round++) reader.resume();
    expect([ids, codes]).toEqual([[1, 2, 3], []]);
  });

  it('close ends the delivery', () => {
    const { ids, reader } = whenReporting((self) => self.close());
    reader.resume();
    expect(ids).toEqual([1]);
  });
});
