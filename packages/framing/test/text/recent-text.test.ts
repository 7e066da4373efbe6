import { afterEach, describe, expect, it, vi } from 'vitest';
import { beginText, cutText, MAX_CUT_CHARACTERS } from '../../src/text/recent-text.ts';
import { bytesOf, joined } from '../support/events.ts';

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

describe('short text cut out of recent text', () => {
  it('is right for every range of up to 12 bytes, in any order, announced or not', () => {
    const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => 0x20 + (index % 95));
    for (const end of [0, 1, 100, 4096, 5000, 10_000]) {
      beginText(bytes, end);
      for (let at = 0; at + MAX_CUT_CHARACTERS <= bytes.length; at += 37) {
        for (const from of [at, bytes.length - at - MAX_CUT_CHARACTERS]) {
          const to = from + (at % (MAX_CUT_CHARACTERS + 1));
          expect(cutText(bytes, from, to)).toBe(ascii(bytes, from, to));
        }
      }
    }
  });

  it('is that of the bytes given, never of memory that was announced before', () => {
    const [a, b] = [bytesOf('a'.repeat(100)), bytesOf('b'.repeat(100))];
    beginText(a, 100);
    expect(cutText(a, 10, 15)).toBe('aaaaa');
    expect(cutText(b, 10, 15)).toBe('bbbbb');
    beginText(b, 100);
    expect(cutText(b, 10, 15)).toBe('bbbbb');
    expect(cutText(a, 10, 15)).toBe('aaaaa');
    expect(cutText(a.subarray(5), 10, 15)).toBe('aaaaa');
  });

  it('is made anew when the same memory is announced again', () => {
    const bytes = bytesOf('first text, of some length');
    beginText(bytes, bytes.length);
    expect(cutText(bytes, 0, 5)).toBe('first');
    bytes.set(bytesOf('other'));
    beginText(bytes, bytes.length);
    expect(cutText(bytes, 0, 5)).toBe('other');
    expect(cutText(bytes, 0, 0)).toBe('');
  });

  it('is read from the bytes themselves where nothing was announced: they may have changed', () => {
    const bytes = bytesOf('announced, and not announced');
    beginText(bytes, 9);
    expect(cutText(bytes, 0, 9)).toBe('announced');
    expect(cutText(bytes, 15, 18)).toBe('not');
    bytes.set(bytesOf('now'), 15);
    expect(cutText(bytes, 15, 18)).toBe('now');
    expect(cutText(bytes, 5, 10)).toBe('nced,');
  });
});

describe('without Node’s Buffer, as in browsers', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each(['é', 'ก', '😀', '\ufeff'])('short text and ids behind %j are not shifted', async (odd) => {
    vi.stubGlobal('Buffer', undefined);
    vi.resetModules();
    const { createFrameReader } = await import('../../src/index.ts');
    const seen: unknown[] = [];
    const reader = createFrameReader({
      onFrames(batch) {
        for (let index = 0; index < batch.count; index++)
          seen.push(batch.payload(index), batch.idText(index));
      },
    });
    const line = (id: number): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"m","params":{"a":"${oddOf(id)}","b":"short ${id}","c":"x"}}\n`;
    // Every other frame is ASCII, and says so.
    const oddOf = (id: number): string => (id % 2 === 0 ? odd : '');
    reader.push(bytesOf(Array.from({ length: 60 }, (_, id) => line(id)).join('')));
    expect(seen).toEqual(
      Array.from({ length: 60 }, (_, id) => [{ a: oddOf(id), b: `short ${id}`, c: 'x' }, `${id}`]).flat(),
    );
  });

  it('ill-formed bytes shift nothing either', async () => {
    vi.stubGlobal('Buffer', undefined);
    vi.resetModules();
    const recent = await import('../../src/text/recent-text.ts');
    for (const odd of [[0xff], [0xe0, 0x80], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80]]) {
      const bytes = joined(odd, 'some text', odd, 'more text');
      recent.beginText(bytes, bytes.length);
      expect(recent.cutText(bytes, odd.length, odd.length + 4)).toBe('some');
      expect(recent.cutText(bytes, bytes.length - 9, bytes.length - 5)).toBe('more');
    }
  });
});
