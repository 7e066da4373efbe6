import type { CorpusName } from '@linewire/testkit';
import { codecGroup } from './codec-case.ts';
import { codecCases } from './codec-cases.ts';
import { type CodecSide, codecSides } from './codec-sides.ts';
import { listed, times } from './figures.ts';
import { bandOf, type Measurements, onEveryNode, rowOf, type Verdict } from './verdict.ts';

/** Judges the promises about values: decoded, lazy, encoded. */
export function codecVerdicts(run: Measurements): Verdict[] {
  return [
    ...decodeVerdict(run, 'calls', ['calls', 'calls-modern']),
    ...decodeVerdict(run, 'results', ['answers', 'answers-modern']),
    ...mixedVerdict(run, 'calls', 'repeated-calls', 'repeated-calls-thai'),
    ...mixedVerdict(run, 'results', 'repeated-results', 'repeated-results-thai'),
    ...nameVerdict(run),
    ...encodeVerdict(run),
    ...neverSlowerVerdict(
      run,
      'large',
      'payloads of 64 KB to 1 MB: payload ≥ 1 × JSON.parse, less the noise',
    ),
    ...neverSlowerVerdict(
      run,
      'large',
      'messages of 64 KB to 1 MB: encodeInto ≥ 1 × JSON.stringify and write, less the noise',
      'stringify',
      'encode',
    ),
    ...neverSlowerVerdict(run, 'hostile', 'hostile payloads: payload ≥ 1 × JSON.parse, less the noise'),
  ];
}

/** How many times the speed of `theirs` one side has. */
function ratio(
  run: Measurements,
  node: string,
  corpus: CorpusName,
  theirs: CodecSide,
  ours: CodecSide,
): number | undefined {
  const their = rowOf(run, node, codecGroup, corpus, codecSides[theirs]);
  const our = rowOf(run, node, codecGroup, corpus, codecSides[ours]);
  return their && our && their.median / our.median;
}

/** The promise is about the whole way, reader included, in both eras; the payload alone stands beside it. */
function decodeVerdict(run: Measurements, what: string, corpora: readonly CorpusName[]): Verdict[] {
  const promise = `repeated ${what} of 60–400 bytes: reader, id, method and payload ≥ 3 × JSON.parse per line`;
  return onEveryNode(run, promise, (node) => {
    const found = corpora.flatMap((corpus) => {
      const value = ratio(run, node, corpus, 'parseLines', 'decodeLines');
      return value === undefined ? [] : [{ corpus, value }];
    });
    if (found.length === 0) return undefined;
    const worst = Math.min(...found.map(({ value }) => value));
    const measured = listed(times, [
      ['', worst],
      ...corpora.flatMap((corpus) => [
        [`${corpus} `, ratio(run, node, corpus, 'parseLines', 'decodeLines')] as const,
        [`${corpus} payload alone `, ratio(run, node, corpus, 'parse', 'payload')] as const,
      ]),
    ]);
    const noise = Math.max(...corpora.map((corpus) => bandOf(run.noise, codecGroup, corpus, node) ?? 0));
    return { measured, met: worst >= 3, noise };
  });
}

/** The same where kinds and words come by chance. A goal: nobody was promised what a machine cannot foresee. */
function mixedVerdict(run: Measurements, what: string, corpus: CorpusName, thai: CorpusName): Verdict[] {
  const promise = `${what} of several kinds by chance, no words twice: reader, id, method and payload ≥ 3 × JSON.parse per line`;
  return onEveryNode(run, promise, (node) => {
    const whole = ratio(run, node, corpus, 'parseLines', 'decodeLines');
    if (whole === undefined) return undefined;
    const measured = listed(times, [
      ['', whole],
      ['payload alone ', ratio(run, node, corpus, 'parse', 'payload')],
      ['Thai ', ratio(run, node, thai, 'parseLines', 'decodeLines')],
      ['Thai payload alone ', ratio(run, node, thai, 'parse', 'payload')],
    ]);
    return { measured, met: whole >= 3, noise: bandOf(run.noise, codecGroup, corpus, node) };
  }).map((verdict) => ({ ...verdict, isGoal: true }));
}

function nameVerdict(run: Measurements): Verdict[] {
  const corpus = 'repeated-calls';
  return onEveryNode(run, 'lazy params.name, reader included, ≥ 4 × JSON.parse per line', (node) => {
    const whole = ratio(run, node, corpus, 'parseLines', 'nameLines');
    if (whole === undefined) return undefined;
    const measured = listed(times, [
      ['', whole],
      ['payload alone ', ratio(run, node, corpus, 'parse', 'name')],
      ['100-byte calls ', ratio(run, node, 'calls', 'parseLines', 'nameLines')],
      ['Thai ', ratio(run, node, 'repeated-calls-thai', 'parseLines', 'nameLines')],
    ]);
    return { measured, met: whole >= 4, noise: bandOf(run.noise, codecGroup, corpus, node) };
  });
}

/** Newer runtimes stringify much faster, so that less is promised there. */
function encodeVerdict(run: Measurements): Verdict[] {
  const corpora = ['answers', 'answers-modern', 'repeated-results', 'repeated-results-thai'] as const;
  const promise = 'repeated results: encodeInto ≥ 1.5 × JSON.stringify and write on Node 20, ≥ 1 × on 26';
  return onEveryNode(run, promise, (node) => {
    const found = corpora.flatMap((corpus) => {
      const value = ratio(run, node, corpus, 'stringify', 'encode');
      return value === undefined ? [] : [{ corpus, value }];
    });
    if (found.length === 0) return undefined;
    const worst = Math.min(...found.map(({ value }) => value));
    const measured = listed(times, [
      ['', worst],
      ...found.map(({ corpus, value }) => [`${corpus} `, value] as const),
    ]);
    const wanted = Number.parseInt(node, 10) < 26 ? 1.5 : 1;
    const noise = Math.max(...found.map(({ corpus }) => bandOf(run.noise, codecGroup, corpus, node) ?? 0));
    return { measured, met: worst >= wanted, noise };
  });
}

/** Each corpus is held to its own noise; the worst one is the figure. */
function neverSlowerVerdict(
  run: Measurements,
  kind: 'large' | 'hostile',
  promise: string,
  theirs: CodecSide = 'parse',
  ours: CodecSide = 'payload',
): Verdict[] {
  const corpora = codecCases.filter((planned) => planned.kind === kind).map(({ corpus }) => corpus);
  return onEveryNode(run, promise, (node) => {
    const found = corpora.flatMap((corpus) => {
      const value = ratio(run, node, corpus, theirs, ours);
      return value === undefined
        ? []
        : [{ corpus, value, band: bandOf(run.noise, codecGroup, corpus, node) ?? 0 }];
    });
    if (found.length === 0) return undefined;
    const worst = Math.min(...found.map(({ value }) => value));
    const all = found.map(({ corpus, value }) => [`${shortName(corpus)} `, value] as const);
    return {
      measured: listed(times, [['', worst], ...all]),
      met: found.every(({ value, band }) => value >= 1 - band),
      noise: Math.max(...found.map(({ band }) => band)),
    };
  });
}

function shortName(corpus: CorpusName): string {
  return corpus.replace('hostile-', '');
}
