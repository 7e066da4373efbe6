import { netCosts } from './net-cost.ts';
import { passThroughSides } from './pass-through-case.ts';
import { caseNames } from './process-cases.ts';
import type { Row, RunResult } from './results.ts';
import { distinct, grouped, mebibytes, milliseconds, nothing, percent, type Table } from './table.ts';
import { bandOf } from './verdict.ts';

/** One table per whole-process case. */
export function processTables(result: RunResult): Table[] {
  const cases = distinct(result.rows.filter((row) => row.group === 'process').map((row) => row.case));
  return cases.map((name) => processTable(result, name));
}

function processTable({ rows, noise }: RunResult, name: string): Table {
  const ofCase = rows.filter((row) => row.group === 'process' && row.case === name);
  const bare = ofCase.find((row) => row.side === 'bare loop');
  const losers = ofCase.filter(losesAnswers);
  return {
    caption: `\`cat FILE | X\`, ${name}: whole process, start-up included (noise ${percent(bandOf(noise, 'process', name))})`,
    header: ['X', 'wall ms', '× bare loop', 'messages/s', 'CPU ms', 'peak MiB', 'answers checked'],
    leftColumns: 1,
    ...(losers.length > 0 && { note: lossNote(losers) }),
    rows: ofCase.map((row) => [
      losers.includes(row) ? `${row.side} †` : row.side,
      milliseconds(row.median),
      bare === undefined ? nothing : (row.median / bare.median).toFixed(2),
      row.messagesPerSecond === undefined ? nothing : grouped(row.messagesPerSecond),
      row.cpuMs === undefined ? nothing : row.cpuMs.toFixed(0),
      mebibytes(row.maxRssBytes),
      row.checkedAnswers === undefined ? nothing : grouped(row.checkedAnswers),
    ]),
  };
}

function losesAnswers({ detail }: Row): boolean {
  return Number(detail?.['lostAtEof'] ?? 0) > 0;
}

function lossNote(losers: readonly Row[]): string {
  const losses = losers.map(({ side, detail, checkedAnswers }) => {
    const lost = Number(detail?.['lostAtEof']);
    return `${side} loses ${grouped(lost)} of ${grouped(checkedAnswers ?? 0)} answers`;
  });
  return `† ${losses.join(', ')} when its input ends, so it was timed to its last answer with its stdin held open.`;
}

export function netTable({ rows }: RunResult): Table {
  return {
    caption: 'One more message, net of start-up (long run minus 1,000-line run of the same stream)',
    header: ['server', 'µs per message', '× bare loop'],
    leftColumns: 1,
    rows: netCosts(rows).map(({ side, microsecondsPerMessage, timesBareLoop }) => [
      side,
      microsecondsPerMessage.toFixed(2),
      timesBareLoop.toFixed(2),
    ]),
  };
}

/** What the README shows of the cases above: a line per server, start-up on the left, the long run on the right. */
export function serverTable({ rows }: RunResult): Table {
  const ofProcess = rows.filter((row) => row.group === 'process');
  const inCase = (name: string, side: string): Row | undefined =>
    ofProcess.find((row) => row.case === name && row.side === side);
  const costs = netCosts(rows);
  const sides = distinct(ofProcess.filter((row) => row.case === caseNames.thousand).map((row) => row.side));
  const losers = ofProcess.filter(losesAnswers);
  return {
    caption: '`cat FILE | X`, every answer checked: wall time of the whole process, ms',
    header: ['X', '1,000 lines', '1,000,000 lines', 'µs per further line', '× bare loop', 'peak MiB'],
    leftColumns: 1,
    ...(losers.length > 0 && { note: lossNote(losers) }),
    rows: sides.map((side) => {
      const cost = costs.find((entry) => entry.side === side);
      const peaks = ofProcess.flatMap((row) => (row.side === side ? [row.maxRssBytes ?? 0] : []));
      return [
        losers.some((row) => row.side === side) ? `${side} †` : side,
        milliseconds(inCase(caseNames.thousand, side)?.median),
        milliseconds(inCase(caseNames.million, side)?.median),
        cost === undefined ? nothing : cost.microsecondsPerMessage.toFixed(2),
        cost === undefined ? nothing : cost.timesBareLoop.toFixed(2),
        mebibytes(Math.max(...peaks) || undefined),
      ];
    }),
  };
}

/** Lines that only pass: what reading, framing and writing them on costs. */
export function passThroughTable({ rows, noise, runtimes }: RunResult): Table {
  const through = rows.filter((row) => row.group === 'through');
  const name = through[0]?.case ?? '';
  const netMs = (row: Row | undefined): number => Number(row?.detail?.['netMs'] ?? Number.NaN);
  const cat = through.find((row) => row.side === passThroughSides.cat);
  return {
    caption: `\`cat FILE | X > /dev/null\`, 1,000,000 lines, nothing decoded (noise ${percent(bandOf(noise, 'through', name))})`,
    note:
      '`cat` and `bare` only read and write; the tables have a row for each line (`validate: "envelope"`). ' +
      'Net: less an empty process of the same Node in the same turns.',
    header: ['X', 'Node', 'wall ms', 'net ms', '× cat', 'GB/s'],
    leftColumns: 1,
    rows: through.map((row) => {
      const isNet = !Number.isNaN(netMs(row));
      return [
        row.side,
        runtimes.find(({ version }) => version === row.node)?.version ?? nothing,
        milliseconds(row.median),
        isNet ? milliseconds(netMs(row)) : nothing,
        isNet && cat !== undefined ? (netMs(row) / netMs(cat)).toFixed(2) : nothing,
        row.mbPerSecond === undefined ? nothing : (row.mbPerSecond / 1000).toFixed(2),
      ];
    }),
  };
}
