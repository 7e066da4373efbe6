import { describe, expect, it } from 'vitest';
import {
  createFrameReader,
  type FrameBatch,
  type KeptFrame,
  keepFrame,
  keptFrameOverheadBytes,
} from '../../src/index.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const request = (id: number, text = ''): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"text":"${text}"}}`;

function read(chunks: readonly string[], receive: (batch: FrameBatch) => void): void {
  const reader = createFrameReader({
    onFrames: receive,
    onError: (error) => {
      throw error;
    },
  });
  for (const chunk of chunks) reader.push(bytesOf(chunk));
}

function look(batch: FrameBatch): unknown[] {
  return [
    batch.kind(0),
    batch.start(0),
    batch.end(0),
    batch.idText(0),
    batch.method(0),
    batch.payload(0),
    batch.text(0),
  ];
}

describe('a kept frame', () => {
  it.each([
    ['short', request(2, 'äöü \\u0000')],
    ['longer than the window, in many pieces', request(2, 'x'.repeat(400_000))],
  ])('(%s) is the same frame after its batch, whatever came since', (_, text) => {
    const line = `${request(1)}\n${text}\n`;
    const pieces = line.match(/[\s\S]{1,100000}/g) ?? [];
    let kept: KeptFrame | undefined;
    let fresh: unknown[] = [];
    read([...pieces, `${request(3)}\n`.repeat(2000)], (batch) => {
      for (let index = 0; index < batch.count; index++) {
        if (batch.id(index) !== 2) continue;
        kept = keepFrame(batch, index);
        fresh = look(batch.part(index, index + 1));
      }
    });
    expect(fresh[1]).toBe(request(1).length + 1);
    expect(kept?.deliver(look)).toEqual(fresh);
    expect(kept?.deliver(look)).toEqual(fresh);
    expect(kept?.heldBytes).toBe(bytesOf(text).length + keptFrameOverheadBytes);
  });

  it('is lent for one callback at a time, and hands its exception on', () => {
    let kept: KeptFrame | undefined;
    read([`${request(1)}\n`], (batch) => {
      kept = keepFrame(batch, 0);
    });
    const late = kept?.deliver((batch) => batch);
    expect(() => late?.kind(0)).toThrow(expect.objectContaining({ code: 'VIEW_RELEASED' }));
    expect(() =>
      kept?.deliver(() => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
  });

  it('cannot be a fault', () => {
    let thrown: unknown;
    read(['{"jsonrpc":\n'], (batch) => {
      try {
        keepFrame(batch, 0);
      } catch (error) {
        thrown = error;
      }
    });
    expect(thrown).toMatchObject({ code: 'JSON_SYNTAX' });
  });
});

describe('a part of a batch', () => {
  it('has its frames under indices of its own, and ends with the next part and with the batch', () => {
    const parts: FrameBatch[] = [];
    read([[1, 2, 3, 4].map((id) => `${request(id)}\n`).join('')], (batch) => {
      const first = batch.part(1, 3);
      expect([first.count, first.id(0), first.id(1)]).toEqual([2, 2, 3]);
      expect(() => first.id(2)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
      const second = batch.part(3, 4);
      expect(second.id(0)).toBe(4);
      expect(() => first.id(0)).toThrow(expect.objectContaining({ code: 'VIEW_RELEASED' }));
      parts.push(second);
    });
    expect(() => parts[0]?.id(0)).toThrow(expect.objectContaining({ code: 'VIEW_RELEASED' }));
  });

  it.each([
    [0, 0],
    [2, 1],
    [-1, 1],
    [0, 3],
  ])('from %s to %s of two is refused', (from, to) => {
    read([`${request(1)}\n${request(2)}\n`], (batch) => {
      expect(() => batch.part(from, to)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
    });
  });
});
