import type { Noise, Row, RunResult } from './results.ts';

/** A promise of the project, and what a run says about it. */
export interface Verdict {
  readonly promise: string;
  /** What was measured, in words, by the name of the Node. */
  readonly measured: Readonly<Record<string, string>>;
  /** `unproven`: met where it was measured, but a Node that it names was not there. */
  readonly outcome: 'met' | 'missed' | 'unproven';
  /** An aim beyond the promises: worth showing, no failure when it is missed. */
  readonly isGoal: boolean;
  /** Largest noise of the case over the Nodes, as a fraction, where it is known. */
  readonly noise: number | undefined;
}

/** The part of a result that is judged. */
export type Measurements = Pick<RunResult, 'rows' | 'noise' | 'runtimes' | 'missing'>;

/** What one Node has to say. */
export interface Finding {
  readonly measured: string;
  readonly met: boolean;
  readonly noise?: number | undefined;
}

/** Judges a promise that names every Node; nothing when no Node has the rows for it. */
export function onEveryNode(
  { runtimes, missing }: Measurements,
  promise: string,
  find: (node: string) => Finding | undefined,
): Verdict[] {
  return verdict(promise, runtimes, find, missing.length > 0);
}

/** Judges a promise about the Node of the harness alone. */
export function onOwnNode(
  { runtimes }: Measurements,
  promise: string,
  find: (node: string) => Finding | undefined,
): Verdict[] {
  return verdict(promise, runtimes.slice(0, 1), find, false);
}

function verdict(
  promise: string,
  runtimes: Measurements['runtimes'],
  find: (node: string) => Finding | undefined,
  isIncomplete: boolean,
): Verdict[] {
  const findings = runtimes.flatMap(({ name, version }) => {
    const finding = find(version);
    return finding === undefined ? [] : [{ name, ...finding }];
  });
  if (findings.length === 0) return [];
  const bands = findings.flatMap(({ noise }) => (noise === undefined ? [] : [noise]));
  const isMet = findings.every(({ met }) => met);
  return [
    {
      promise,
      measured: Object.fromEntries(findings.map(({ name, measured }) => [name, measured])),
      outcome: !isMet ? 'missed' : isIncomplete ? 'unproven' : 'met',
      isGoal: false,
      noise: bands.length === 0 ? undefined : Math.max(...bands),
    },
  ];
}

/** The row of a side on a Node. */
export function rowOf(
  { rows }: Pick<Measurements, 'rows'>,
  node: string,
  group: string,
  name: string,
  side: string,
): Row | undefined {
  return rows.find(
    (row) => row.group === group && row.case === name && row.side === side && row.node === node,
  );
}

/** The noise band of a case; of the first Node that has one when none is named. */
export function bandOf(
  noise: readonly Noise[],
  group: string,
  name: string,
  node?: string,
): number | undefined {
  return noise.find(
    (entry) => entry.group === group && entry.case === name && (node === undefined || entry.node === node),
  )?.band;
}
