import type { Random } from '@linewire/testkit';
import { BACKSLASH } from '../../src/bytes.ts';
import { names, nastyBytes, numbers, oddLines } from './fragments.ts';

/** The bytes with one range replaced. */
export function spliced(bytes: Uint8Array, from: number, to: number, inserted: Uint8Array): Uint8Array {
  const made = new Uint8Array(bytes.length - (to - from) + inserted.length);
  made.set(bytes.subarray(0, from));
  made.set(inserted, from);
  made.set(bytes.subarray(to), from + inserted.length);
  return made;
}

export function bytesOfLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const NOTHING = new Uint8Array(0);
const tokens: readonly string[] = [...names, ...numbers, ...oddLines, '"id":1,', '"2.0"', '{"a":', '[[[['];

/** One change somewhere; `other` is another input to take pieces from. */
export function mutated(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const at = random.integer(0, bytes.length);
  const length = random.pick([1, 1, 1, 2, 3, 5, 16, 63, 64, 65, 200]);
  const to = Math.min(bytes.length, at + length);
  switch (random.integer(0, 11)) {
    case 0:
      return spliced(bytes, at, to, NOTHING);
    case 1: {
      // Repeats a range, at times so often that it fills blocks.
      const times = random.pick([1, 1, 2, 70]);
      const range = bytes.subarray(at, Math.min(to, at + 16));
      let made = bytes;
      for (let time = 0; time < times; time++) made = spliced(made, at, at, range);
      return made;
    }
    case 2: {
      const from = random.integer(0, other.length);
      return spliced(bytes, at, at, other.subarray(from, from + length));
    }
    case 3: {
      const flipped = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
      return spliced(bytes, at, Math.min(bytes.length, at + 1), Uint8Array.of(flipped));
    }
    case 4:
      return spliced(bytes, at, Math.min(bytes.length, at + 1), Uint8Array.of(random.integer(0, 255)));
    case 5:
      return spliced(bytes, at, at, bytesOfLatin1(random.pick(tokens)));
    case 6: {
      const token = bytesOfLatin1(random.pick(nastyBytes));
      return spliced(bytes, at, Math.min(bytes.length, at + token.length), token);
    }
    case 7:
      return spliced(bytes, at, at, Uint8Array.of(BACKSLASH, random.integer(0, 255)));
    case 8:
      // Moves what follows against the blocks.
      return spliced(bytes, at, at, new Uint8Array(random.integer(1, 66)).fill(random.pick([0x20, 0x78])));
    default:
      return spliced(bytes, at, at, bytesOfLatin1(random.pick(nastyBytes)));
  }
}
