import { describe, expect, it } from 'vitest';
import { createFrameReader, type FrameBatch, FramingError, isFramingError } from '../../src/index.ts';
import { poisonByte, poisons } from '../../src/reader/poison.ts';
import { bytesOf } from '../support/events.ts';

const request = '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"x":"é"}}';

/** Every call of a batch that takes an index. */
const accessors = [
  'kind',
  'code',
  'start',
  'end',
  'byteLength',
  'unterminated',
  'ascii',
  'hasMethod',
  'hasParams',
  'hasResult',
  'hasError',
  'idKey',
  'idText',
  'idSource',
  'id',
  'method',
  'payload',
  'payloadText',
  'value',
  'lazy',
  'lazyPayload',
  'text',
  'bytes',
  'frameView',
  'fault',
  'copyOf',
] as const;

function batchOf(stream: string, act: (batch: FrameBatch) => void): FrameBatch {
  let kept: FrameBatch | undefined;
  const reader = createFrameReader({
    onFrames(batch) {
      kept = batch;
      act(batch);
    },
    onError(error) {
      throw error;
    },
  });
  reader.push(bytesOf(stream));
  if (kept === undefined) throw new Error('no batch');
  return kept;
}

describe('a batch', () => {
  it('has these methods and no other that takes an index', () => {
    const prototype = Object.getPrototypeOf(batchOf(`${request}\n`, () => {}));
    const methods = Object.getOwnPropertyNames(prototype).filter(
      (name) => typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function',
    );
    expect(
      methods.filter((name) => name !== 'constructor' && name !== 'release' && name !== 'part').sort(),
    ).toEqual([...accessors].sort());
  });

  it.each(accessors)('throws VIEW_RELEASED from %s once its callback has returned', (accessor) => {
    const batch = batchOf(`${request}\n`, (live) => live[accessor](0));
    expect(() => batch[accessor](0)).toThrow(expect.objectContaining({ code: 'VIEW_RELEASED' }));
  });

  it('throws VIEW_RELEASED after an exception too', () => {
    let kept: FrameBatch | undefined;
    const reader = createFrameReader({
      onFrames(batch) {
        kept = batch;
        throw new Error('boom');
      },
      onError() {
        expect(() => kept?.kind(0)).toThrow(expect.objectContaining({ code: 'VIEW_RELEASED' }));
      },
    });
    reader.push(bytesOf(`${request}\n`));
    expect.assertions(1);
  });

  it.each(accessors)('throws OPTION_RANGE from %s for an index that it does not have', (accessor) => {
    batchOf(`${request}\n`, (live) => {
      for (const index of [-1, 1, Number.NaN]) {
        expect(() => live[accessor](index)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
      }
    });
  });

  it('refuses a consumed that is no count of its frames', () => {
    batchOf(`${request}\n`, (live) => {
      expect(live.consumed).toBe(-1);
      for (const count of [-1, 2, 0.5, Number.NaN])
        expect(() => {
          live.consumed = count;
        }).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
      live.consumed = 1;
    });
  });

  it('counts held frames from 0 in the next batch', () => {
    const seen: unknown[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        seen.push([batch.count, batch.id(0), batch.start(0)]);
        return 1;
      },
    });
    const line = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"m"}\n`;
    reader.push(bytesOf(line(1) + line(2)));
    reader.resume();
    expect(seen).toEqual([
      [2, 1, 0],
      [1, 2, line(1).length],
    ]);
  });
});

const sizes = [10, 10_000] as const;

describe.each(sizes)('what a batch gives of a frame with %i bytes of text', (size) => {
  const json = `{"jsonrpc":"2.0","id":"a","method":"m\\u0065","params":{"x":"${'é'.repeat(size)}"}}`;

  function taken(): Record<string, unknown> {
    let found: Record<string, unknown> = {};
    const reader = createFrameReader({
      windowBytes: 4096,
      onFrames(batch) {
        if (batch.start(0) > 0) return;
        found = {
          bytes: batch.bytes(0),
          view: batch.frameView(0),
          payload: batch.payload(0),
          payloadText: batch.payloadText(0),
          text: batch.text(0),
          method: batch.method(0),
          idText: batch.idText(0),
          idSource: batch.idSource(0),
          value: batch.value(0),
        };
      },
    });
    const stream = bytesOf(`${json}\n`);
    for (let at = 0; at < stream.length; at += 1000) reader.push(stream.slice(at, at + 1000));
    // What comes next may land where the frame was.
    reader.push(bytesOf(`${'x'.repeat(4000)}\n`.repeat(5)));
    return found;
  }

  it('may be kept: plain values and copies', () => {
    const found = taken();
    expect(found).toMatchObject({
      bytes: bytesOf(json),
      payload: { x: 'é'.repeat(size) },
      payloadText: `{"x":"${'é'.repeat(size)}"}`,
      text: json,
      method: 'me',
      idText: '"a"',
      idSource: '"a"',
      value: JSON.parse(json),
    });
  });

  it('has memory of its own where it is a copy', () => {
    const bytes = taken()['bytes'] as Uint8Array;
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(bytesOf(json).length);
    expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
  });

  it('does not survive where it is borrowed', () => {
    expect(taken()['view']).not.toEqual(bytesOf(json));
  });
});

describe('poison mode', () => {
  it('is on exactly when LINEWIRE_POISON is 1', () => {
    expect(poisons).toBe(process.env['LINEWIRE_POISON'] === '1');
  });
});

describe.runIf(poisons)('under LINEWIRE_POISON=1', () => {
  it.each(sizes)(
    'a kept view of a frame with %i bytes of text is overwritten when its callback has returned',
    (size) => {
      let view = new Uint8Array(0);
      let copy = new Uint8Array(0);
      const json = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"${'x'.repeat(size)}"}}`;
      const reader = createFrameReader({
        windowBytes: 4096,
        onFrames(batch) {
          view = batch.frameView(0) as Uint8Array<ArrayBuffer>;
          copy = batch.bytes(0) as Uint8Array<ArrayBuffer>;
        },
      });
      const stream = bytesOf(`${json}\n{`);
      for (let at = 0; at < stream.length; at += 1000) reader.push(stream.slice(at, at + 1000));
      expect([...view].every((byte) => byte === poisonByte)).toBe(true);
      expect(copy).toEqual(bytesOf(json));
    },
  );

  it('a frame that is held is not overwritten', () => {
    const texts: string[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        texts.push(batch.text(0));
        return texts.length === 1 ? 1 : batch.count;
      },
    });
    reader.push(bytesOf('{"a":1}\n{"b":2}\n'));
    reader.resume();
    expect(texts).toEqual(['{"a":1}', '{"b":2}']);
  });
});

describe.runIf(!poisons)('without LINEWIRE_POISON', () => {
  it('nothing is overwritten only to be overwritten', () => {
    let view = new Uint8Array(0);
    const reader = createFrameReader({
      onFrames(batch) {
        view = batch.frameView(0) as Uint8Array<ArrayBuffer>;
      },
    });
    reader.push(bytesOf('{"a":1}\n'));
    expect([...view]).toEqual([...bytesOf('{"a":1}')]);
  });
});

describe('isFramingError', () => {
  it('knows its own and those of another copy of the package, and nothing else', () => {
    expect(isFramingError(new FramingError('JSON_SYNTAX', 'x'))).toBe(true);
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('linewire.FramingError'), {
      value: true,
    });
    expect(isFramingError(foreign)).toBe(true);
    for (const other of [new Error('x'), null, undefined, 'x', {}]) expect(isFramingError(other)).toBe(false);
  });
});
