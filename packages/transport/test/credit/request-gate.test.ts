import { describe, expect, it } from 'vitest';
import type { Duplex, DuplexHandlers } from '../../src/duplex.ts';
import { type MemoryPairOptions, memoryPair } from '../../src/memory/memory-pair.ts';

const request = (id: number | string, pad = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"work","params":{"pad":"${pad}"}}`;
const free = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"free"}`;
const note = '{"jsonrpc":"2.0","method":"note"}';
const answer = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const noise = 'starting up ...';

interface Side {
  readonly near: Duplex;
  /** What came, in order: ids of requests, or kinds. */
  readonly seen: unknown[];
  feed(...frames: string[]): Promise<void>;
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

function side(handlers: Partial<DuplexHandlers> = {}, options: MemoryPairOptions = {}): Side {
  const [near, far] = memoryPair(options);
  const seen: unknown[] = [];
  near.start({
    isFree: (batch, index) => batch.method(index) === 'free',
    ...handlers,
    onFrames: (batch) => {
      const consumed = handlers.onFrames?.(batch) ?? batch.count;
      for (let index = 0; index < consumed; index++)
        seen.push(batch.kind(index) === 'request' ? batch.id(index) : batch.kind(index));
      return consumed;
    },
  });
  far.start({ onFrames: () => {} });
  return {
    near,
    seen,
    feed: async (...frames) => {
      for (const frame of frames) far.sendEncoded(frame);
      await settle();
    },
  };
}

describe('requests that are paused', () => {
  it('wait in order, while everything else and what is free goes on', async () => {
    const { near, seen, feed } = side();
    near.pauseRequests();
    await feed(request(1), note, request(2), answer(7), noise, free(3), request(4));
    expect(seen).toEqual(['notification', 'result', 'fault', 3]);
    expect(near.parked.count).toBe(3);
    near.resumeRequests();
    expect(seen.slice(4)).toEqual([1, 2, 4]);
    expect(near.parked).toMatchObject({ count: 0, byteCount: 0 });
  });

  it('stay in front of later ones when they are not consumed, though nothing is paused any more', async () => {
    let takes = true;
    const { near, seen, feed } = side({ onFrames: (batch) => (takes ? batch.count : 0) });
    near.pauseRequests();
    await feed(request(1));
    takes = false;
    near.resumeRequests();
    expect(near.parked.count).toBe(1);
    takes = true;
    await feed(note, request(2));
    expect(seen).toEqual(['notification', 1, 2]);
  });

  it('are the same frames as before: text, position in the stream, and payload', async () => {
    const frames: unknown[] = [];
    const { near, feed } = side({
      onFrames: (batch) => {
        for (let index = 0; index < batch.count; index++)
          frames.push([batch.text(index), batch.start(index), batch.payload(index), batch.idText(index)]);
        return batch.count;
      },
    });
    await feed(note);
    near.pauseRequests();
    await feed(request('"ü"', 'ä\\u00e4'), request('9007199254740993'));
    near.resumeRequests();
    expect(frames[1]).toEqual([request('"ü"', 'ä\\u00e4'), 34, { pad: 'ää' }, '"ü"']);
    expect((frames[2] as unknown[])[1]).toBe(34 + Buffer.byteLength(request('"ü"', 'ä\\u00e4')) + 1);
  });

  it('are parked from the middle of the batch in which the pause comes', async () => {
    const { near, seen, feed } = side({
      onFrames: (batch) => {
        if (batch.kind(0) !== 'request' || batch.id(0) !== 1) return batch.count;
        near.pauseRequests();
        return 1;
      },
    });
    await feed(request(1), request(2), note, request(3), note);
    expect(seen).toEqual([1, 'notification', 'notification']);
    near.resumeRequests();
    expect(seen.slice(3)).toEqual([2, 3]);
  });

  it('are delivered one by one until they are paused again, and none overtakes another', async () => {
    let credit = 0;
    const { near, seen, feed } = side({
      onFrames: (batch) => {
        for (let index = 0; index < batch.count; index++) {
          if (credit === 0) {
            near.pauseRequests();
            return index;
          }
          credit--;
        }
        return batch.count;
      },
    });
    await feed(request(1), request(2), request(3));
    credit = 2;
    near.resumeRequests();
    expect(seen).toEqual([1, 2]);
    await feed(request(4));
    credit = 5;
    near.resumeRequests();
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('can be taken out by id, all of them too, and their ids are told exactly', async () => {
    const { near, seen, feed } = side();
    near.pauseRequests();
    await feed(request(1), request('"1"'), request('2.0e1'), request(3));
    expect(near.parked.has(20 as never)).toBe(true);
    expect(near.parked.drop(1 as never)).toBe(true);
    expect(near.parked.drop(1 as never)).toBe(false);
    expect(near.parked.dropAll()).toEqual(['"1"', '2.0e1', '3']);
    expect(near.parked).toMatchObject({ count: 0, byteCount: 0 });
    near.resumeRequests();
    expect(seen).toEqual([]);
  });

  it('with an id that is parked already are delivered, to be refused', async () => {
    const { near, seen, feed } = side();
    near.pauseRequests();
    await feed(request(1), request(1));
    expect(seen).toEqual([1]);
    expect(near.parked.count).toBe(1);
  });

  it('stop the reading when there is no room, which goes on when half of it is free', async () => {
    const size = request(1).length + 512;
    const { near, seen, feed } = side({}, { maxParkedBytes: 4 * size });
    near.pauseRequests();
    await feed(...[1, 2, 3, 4, 5, 6].map((id) => request(id)), note);
    expect(near.parked).toMatchObject({ count: 4, byteCount: 4 * size, stalls: 1 });
    expect(seen).toEqual([]);
    near.parked.drop(1 as never);
    await settle();
    expect(near.parked.count).toBe(3);
    near.parked.drop(2 as never);
    await settle();
    expect(near.parked.count).toBe(4);
    expect(seen).toEqual(['notification']);
  });

  it('without any room are left unread until requests are resumed', async () => {
    const { near, seen, feed } = side({}, { maxParkedBytes: 0 });
    near.pauseRequests();
    await feed(note, request(1), note);
    expect(seen).toEqual(['notification']);
    near.resumeRequests();
    await settle();
    expect(seen).toEqual(['notification', 1, 'notification']);
  });

  it('are refused from the reserved quota when there is no room and reading must go on', async () => {
    const [near, far] = memoryPair({ maxParkedBytes: 700 });
    const answers: unknown[] = [];
    near.start({
      onFrames: () => {},
      refusal: (batch, index) =>
        `{"jsonrpc":"2.0","id":${batch.idText(index)},"error":{"code":-1,"message":"x"}}`,
    });
    far.start({
      onFrames: (batch) => {
        for (let index = 0; index < batch.count; index++) answers.push([batch.kind(index), batch.id(index)]);
      },
    });
    near.pauseRequests();
    for (let id = 1; id <= 3; id++) far.sendEncoded(request(id));
    await settle();
    expect(answers).toEqual([
      ['error', 2],
      ['error', 3],
    ]);
    expect(near.parked).toMatchObject({ count: 1, refused: 2, stalls: 0 });
  });

  it('wait for resume() when everything is paused, and come before what was not read', async () => {
    const { near, seen, feed } = side();
    near.pauseRequests();
    await feed(request(1));
    near.pause();
    await feed(request(2));
    near.resumeRequests();
    expect(seen).toEqual([]);
    near.resume();
    await settle();
    expect(seen).toEqual([1, 2]);
  });

  it('are forgotten when the duplex closes', async () => {
    const { near, seen, feed } = side();
    near.pauseRequests();
    await feed(request(1));
    await near.close();
    near.resumeRequests();
    expect(seen).toEqual([]);
    expect(near.parked.count).toBe(0);
  });

  it('of 100,000 parked ones each is found and delivered in constant time', async () => {
    const { near, seen, feed } = side({}, { maxParkedBytes: 2 ** 30 });
    near.pauseRequests();
    await feed(...Array.from({ length: 100_000 }, (_, id) => request(id)));
    while (near.parked.count < 100_000) await settle();
    for (let id = 0; id < 100_000; id += 2) near.parked.drop(id as never);
    near.resumeRequests();
    expect(seen).toEqual(Array.from({ length: 50_000 }, (_, at) => 2 * at + 1));
  });
});

describe('a request that reading has stopped in front of', () => {
  /** Room for one. */
  const options = { maxParkedBytes: 700 };

  function full() {
    let refuses = false;
    let asked = 0;
    const made = side(
      {
        refusal: (batch, index) => {
          asked++;
          return refuses
            ? `{"jsonrpc":"2.0","id":${batch.idText(index)},"error":{"code":1,"message":"no"}}`
            : undefined;
        },
      },
      options,
    );
    made.near.pauseRequests();
    return {
      ...made,
      refuse: () => {
        refuses = true;
      },
      asked: () => asked,
    };
  }

  it('is refused when that is reconsidered, and what is behind it is read', async () => {
    const { near, seen, feed, refuse, asked } = full();
    await feed(request(1), request(2), request(3), answer(7));
    expect(seen).toEqual([]);
    refuse();
    near.parked.reconsider();
    await settle();
    expect(seen).toEqual(['result']);
    expect(near.parked).toMatchObject({ count: 1, stalls: 1, refused: 2 });
    expect(asked()).toBe(3);
    near.resumeRequests();
    expect(seen).toEqual(['result', 1]);
  });

  it('stays where it is if nothing refuses it', async () => {
    const { near, seen, feed } = full();
    await feed(request(1), request(2), answer(7));
    near.parked.reconsider();
    await settle();
    expect(seen).toEqual([]);
    expect(near.parked).toMatchObject({ count: 1, stalls: 2, refused: 0 });
    near.resumeRequests();
    await settle();
    expect(seen).toEqual([1, 2, 'result']);
  });

  it('is reconsidered after a pause of everything, and when reading goes on anyway, nothing happens', async () => {
    const { near, seen, feed, refuse } = full();
    near.parked.reconsider();
    await feed(request(1), request(2), answer(7));
    near.pause();
    refuse();
    near.parked.reconsider();
    await settle();
    expect(seen).toEqual([]);
    near.resume();
    await settle();
    expect(seen).toEqual(['result']);
  });
});
