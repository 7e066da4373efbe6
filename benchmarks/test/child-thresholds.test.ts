import { describe, expect, it } from 'vitest';
import { childCloseCase } from '../src/child-close-case.ts';
import { childReadCase } from '../src/child-read-case.ts';
import { childCloseSides, childReadSides } from '../src/child-sides.ts';
import { childCloseTable, childReadTable } from '../src/child-tables.ts';
import { childVerdicts } from '../src/child-thresholds.ts';
import { type Row, summarize } from '../src/results.ts';
import { exampleRun, own } from './example-run.ts';

function rows(name: string, sides: readonly string[], ms: readonly number[]): Row[] {
  return sides.map((side, index) =>
    summarize({
      group: 'transport',
      case: name,
      side,
      node: own,
      unit: 'ms',
      samples: [ms[index] ?? 0],
      fit: true,
    }),
  );
}

const withRows = (read: number[], close: number[]) => ({
  ...exampleRun(),
  rows: [...rows(childReadCase, childReadSides, read), ...rows(childCloseCase, childCloseSides, close)],
});

describe('the promises about children', () => {
  it("judge the reading by the faster of the two 'data' ways, and the close by what is beyond the exit", () => {
    const verdicts = childVerdicts(withRows([100, 180, 116], [55, 5]));
    expect(verdicts.map(({ measured, outcome }) => [Object.values(measured), outcome])).toEqual([
      [['1.16 × (ours 1.80 ×; by hand 1.16 ×)'], 'met'],
      [['50.0 ms (worst of all 55 ms)'], 'met'],
    ]);
    expect(childVerdicts(withRows([100, 114, 180], [56, 5])).map(({ outcome }) => outcome)).toEqual([
      'missed',
      'missed',
    ]);
  });

  it('say nothing of a run without those rows', () => {
    expect(childVerdicts({ ...exampleRun(), rows: [] })).toEqual([]);
  });

  it('have a table each', () => {
    const run = withRows([100, 180, 116], [55, 5]);
    expect(childReadTable(run).rows.map(([side]) => side)).toEqual([...childReadSides]);
    expect(childCloseTable(run).rows.map(([side]) => side)).toEqual([...childCloseSides]);
  });
});
