import { childCloseCase } from './child-close-case.ts';
import { childReadCase } from './child-read-case.ts';
import type { RunResult } from './results.ts';
import { grouped, mebibytes, milliseconds, nothing, type Table } from './table.ts';
import { transportGroup } from './transport-group.ts';

export function childReadTable({ rows }: RunResult): Table {
  return {
    caption: `${childReadCase}: frames of 1,000 bytes written by \`cat\`, spawn and end included`,
    header: ['read by', 'wall ms', 'MB/s', 'CPU ms', 'peak MiB'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === transportGroup && row.case === childReadCase)
      .map(({ side, median, mbPerSecond, cpuMs, maxRssBytes }) => [
        side,
        milliseconds(median),
        mbPerSecond === undefined ? nothing : grouped(Math.round(mbPerSecond)),
        cpuMs === undefined ? nothing : cpuMs.toFixed(0),
        mebibytes(maxRssBytes),
      ]),
  };
}

export function childCloseTable({ rows }: RunResult): Table {
  return {
    caption: `${childCloseCase}, from the end of its stdin until it is known to be gone`,
    header: ['way', 'median ms', 'worst ms', 'processes'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === transportGroup && row.case === childCloseCase)
      .map(({ side, median, samples }) => [
        side,
        milliseconds(median),
        milliseconds(Math.max(...samples)),
        String(samples.length),
      ]),
  };
}
