import type { CorpusName } from '@linewire/testkit';
import { type CorpusSide, corpusSides } from './corpus-sides.ts';
import type { Row, RunResult } from './results.ts';
import { distinct, nothing, percent, shortNumber, type Table } from './table.ts';
import { bandOf, rowOf } from './verdict.ts';

/** One table per Node: every corpus, every side that was measured there. */
export function microTables(result: RunResult): Table[] {
  const tables = result.runtimes.map(({ version }) => microTable(result, version));
  return tables.map((table, index) => (index === 0 ? { ...table, note: microNote } : table));
}

const microNote =
  'indexOf: newlines only. JSON.parse: per line, of a `latin1Slice` (`utf8Slice` where the corpus is not ASCII). All else with ' +
  'the wasm engine unless it says scalar. frames: `validate: "none"`. index: `validate: "envelope"`, kinds read. full: the same ' +
  'with `validate: "full"`. route: index and the id and method of each message. decode: route and the payload as values. ' +
  'Medians of fresh processes; what our side pays for copying each 64 KiB chunk in is included.';

function microTable({ rows, noise }: RunResult, node: string): Table {
  const micro = rows.filter((row) => row.group === 'micro' && row.node === node);
  const sides = Object.values(corpusSides).filter((side) => micro.some((row) => row.side === side));
  const cell = (name: string, side: string): string => {
    const row = micro.find((candidate) => candidate.case === name && candidate.side === side);
    return row === undefined ? nothing : shortNumber(row.median);
  };
  return {
    caption: `Framing and parsing on Node ${node}, ns per message`,
    header: ['corpus', 'bytes', ...sides, 'noise'],
    leftColumns: 1,
    rows: distinct(micro.map((row) => row.case)).map((name) => [
      name,
      meanBytes(micro.find((row) => row.case === name)),
      ...sides.map((side) => cell(name, side)),
      percent(bandOf(noise, 'micro', name, node)),
    ]),
  };
}

const shownCorpora: readonly CorpusName[] = ['calls', 'calls-thai', '1kb', '1mb', '1mb-thai', '1mb-dense'];
const shownSides: readonly CorpusSide[] = ['parse', 'scalarEnvelope', 'envelope', 'full', 'frames'];

/** What the README shows of them: short and long messages on every Node, in the unit that compares across lengths. */
export function rateTable(result: RunResult): Table {
  const { runtimes } = result;
  return {
    caption: 'Framing beside `JSON.parse`, GB/s',
    note:
      "index and full are the frame table with `validate: 'envelope'` and `'full'`, newlines is `'none'`, with the wasm " +
      'engine, copying the bytes in included. `1mb` is one base64 string per frame, `1mb-dense` small records.',
    header: ['messages', 'bytes', 'Node', 'JSON.parse', 'scalar index', 'index', 'full', 'newlines'],
    leftColumns: 1,
    rows: shownCorpora.flatMap((corpus) =>
      runtimes.flatMap(({ version }) => {
        const found = shownSides.map((side) => rowOf(result, version, 'micro', corpus, corpusSides[side]));
        const first = found.find((row) => row !== undefined);
        return first === undefined ? [] : [[corpus, meanBytes(first), version, ...found.map(rate)]];
      }),
    ),
  };
}

function meanBytes(row: Row | undefined): string {
  const bytes = Number(row?.detail?.['meanBytes']);
  return Number.isNaN(bytes) ? nothing : shortNumber(bytes);
}

function rate(row: Row | undefined): string {
  return row?.mbPerSecond === undefined ? nothing : (row.mbPerSecond / 1000).toFixed(2);
}
