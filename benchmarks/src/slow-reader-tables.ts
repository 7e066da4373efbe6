import type { RunResult } from './results.ts';
import { slowReaderCase, slowReaderSides } from './slow-reader-case.ts';
import { grouped, mebibytes, type Table } from './table.ts';
import { transportGroup } from './transport-group.ts';
import { type Measurements, onOwnNode, rowOf, type Verdict } from './verdict.ts';

/** Judged by the worst run: a limit on memory has no median. */
export function slowReaderVerdict(run: Measurements): Verdict[] {
  const promise =
    '60,000 calls, nobody reads the answers: external memory ≤ high water + 4 MiB, and reading stops';
  return onOwnNode(run, promise, (node) => {
    const found = slowReaderSides.flatMap(({ name }) => {
      const row = rowOf(run, node, transportGroup, slowReaderCase, name);
      return row === undefined ? [] : [row];
    });
    const allowed = Number(found[0]?.detail?.['allowedBytes']);
    const unread = Math.min(...found.map(({ detail }) => Number(detail?.['leastUnreadBytes'])));
    // A run that did not look whether reading stopped says nothing about it.
    if (Number.isNaN(allowed) || Number.isNaN(unread)) return undefined;
    const worst = Math.max(...found.flatMap(({ samples }) => samples));
    return {
      measured: `${mebibytes(worst)} of ${mebibytes(allowed)} MiB (${mebibytes(unread)} MiB left unread)`,
      met: worst <= allowed && unread > 0,
    };
  });
}

export function slowReaderTable({ rows }: RunResult): Table {
  return {
    caption: 'Calls whose answers are not read for 1.5 s: memory above the start, MiB',
    note:
      'External: outside of the JavaScript heap. Heap: what is alive in it, at worst. Unread: calls that neither the server nor the pipe had ' +
      'taken when the answers were read at last, at least. Every answer was checked.',
    header: ['server', 'calls', 'external', 'worst', 'allowed', 'heap', 'unread', 'runs'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === transportGroup && row.case === slowReaderCase)
      .map(({ side, samples, median, detail = {} }) => [
        side,
        grouped(Number(detail['calls'])),
        mebibytes(median),
        mebibytes(Math.max(...samples)),
        mebibytes(Number(detail['allowedBytes'])),
        mebibytes(Number(detail['worstHeapBytes'])),
        mebibytes(Number(detail['leastUnreadBytes'])),
        String(samples.length),
      ]),
  };
}
