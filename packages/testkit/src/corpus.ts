import { type CorpusName, corpusLines } from './corpus-lines.ts';

export interface CorpusDescription {
  readonly about: string;
  /** All bytes are below 0x80. */
  readonly ascii: boolean;
  /** Default size of the whole, bytes; the corpus ends with the line that reaches it. */
  readonly targetBytes: number;
  /** Bounds of the mean line length, bytes, newline included. A test holds every corpus to them. */
  readonly meanLineBytes: readonly [low: number, high: number];
}

const mebibyte = 1 << 20;

/** The corpora and what is promised of them. */
export const corpora: Readonly<Record<CorpusName, CorpusDescription>> = {
  tiny: {
    about: 'pings, answers without content, small notifications',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [35, 60],
  },
  calls: {
    about: 'tools/call with two numbers or a short text',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [100, 108],
  },
  'calls-modern': {
    about: 'the same with the modern envelope in _meta',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [270, 300],
  },
  answers: {
    about: 'the answers to calls: one short text each',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [75, 100],
  },
  'answers-modern': {
    about: 'the answers to calls-modern',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [170, 210],
  },
  'calls-thai': {
    about: 'tools/call with one or two Thai words',
    ascii: false,
    targetBytes: mebibyte,
    meanLineBytes: [104, 120],
  },
  '1kb': {
    about: 'results with a paragraph of text',
    ascii: true,
    targetBytes: 2 * mebibyte,
    meanLineBytes: [950, 1100],
  },
  '64kb': {
    about: 'results with a source file',
    ascii: true,
    targetBytes: 4 * mebibyte,
    meanLineBytes: [62_000, 68_000],
  },
  '1mb': {
    about: 'results with a base64 block',
    ascii: true,
    targetBytes: 8 * mebibyte,
    meanLineBytes: [1_000_000, 1_100_000],
  },
  '1mb-thai': {
    about: 'results with a book in Thai, raw UTF-8',
    ascii: false,
    targetBytes: 8 * mebibyte,
    meanLineBytes: [1_000_000, 1_100_000],
  },
  '1mb-dense': {
    about: 'results with thousands of small records: short keys, numbers, literals, lists',
    ascii: true,
    targetBytes: 8 * mebibyte,
    meanLineBytes: [1_000_000, 1_100_000],
  },
  escapes: {
    about: 'text where nearly half of the bytes belong to escapes',
    ascii: true,
    targetBytes: 2 * mebibyte,
    meanLineBytes: [900, 1300],
  },
  'thai-emoji': {
    about: 'Thai text and emoji with joiners, raw UTF-8',
    ascii: false,
    targetBytes: 2 * mebibyte,
    meanLineBytes: [900, 1300],
  },
  deep: {
    about: 'params nested 100 to 300 deep, arrays and objects in turn',
    ascii: true,
    targetBytes: 2 * mebibyte,
    meanLineBytes: [1500, 2100],
  },
  'sdk-order': {
    about: 'results as the official SDK writes them: result first, id last',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [95, 180],
  },
  timeline: {
    about: 'results with hundreds of nested posts, text in raw UTF-8',
    ascii: false,
    targetBytes: 2 * mebibyte,
    meanLineBytes: [450_000, 750_000],
  },
  'repeated-calls': {
    about: 'tools/call of three tools, legacy and modern, no values twice',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [180, 300],
  },
  'repeated-calls-thai': {
    about: 'the same with Thai and accented words',
    ascii: false,
    targetBytes: mebibyte,
    meanLineBytes: [200, 330],
  },
  'repeated-results': {
    about: 'results of one text, of a record, and pages of a tool list, no values twice',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [150, 260],
  },
  'repeated-results-thai': {
    about: 'the same with Thai and accented words',
    ascii: false,
    targetBytes: mebibyte,
    meanLineBytes: [170, 300],
  },
  'hostile-shapes': {
    about: 'calls whose argument names are new in every message',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [150, 220],
  },
  'hostile-flood': {
    about: 'calls with argument names of one length and one hash',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [1200, 1400],
  },
  'hostile-members': {
    about: 'a call whose arguments are an object of a million members',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [9_000_000, 14_000_000],
  },
  'hostile-depth': {
    about: 'params nested 512 deep',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [1800, 2300],
  },
  'hostile-late': {
    about: 'calls of one shape, every third with another last name',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [200, 280],
  },
  'hostile-strings': {
    about: 'calls of one shape with long strings that differ at their end',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [300, 360],
  },
  'hostile-objects': {
    about: 'calls with objects that differ at their end, a few of which come again',
    ascii: true,
    targetBytes: mebibyte,
    meanLineBytes: [510, 550],
  },
};

export interface Corpus {
  readonly name: CorpusName;
  /** Whole lines, the last one with its newline; a buffer of its own. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly messageCount: number;
  readonly ascii: boolean;
}

export interface CorpusOptions {
  /** Any integer; default 1. The same seed gives the same bytes. */
  readonly seed?: number;
  /** Size of the whole, bytes; at least one line comes. */
  readonly targetBytes?: number;
}

/** Builds a corpus in memory. */
export function createCorpus(name: CorpusName, options: CorpusOptions = {}): Corpus {
  const { ascii, targetBytes } = corpora[name];
  const wanted = options.targetBytes ?? targetBytes;
  const pieces: Buffer[] = [];
  let byteCount = 0;
  for (const line of corpusLines(name, options.seed ?? 1)) {
    const piece = Buffer.from(`${line}\n`);
    pieces.push(piece);
    byteCount += piece.length;
    if (byteCount >= wanted) break;
  }
  // Not Buffer.concat: it hands out a slice of the shared pool for small results.
  const bytes = Buffer.from(new ArrayBuffer(byteCount));
  let at = 0;
  for (const piece of pieces) at += piece.copy(bytes, at);
  return { name, bytes, messageCount: pieces.length, ascii };
}
