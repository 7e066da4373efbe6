import { describe, expect, it } from 'vitest';
import {
  firstOdd,
  NO_WORDS,
  oddBytes,
  plainTextEnd,
  shortTextEnd,
  stopBytes,
  wordsOver,
} from '../../src/text/plain-text.ts';

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x80 && byte !== 0x22 && byte !== 0x5c;
}

describe('the bytes of a word that stop a string', () => {
  it('are found exactly up to the lowest of them, whatever stands beside them; text above 0x7F stops only what is read', () => {
    const bytes = new Uint8Array(4);
    const view = new DataView(bytes.buffer);
    const stops = (byte: number): boolean => byte < 0x20 || byte === 0x22 || byte === 0x5c;
    const neighbours = [0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa2, 0xdc, 0xff];
    for (let byte = 0; byte < 256; byte++) {
      for (const before of neighbours) {
        for (const after of neighbours) {
          for (let place = 0; place < 4; place++) {
            bytes.fill(after);
            bytes.fill(before, 0, place);
            bytes[place] = byte;
            const word = view.getInt32(0, true);
            const firstStop = bytes.findIndex(stops);
            const firstNotPlain = bytes.findIndex((value) => stops(value) || value >= 0x80);
            if ((stopBytes(word) === 0 ? -1 : firstOdd(stopBytes(word))) !== firstStop)
              expect.fail(`stops of ${[...bytes].join()}`);
            if ((oddBytes(word) === 0 ? -1 : firstOdd(oddBytes(word))) !== firstNotPlain)
              expect.fail(`odd bytes of ${[...bytes].join()}`);
          }
        }
      }
    }
  });
});

describe('the end of plain text', () => {
  it('is found for every byte at every place of a word, from every start and to every end', () => {
    const bytes = new Uint8Array(16);
    const words = wordsOver(bytes);
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 12; place++) {
        for (const filler of [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f]) {
          bytes.fill(filler);
          bytes[place] = byte;
          const expected = (from: number, to: number): number =>
            place >= from && place < to && !isPlain(byte) ? place : to;
          for (const from of [0, 1, 2, 3, 4, 7]) {
            for (const to of [8, 10, 11, 12]) {
              if (plainTextEnd(bytes, words, from, to) !== expected(from, to))
                expect.fail(`byte ${byte} at ${place} in ${filler}, from ${from} to ${to}`);
              if (plainTextEnd(bytes, NO_WORDS, from, to) !== expected(from, to))
                expect.fail(`byte ${byte} at ${place} in ${filler}, from ${from} to ${to}, without words`);
            }
          }
        }
      }
    }
  });

  it('is found at every place behind any start where a newline stands at last', () => {
    const bytes = new Uint8Array(24);
    const view = new DataView(bytes.buffer);
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 16; place++) {
        for (const filler of [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x7f]) {
          // Behind the end, what an earlier frame left.
          bytes.fill(0x22);
          bytes.fill(filler, 0, 16);
          bytes[16] = 0x0a;
          bytes[place] = byte;
          for (let from = 0; from < 8; from++) {
            const expected = place >= from && !isPlain(byte) ? place : 16;
            if (shortTextEnd(view, from) !== expected)
              expect.fail(`byte ${byte} at ${place} in ${filler}, from ${from}`);
          }
        }
      }
    }
  });

  it('is found in long text, whatever its length', () => {
    const bytes = new Uint8Array(128).fill(0x61);
    const words = wordsOver(bytes);
    for (let from = 0; from < 8; from++) {
      for (let place = from; place < 120; place++) {
        bytes[place] = 0x22;
        expect(plainTextEnd(bytes, words, from, 128)).toBe(place);
        expect(plainTextEnd(bytes, words, from, place)).toBe(place);
        bytes[place] = 0x61;
      }
    }
  });
});
