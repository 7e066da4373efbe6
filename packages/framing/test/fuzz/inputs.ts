import { type CorpusName, corpora, createCorpus, handedCases, type Random } from '@linewire/testkit';
import type { ScanOptions } from '../../src/engine/engine.ts';
import { defaultOptions } from '../support/engine-account.ts';
import { line, lineEnds, nastyBytes } from './fragments.ts';
import { bytesOfLatin1, mutated } from './mutations.ts';
import type { Trial } from './trial.ts';

/** No input is longer: what matters happens at the edges of blocks, windows and limits, and those can be near. */
const MAX_BYTES = 12_000;
/** Inputs that had a new outcome, kept to be mutated further. */
const MAX_KEPT = 2000;

/** Makes trials from a seed: handed cases, pieces of corpora and generated lines, mutated, under random options. */
export class TrialMaker {
  readonly #random: Random;
  readonly #seeds: Uint8Array[] = [];
  readonly #kept: Uint8Array[] = [];

  constructor(random: Random) {
    this.#random = random;
    for (const { bytes } of handedCases()) this.#seeds.push(bytes);
    for (const name of Object.keys(corpora) as CorpusName[]) {
      this.#seeds.push(createCorpus(name, { targetBytes: 40_000 }).bytes.subarray(0, 200_000));
    }
  }

  next(): Trial {
    const random = this.#random;
    let bytes = this.#base();
    for (let count = random.pick([0, 1, 1, 2, 3, 5, 8]); count > 0; count--) {
      bytes = mutated(random, bytes, this.#base()).subarray(0, MAX_BYTES);
    }
    return {
      bytes,
      cuts: cuts(random, bytes),
      options: scanOptions(random),
      company: random.pick(['alone', 'alone', 'turns', 'swaps'] as const),
      litter: random.pick([0xc3, 0xff, 0x22, 0x5c, 0x7b, 0x0a, 0x80, 0x31, 0xf0]),
    };
  }

  /** Its outcome was new. */
  keep(bytes: Uint8Array): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(bytes);
    else this.#kept[this.#random.integer(0, MAX_KEPT - 1)] = bytes;
  }

  #base(): Uint8Array {
    const random = this.#random;
    const roll = random.integer(0, 9);
    if (roll < 2) return piece(random, random.pick(this.#seeds));
    if (roll < 5 && this.#kept.length > 0) return random.pick(this.#kept);
    let text = random.pick(['', '', '', '', '\xef\xbb\xbf', '\xef\xbb', '\xef\xbb\xbf\xef\xbb\xbf']);
    if (roll === 9) {
      for (let count = random.integer(0, 60); count > 0; count--) text += random.pick(nastyBytes);
    } else {
      for (let count = random.integer(0, 5); count > 0; count--) text += line(random) + random.pick(lineEnds);
      if (random.integer(0, 2) === 0) text += line(random);
    }
    return bytesOfLatin1(text).subarray(0, MAX_BYTES);
  }
}

function piece(random: Random, bytes: Uint8Array): Uint8Array {
  const length = random.integer(1, random.pick([200, 2000, MAX_BYTES]));
  if (bytes.length <= length) return bytes;
  let from = random.integer(0, bytes.length - length);
  if (random.integer(0, 2) > 0) from = bytes.lastIndexOf(0x0a, from) + 1;
  return bytes.subarray(from, from + length);
}

function cuts(random: Random, bytes: Uint8Array): number[] {
  const { length } = bytes;
  switch (random.integer(0, 5)) {
    case 0:
      return [];
    case 1: {
      const step = random.pick([1, 1, 2, 3, 7, 16, 63, 64, 65]);
      if (length / step > 4000) return [];
      return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
    }
    default: {
      const at = Array.from({ length: random.integer(1, 8) }, () => random.integer(0, length));
      return at.sort((a, b) => a - b);
    }
  }
}

function scanOptions(random: Random): ScanOptions {
  const validate = random.pick(['full', 'full', 'full', 'envelope', 'envelope', 'envelope', 'none'] as const);
  return {
    ...defaultOptions,
    validate,
    envelope: validate === 'none' ? 'none' : random.pick(['jsonrpc', 'jsonrpc', 'none'] as const),
    utf8: random.pick(['strict', 'strict', 'replace'] as const),
    duplicates: random.pick(['fault', 'fault', 'last'] as const),
    maxFrameBytes: random.pick([64, 256, 1024, 4096, 1 << 20, 2 ** 31 - 1]),
    maxDepth: random.pick([1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 512, 16_384]),
    maxIdBytes: random.pick([16, 17, 64, 1024]),
    windowBytes: random.pick([64, 256, 4096, 4096, 16_384, 1 << 18]),
  };
}
