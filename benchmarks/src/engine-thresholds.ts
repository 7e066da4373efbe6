import type { CorpusName } from '@linewire/testkit';
import { type CorpusSide, corpusSides } from './corpus-sides.ts';
import { listed, times } from './figures.ts';
import { garbageCase, garbageSide } from './garbage-case.ts';
import { loadCases } from './load-case.ts';
import type { Row } from './results.ts';
import { bandOf, type Measurements, onEveryNode, onOwnNode, rowOf, type Verdict } from './verdict.ts';

/** Judges the promises about the two engines. */
export function engineVerdicts(run: Measurements): Verdict[] {
  return [
    ...indexVerdict(run, 'wasm', 8, 'envelope', 'full'),
    ...indexVerdict(run, 'scalar', 4, 'scalarEnvelope', 'scalarFull'),
    ...goalVerdict(run),
    ...megabyteVerdict(run, 'index', 1.8, 'envelope'),
    ...megabyteVerdict(run, "index 'full'", 0.7, 'full'),
    ...newlineVerdict(run),
    ...scavengeVerdict(run),
    ...firstUseVerdict(run),
    ...moduleSizeVerdict(run),
  ];
}

function micro(run: Measurements, node: string, corpus: CorpusName, side: CorpusSide): Row | undefined {
  return rowOf(run, node, 'micro', corpus, corpusSides[side]);
}

function indexVerdict(
  run: Measurements,
  engine: string,
  wanted: number,
  envelope: CorpusSide,
  full: CorpusSide,
): Verdict[] {
  const promise = `${engine} index ('envelope') ≥ ${wanted} × JSON.parse(latin1Slice) per 100-byte message`;
  return onEveryNode(run, promise, (node) => {
    const ratioOf = (corpus: CorpusName, side: CorpusSide): number | undefined => {
      const parse = micro(run, node, corpus, 'parse');
      const ours = micro(run, node, corpus, side);
      return parse && ours && parse.median / ours.median;
    };
    const ratio = ratioOf('calls', envelope);
    if (ratio === undefined) return undefined;
    const measured = listed(times, [
      ['', ratio],
      ["'full' ", ratioOf('calls', full)],
      ['Thai ', ratioOf('calls-thai', envelope)],
      ["Thai 'full' ", ratioOf('calls-thai', full)],
    ]);
    return { measured, met: ratio >= wanted, noise: bandOf(run.noise, 'micro', 'calls', node) };
  });
}

function goalVerdict(run: Measurements): Verdict[] {
  return onEveryNode(run, "wasm index ('envelope') ≤ 50 ns per 100-byte message", (node) => {
    const ns = micro(run, node, 'calls', 'envelope')?.median;
    if (ns === undefined) return undefined;
    const measured = listed(
      (value) => `${value.toFixed(1)} ns`,
      [
        ['', ns],
        ["'full' ", micro(run, node, 'calls', 'full')?.median],
        ['Thai ', micro(run, node, 'calls-thai', 'envelope')?.median],
      ],
    );
    return { measured, met: ns <= 50, noise: bandOf(run.noise, 'micro', 'calls', node) };
  }).map((verdict) => ({ ...verdict, isGoal: true }));
}

/** The promise is about `1mb`, one long string; what text in Thai and dense structure do to it stands beside. */
function megabyteVerdict(run: Measurements, words: string, wanted: number, side: CorpusSide): Verdict[] {
  return onEveryNode(run, `wasm ${words} ≥ ${wanted} GB/s on 1 MB frames`, (node) => {
    const rate = (corpus: CorpusName): number | undefined => gigabytes(micro(run, node, corpus, side));
    const base64 = rate('1mb');
    if (base64 === undefined) return undefined;
    const measured = listed(
      (value) => `${value.toFixed(2)} GB/s`,
      [
        ['', base64],
        ['Thai ', rate('1mb-thai')],
        ['dense ', rate('1mb-dense')],
      ],
    );
    return { measured, met: base64 >= wanted, noise: bandOf(run.noise, 'micro', '1mb', node) };
  });
}

/**
 * Bytes per second say little when lines are short: then the row per frame is the cost, and behind 1 MB lines it is the copy
 * to the store. So the promise is held to both ends, and what lies between, where the search alone shows, stands beside.
 */
function newlineVerdict(run: Measurements): Verdict[] {
  const promise = "wasm, newlines only ('none') ≥ 5 GB/s, on 100-byte calls and on 1 MB frames alike";
  return onEveryNode(run, promise, (node) => {
    const rate = (corpus: CorpusName): number | undefined => gigabytes(micro(run, node, corpus, 'frames'));
    const judged = [rate('calls'), rate('1mb')];
    if (judged.includes(undefined)) return undefined;
    const measured = listed(
      (value) => `${value.toFixed(1)} GB/s`,
      [
        ['calls ', judged[0]],
        ['1 MB ', judged[1]],
        ['64 KB ', rate('64kb')],
      ],
    );
    const met = judged.every((value) => value !== undefined && value >= 5);
    return { measured, met, noise: bandOf(run.noise, 'micro', 'calls', node) };
  });
}

function scavengeVerdict(run: Measurements): Verdict[] {
  return onEveryNode(run, '0 scavenges over 1,000,000 calls after warm-up, wasm', (node) => {
    const worst = (engine: 'wasm' | 'scalar', feed: 'push' | 'commit'): number | undefined => {
      const row = rowOf(run, node, 'garbage', garbageCase, garbageSide({ engine, feed }));
      return row && Number(row.detail?.['worstScavenges']);
    };
    const judged = [worst('wasm', 'push'), worst('wasm', 'commit')];
    if (judged.includes(undefined)) return undefined;
    const measured = listed(String, [
      ['push ', judged[0]],
      ['commit ', judged[1]],
      ['scalar push ', worst('scalar', 'push')],
      ['scalar commit ', worst('scalar', 'commit')],
    ]);
    return { measured, met: judged.every((count) => count === 0) };
  });
}

function firstUseVerdict(run: Measurements): Verdict[] {
  return onEveryNode(run, 'wasm, first use ≤ 3 ms', (node) => {
    const ms = (engine: string): number | undefined =>
      rowOf(run, node, 'load', loadCases.firstUse, engine)?.median;
    const wasm = ms('wasm');
    if (wasm === undefined) return undefined;
    const measured = listed(
      (value) => `${value.toFixed(2)} ms`,
      [
        ['', wasm],
        ['scalar ', ms('scalar')],
      ],
    );
    return { measured, met: wasm <= 3 };
  });
}

function moduleSizeVerdict(run: Measurements): Verdict[] {
  return onOwnNode(run, 'wasm module ≤ 16 KiB', (node) => {
    const bytes = rowOf(run, node, 'load', loadCases.moduleSize, 'wasm')?.median;
    if (bytes === undefined) return undefined;
    return { measured: `${bytes.toLocaleString('en')} bytes`, met: bytes <= 16 * 1024 };
  });
}

function gigabytes(row: Row | undefined): number | undefined {
  return row?.mbPerSecond === undefined ? undefined : row.mbPerSecond / 1000;
}
