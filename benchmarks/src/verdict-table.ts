import type { RunResult } from './results.ts';
import { nothing, percent, type Table } from './table.ts';
import { judge } from './thresholds.ts';
import type { Verdict } from './verdict.ts';

/** Every promise with what each Node measured. */
export function verdictTable(result: RunResult): Table {
  const { runtimes, missing } = result;
  const cell = ({ measured, outcome }: Verdict, name: string): string =>
    measured[name] ??
    (outcome === 'unproven' && missing.some((entry) => entry.name === name) ? 'not run' : nothing);
  return {
    caption: 'Promises',
    header: [
      'promise',
      ...runtimes.map(({ version }) => `Node ${version}`),
      ...missing.map(({ name }) => name),
      'verdict',
      'noise',
    ],
    leftColumns: 2 + runtimes.length + missing.length,
    rows: judge(result).map((verdict) => [
      verdict.promise,
      ...[...runtimes, ...missing].map(({ name }) => cell(verdict, name)),
      words(verdict),
      percent(verdict.noise),
    ]),
    note: 'A verdict judges the first figure of a cell, on every Node; what stands in brackets is shown beside it and is not part of the promise.',
  };
}

function words({ outcome, isGoal }: Verdict): string {
  if (isGoal) return outcome === 'missed' ? 'a goal, not reached' : 'a goal, reached';
  if (outcome === 'unproven') return 'NOT RUN everywhere';
  return outcome === 'met' ? 'met' : 'NOT met';
}
