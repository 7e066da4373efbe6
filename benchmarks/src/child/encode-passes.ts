import { JsonEncoder } from '@linewire/framing';
import type { Corpus } from '@linewire/testkit';

/** Writes the JSON of a value from `at` on; gives the position after it. */
type Write = (target: Buffer, at: number, value: unknown) => number;

const newline = 10;

/**
 * Writes every message of the corpus, made before the clock starts, one behind the other into a buffer that is used again in each pass.
 *
 * @throws Error when a way of writing does not give, in the first pass, the text that `JSON.stringify` gives
 */
export function writePass({ bytes }: Corpus, write: Write): () => number {
  const values: unknown[] = [];
  for (const line of bytes.toString().trimEnd().split('\n')) values.push(JSON.parse(line));
  const wanted = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  // Encoders may want room behind what they write.
  const target = Buffer.alloc(wanted.length + 4096);
  const pass = (): number => {
    let at = 0;
    let written = 0;
    for (let i = 0; i < values.length; i++) {
      at = write(target, at, values[i]);
      target[at++] = newline;
      written++;
    }
    return written;
  };
  pass();
  if (target.compare(wanted, 0, wanted.length, 0, wanted.length) !== 0)
    throw new Error('what was written is not what JSON.stringify gives');
  return pass;
}

/** What everybody does: who writes does not know that a text is ASCII. */
export const stringifyInto: Write = (target, at, value) => at + target.write(JSON.stringify(value), at);

/** One encoder for all messages of a stream, whatever they answer. */
export function encodeInto(): Write {
  const encoder = new JsonEncoder();
  return (target, at, value) => encoder.encodeInto(target, at, value);
}
