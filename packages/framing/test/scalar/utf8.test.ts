import { describe, expect, it } from 'vitest';
import { isWellFormed, sequenceEnd, sequencesEnd } from '../../src/scalar/utf8.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What the runtime's decoder says of `bytes[0, length)`. */
function decodes(bytes: Uint8Array, length: number): boolean {
  try {
    decoder.decode(bytes.subarray(0, length));
    return true;
  } catch {
    return false;
  }
}

const edges = [
  0x0a, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff,
];

describe('a UTF-8 sequence', () => {
  it.each([2, 3, 4])('of %i bytes ends where the decoder of the runtime lets it', (length) => {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    for (let lead = 0x80; lead < 0x100; lead++) {
      const leadLength = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
      if (leadLength !== length) continue;
      for (let second = 0; second < 0x100; second++) {
        for (const third of edges) {
          bytes.fill(0x0a);
          bytes.set([lead, second, third, 0x80]);
          bytes.fill(0x0a, length);
          const end = decodes(bytes, length) ? length : 0;
          const shown = `${lead} ${second} ${third}`;
          if (sequenceEnd(bytes, 0, bytes.length) !== end) expect.fail(shown);
          if (sequencesEnd(bytes, view, 0) !== end) expect.fail(`${shown}, among others`);
          if (isWellFormed(bytes, 0, length) !== end > 0) expect.fail(`${shown}, as a range`);
          // Cut: what does not end before the end is not a sequence yet.
          if (sequenceEnd(bytes, 0, length - 1) !== 0) expect.fail(`${shown}, cut`);
        }
      }
    }
  });

  it('is followed by others up to the next ASCII character', () => {
    const bytes = new TextEncoder().encode('กéก🧪ก"\n\n\n\n');
    expect(sequencesEnd(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0)).toBe(15);
  });
});
