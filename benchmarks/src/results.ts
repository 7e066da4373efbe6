import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { resultsFolder } from './paths.ts';
import type { MissingRuntime, Runtime } from './runtimes.ts';
import { median, quantile } from './statistics.ts';

type Unit = 'ns/message' | 'ns/byte' | 'ms' | 'bytes' | 'scavenges';

/** One side of one case. */
export interface Row {
  /** Kind of measurement: `process`, `mcp`, `through`, `micro`, `codec`, `validation`, `garbage`, `load`, `linear`, `memory` or `transport`. */
  readonly group: string;
  readonly case: string;
  readonly side: string;
  /** Version of the Node that was measured; absent for commands that are none. */
  readonly node?: string;
  readonly unit: Unit;
  /** One per turn, each from a process of its own. */
  readonly samples: readonly number[];
  readonly median: number;
  /** Over the passes of a micro case, over the turns of a whole process. */
  readonly p99: number;
  readonly messagesPerSecond?: number;
  /** Input bytes, 10^6 per second. */
  readonly mbPerSecond?: number;
  readonly maxRssBytes?: number;
  /** User and system CPU time of the measured process alone. */
  readonly cpuMs?: number;
  /** Answers that were checked by value, in a run of its own. */
  readonly checkedAnswers?: number;
  /** What else belongs to the row: counters, notes. */
  readonly detail?: Readonly<Record<string, number | string>>;
  /** False if the machine was busy. */
  readonly fit: boolean;
}

/** How far the same side lay apart from itself. */
export interface Noise {
  readonly group: string;
  readonly case: string;
  readonly side: string;
  readonly node: string;
  /** Fraction: 0.02 is 2 %. */
  readonly band: number;
}

/** 2: rows name their Node and sides their engine. Older files stay on record and are no longer rendered. */
export const resultSchema = 2;

export interface RunResult {
  readonly schema: typeof resultSchema;
  readonly startedAt: string;
  readonly kind: 'full' | 'quick';
  /** What `--only` chose; absent for a whole run. */
  readonly only?: string;
  /** Every row is. */
  readonly fit: boolean;
  readonly machine: Machine;
  /** The Nodes that were measured, the one of the harness first. */
  readonly runtimes: readonly Pick<Runtime, 'name' | 'version'>[];
  /** Nodes that a promise names and that were not there: their cases were not run. */
  readonly missing: readonly MissingRuntime[];
  readonly rows: readonly Row[];
  readonly noise: readonly Noise[];
}

/** Fills in what follows from the samples. */
export function summarize(row: Omit<Row, 'median' | 'p99'> & { readonly p99?: number }): Row {
  return { ...row, median: median(row.samples), p99: row.p99 ?? quantile(row.samples, 0.99) };
}

/** `full-…` files are committed and rendered into the README; git ignores all others. */
export function writeResult(result: RunResult, folder: string = resultsFolder): string {
  mkdirSync(folder, { recursive: true });
  const prefix = result.only !== undefined ? 'part' : result.fit ? result.kind : `unfit-${result.kind}`;
  const path = join(folder, `${prefix}-${result.startedAt.slice(0, 19).replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify(result, roundNumbers, 1)}\n`);
  return path;
}

/** Six digits: more would only make the files long. */
function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

/** The newest full run, by the time in its name; undefined before there is one. */
export function newestFullResult(
  folder: string = resultsFolder,
): { name: string; result: RunResult } | undefined {
  const name = readdirSync(folder)
    .filter((file) => /^full-.*\.json$/.test(file))
    .sort()
    .at(-1);
  if (name === undefined) return undefined;
  return { name, result: JSON.parse(readFileSync(join(folder, name), 'utf8')) as RunResult };
}
