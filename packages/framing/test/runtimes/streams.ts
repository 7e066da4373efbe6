import { type CorpusName, corpora, createCorpus, handedCases } from '@linewire/testkit';

/** One stream to read, as the programs in this folder take it. */
export interface Stream {
  readonly name: string;
  readonly base64: string;
  readonly chunkBytes: number;
}

/** A corpus of lines of a megabyte is one line long all the same. */
const corpusBytes = 64 * 1024;
const corpusChunkBytes = 10_007;
/** Short enough to cut most lines of the cases, and the characters and escapes in them. */
const caseChunkBytes = 7;

/** Every handed case, and the beginning of every corpus. */
export function allStreams(): Stream[] {
  return [
    ...handedCases().map(({ file, bytes }) => stream(file, bytes, caseChunkBytes)),
    ...corpusNames().map((name) =>
      stream(name, createCorpus(name, { targetBytes: corpusBytes }).bytes, corpusChunkBytes),
    ),
  ];
}

/** A few short ones, for what is tried many times. */
export function fewStreams(): Stream[] {
  return allStreams().filter(({ base64 }) => base64.length < 4096);
}

/** Not the one whose single line is 12 MB: streams travel as text, and it says nothing that shorter ones do not. */
function corpusNames(): CorpusName[] {
  return (Object.keys(corpora) as CorpusName[]).filter((name) => name !== 'hostile-members');
}

function stream(name: string, bytes: Uint8Array, chunkBytes: number): Stream {
  return { name, base64: Buffer.from(bytes).toString('base64'), chunkBytes };
}
