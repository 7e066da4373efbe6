import { describe, expect, it } from 'vitest';
import { Piece, stands } from '../../src/text/piece.ts';

const longest = 90;

function textOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => 0x21 + ((i * 7) % 90));
}

function placed(bytes: Uint8Array, at: number): DataView {
  const memory = new Uint8Array(at + bytes.length + 8);
  memory.set(bytes, at);
  return new DataView(memory.buffer);
}

describe('a piece', () => {
  it('stands where the same bytes are, at every length and alignment', () => {
    for (let length = 4; length <= longest; length++) {
      const bytes = textOf(length);
      const piece = new Piece(placed(bytes, length % 8), length % 8, length);
      for (let at = 0; at < 9; at++) expect(stands(piece, placed(bytes, at), at, at + length)).toBe(true);
    }
  });

  it('stands nowhere else: any other value of any one byte is seen', () => {
    for (let length = 4; length <= longest; length++) {
      const bytes = textOf(length);
      const piece = new Piece(placed(bytes, 0), 0, length);
      for (let i = 0; i < length; i++) {
        const original = bytes[i] as number;
        for (const other of [original ^ 1, original ^ 0x80, original + 1, 0, 0x22, 0x7f, 0xff]) {
          if (other === original) continue;
          bytes[i] = other;
          if (stands(piece, placed(bytes, 3), 3, 3 + length)) expect.fail(`byte ${i} of ${length}: ${other}`);
        }
        bytes[i] = original;
      }
    }
  });

  it('stands nowhere when its words read as no number', () => {
    const bytes = new Uint8Array(24).fill(0xff);
    expect(stands(new Piece(placed(bytes, 0), 0, 24), placed(bytes, 0), 0, 24)).toBe(false);
  });

  it('does not stand where it would end behind the limit', () => {
    const bytes = textOf(20);
    const piece = new Piece(placed(bytes, 0), 0, 20);
    expect(stands(piece, placed(bytes, 0), 0, 16)).toBe(false);
  });
});
