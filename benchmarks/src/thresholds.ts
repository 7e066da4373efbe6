import { corpusSides } from './corpus-sides.ts';
import { linearCases } from './linear-case.ts';
import { memoryCase } from './memory-case.ts';
import { caseNames } from './process-cases.ts';
import type { Noise, Row, RunResult } from './results.ts';

/** A promise of the project, and what a run says about it. */
export interface Verdict {
  readonly promise: string;
  /** What was measured, in words. */
  readonly measured: string;
  readonly met: boolean;
  /** Noise of the case, as a fraction, where it is known. */
  readonly noise: number | undefined;
}

/** Judges every promise that the run has the rows for. */
export function judge({ rows, noise }: Pick<RunResult, 'rows' | 'noise'>): Verdict[] {
  const find = (group: string, name: string, side: string): Row | undefined =>
    rows.find((row) => row.group === group && row.case === name && row.side === side);
  return [
    ...indexVerdict(find, noise),
    ...millionVerdicts(find, noise),
    ...thousandVerdict(find, noise),
    ...linearVerdicts(rows),
    ...memoryVerdict(find),
  ];
}

type Find = (group: string, name: string, side: string) => Row | undefined;

function bandOf(noise: readonly Noise[], group: string, name: string): number | undefined {
  return noise.find((entry) => entry.group === group && entry.case === name)?.band;
}

function indexVerdict(find: Find, noise: readonly Noise[]): Verdict[] {
  const parse = find('micro', 'calls', corpusSides.parse);
  const envelope = find('micro', 'calls', corpusSides.envelope);
  const full = find('micro', 'calls', corpusSides.full);
  if (!parse || !envelope) return [];
  const beside = full ? `; 'full': ${(parse.median / full.median).toFixed(2)} ×` : '';
  return [
    {
      promise: "scalar index ('envelope') ≥ 4 × JSON.parse(latin1Slice) per 100-byte message",
      measured: `${(parse.median / envelope.median).toFixed(2)} ×${beside}`,
      met: parse.median / envelope.median >= 4,
      noise: bandOf(noise, 'micro', 'calls'),
    },
  ];
}

function millionVerdicts(find: Find, noise: readonly Noise[]): Verdict[] {
  return [caseNames.million, caseNames.mixedMillion].flatMap((name) => {
    const bare = find('process', name, 'bare loop');
    const ours = find('process', name, 'linewire-server');
    if (!bare || !ours) return [];
    const ratio = bare.median / ours.median;
    return [
      {
        promise: `${name} ≥ 1.1 × the bare loop's speed`,
        measured: `${ratio.toFixed(2)} ×`,
        met: ratio >= 1.1,
        noise: bandOf(noise, 'process', name),
      },
    ];
  });
}

function thousandVerdict(find: Find, noise: readonly Noise[]): Verdict[] {
  const bare = find('process', caseNames.thousand, 'bare loop');
  const ours = find('process', caseNames.thousand, 'linewire-server');
  if (!bare || !ours) return [];
  const ratio = ours.median / bare.median;
  return [
    {
      promise: "1,000 lines ≤ 1.2 × the bare loop's wall time",
      measured: `${ratio.toFixed(2)} ×`,
      met: ratio <= 1.2,
      noise: bandOf(noise, 'process', caseNames.thousand),
    },
  ];
}

function linearVerdicts(rows: readonly Row[]): Verdict[] {
  return linearCases.flatMap(({ name }) => {
    const medians = rows
      .filter((row) => row.group === 'linear' && row.case === name)
      .map((row) => row.median);
    if (medians.length < 2) return [];
    const ratio = Math.max(...medians) / Math.min(...medians);
    return [
      {
        promise: `ns per byte from 1 to 64 MiB within 1.3 ×, ${name}`,
        measured: `${ratio.toFixed(2)} ×`,
        met: ratio <= 1.3,
        noise: undefined,
      },
    ];
  });
}

function memoryVerdict(find: Find): Verdict[] {
  const row = find('memory', memoryCase, 'frame reader');
  const allowed = Number(row?.detail?.['allowedBytes']);
  if (!row || Number.isNaN(allowed)) return [];
  return [
    {
      promise: `${memoryCase}: stored bytes ≤ limit + window`,
      measured: `${row.median.toLocaleString('en')} of ${allowed.toLocaleString('en')} bytes`,
      met: row.median <= allowed,
      noise: undefined,
    },
  ];
}
