import type { RunResult } from './results.ts';
import { slowReaderCase } from './slow-reader-case.ts';
import { grouped, mebibytes, type Table } from './table.ts';
import { transportGroup } from './transport-group.ts';
import { type Measurements, onOwnNode, rowOf, type Verdict } from './verdict.ts';

const side = 'linewire-server';

/** Judged by the worst run: a limit on memory has no median. */
export function slowReaderVerdict(run: Measurements): Verdict[] {
  return onOwnNode(run, `${slowReaderCase}: external memory ≤ high water + 4 MiB`, (node) => {
    const row = rowOf(run, node, transportGroup, slowReaderCase, side);
    const allowed = Number(row?.detail?.['allowedBytes']);
    if (!row || Number.isNaN(allowed)) return undefined;
    const worst = Math.max(...row.samples);
    return { measured: `${mebibytes(worst)} of ${mebibytes(allowed)} MiB`, met: worst <= allowed };
  });
}

export function slowReaderTable({ rows }: RunResult): Table {
  return {
    caption:
      'Calls whose answers are not read for 1.5 s: memory outside of the JavaScript heap, above the start, MiB',
    header: ['server', 'calls', 'median', 'worst', 'allowed', 'runs'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === transportGroup && row.case === slowReaderCase)
      .map(({ side: server, samples, median, detail = {} }) => [
        server,
        grouped(Number(detail['calls'])),
        mebibytes(median),
        mebibytes(Math.max(...samples)),
        mebibytes(Number(detail['allowedBytes'])),
        String(samples.length),
      ]),
  };
}
