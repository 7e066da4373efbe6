import { createFrameReader, type FrameReader } from '../../src/index.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Asks the reader's full check about single JSON texts. One reader serves all, so a byte order mark never opens its stream. */
export class FullScan {
  readonly #reader: FrameReader;
  #good = 0;
  #bad = 0;

  constructor() {
    this.#reader = createFrameReader({
      envelope: 'none',
      validate: 'full',
      maxDepth: 16_384,
      onFrames: (batch) => {
        for (let index = 0; index < batch.count; index++) {
          if (batch.kind(index) === 'value') this.#good++;
          else this.#bad++;
        }
      },
      onError: (error) => {
        throw error;
      },
    });
    this.#reader.push(Uint8Array.of(0x30, LF));
  }

  /** Whether it takes the bytes for one JSON text of at most 16,384 levels. White space alone is none. */
  accepts(text: Uint8Array): boolean {
    this.#good = 0;
    this.#bad = 0;
    this.#reader.push(lineOf(text));
    if (this.#good + this.#bad > 1) throw new Error('one text, several frames');
    return this.#good === 1;
  }
}

/** The text as one line. A frame ends at its newline; a CR is white space and illegal in the same places. */
export function lineOf(text: Uint8Array): Uint8Array {
  const line = new Uint8Array(text.length + 1);
  line.set(text);
  for (let at = line.indexOf(LF); at >= 0; at = line.indexOf(LF, at + 1)) line[at] = CR;
  line[text.length] = LF;
  return line;
}
