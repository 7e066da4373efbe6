import type { CorpusName } from '@linewire/testkit';
import type { CodecSide } from './codec-sides.ts';

/** What a codec case is about; promises are made by kind. */
type CodecKind = 'calls' | 'results' | 'large' | 'hostile';

export interface CodecCase {
  readonly corpus: CorpusName;
  readonly kind: CodecKind;
  readonly sides: readonly CodecSide[];
  /** Measured twice in the same turns: the noise band. */
  readonly reference: CodecSide;
  /** Size of the corpus, bytes. */
  readonly targetBytes: number;
  /** Turns of a full run: fewer where a single pass takes most of a second. */
  readonly turns: number;
  /** Also in a quick run. */
  readonly isQuick: boolean;
}

const mebibyte = 1 << 20;

/** Thousands of messages a pass. */
const repeated = { reference: 'parseLines', targetBytes: mebibyte, turns: 4 } as const;
const callSides: readonly CodecSide[] = [
  'parseLines',
  'decodeLines',
  'nameLines',
  'parse',
  'payload',
  'name',
];
const writeSides: readonly CodecSide[] = ['stringify', 'encode'];
const resultSides: readonly CodecSide[] = ['parseLines', 'decodeLines', 'parse', 'payload', ...writeSides];
const payloadSides: readonly CodecSide[] = ['parse', 'payload'];

const calls = (corpus: CorpusName, sides = callSides, isQuick = false): CodecCase => ({
  ...repeated,
  corpus,
  kind: 'calls',
  sides,
  isQuick,
});

const results = (corpus: CorpusName, isQuick = false): CodecCase => ({
  ...repeated,
  corpus,
  kind: 'results',
  sides: resultSides,
  isQuick,
});

const large = (corpus: CorpusName): CodecCase => ({
  corpus,
  kind: 'large',
  sides: [...payloadSides, ...writeSides],
  reference: 'parse',
  targetBytes: 2 * mebibyte,
  turns: 4,
  isQuick: corpus === '1mb',
});

const hostile = (corpus: CorpusName): CodecCase => ({
  corpus,
  kind: 'hostile',
  sides: payloadSides,
  reference: 'parse',
  targetBytes: mebibyte,
  turns: corpus === 'hostile-members' ? 2 : 4,
  isQuick: corpus === 'hostile-shapes',
});

export const codecCases: readonly CodecCase[] = [
  // What every other case moves: the calls of linewire-server's tools, and its answers.
  calls('calls', callSides, true),
  calls('calls-modern'),
  results('answers', true),
  results('answers-modern'),
  // Several tools by chance, words by chance: what the branch predictor of the machine cannot learn.
  calls('repeated-calls', callSides, true),
  calls('repeated-calls-thai'),
  results('repeated-results', true),
  results('repeated-results-thai'),
  large('64kb'),
  large('1mb'),
  large('1mb-thai'),
  large('1mb-dense'),
  large('timeline'),
  hostile('hostile-shapes'),
  hostile('hostile-flood'),
  hostile('hostile-members'),
  hostile('hostile-depth'),
  hostile('hostile-late'),
  hostile('hostile-strings'),
  hostile('hostile-objects'),
];
