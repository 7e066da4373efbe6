import { codecGroup } from './codec-case.ts';
import { codecSides } from './codec-sides.ts';
import type { RunResult } from './results.ts';
import { distinct, nothing, percent, shortNumber, type Table } from './table.ts';
import { bandOf, rowOf } from './verdict.ts';

/** One table per Node: every corpus of the codec's cases, every side. */
export function codecTables(result: RunResult): Table[] {
  const tables = result.runtimes.map(({ version }) => codecTable(result, version));
  return tables.map((table, index) => (index === 0 ? { ...table, note: codecNote } : table));
}

const codecNote =
  'The first columns go from bytes as they are read to values: `JSON.parse` of a `latin1Slice` of each line (`utf8Slice` where the ' +
  'corpus is not ASCII) beside the reader (`validate: "envelope"`) with `payload`, id and method, or with the lazy `params.name`. The ' +
  'others begin at payloads whose place is known, for `JSON.parse` as for us. String creation is always included. The last two write whole messages into a buffer.';

function codecTable(result: RunResult, node: string): Table {
  const codec = result.rows.filter((row) => row.group === codecGroup && row.node === node);
  const sides = Object.values(codecSides).filter((side) => codec.some((row) => row.side === side));
  return {
    caption: `Values on Node ${node}, ns per message`,
    header: ['corpus', 'bytes', ...sides, 'noise'],
    leftColumns: 1,
    rows: distinct(codec.map((row) => row.case)).map((name) => [
      name,
      meanBytes(codec.find((row) => row.case === name)?.detail?.['meanBytes']),
      ...sides.map((side) => {
        const row = rowOf(result, node, codecGroup, name, side);
        return row === undefined ? nothing : shortNumber(row.median);
      }),
      percent(bandOf(result.noise, codecGroup, name, node)),
    ]),
  };
}

function meanBytes(bytes: number | string | undefined): string {
  return bytes === undefined ? nothing : shortNumber(Number(bytes));
}
