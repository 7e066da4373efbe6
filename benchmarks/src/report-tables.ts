import { corpusSides } from './corpus-sides.ts';
import { netCosts } from './net-cost.ts';
import type { Noise, Row, RunResult } from './results.ts';
import { judge } from './thresholds.ts';

/** A table with its caption; text and Markdown are rendered from the same cells. */
export interface Table {
  readonly caption: string;
  readonly header: readonly string[];
  /** The first column is text, the others are numbers unless `leftColumns` says more. */
  readonly rows: readonly (readonly string[])[];
  readonly leftColumns: number;
  readonly note?: string;
}

/** Every table of a run, those without rows left out. Wins and losses alike. */
export function reportTables(result: RunResult): Table[] {
  const names = (group: string): string[] => [
    ...new Set(result.rows.filter((row) => row.group === group).map((row) => row.case)),
  ];
  return [
    verdictTable(result),
    microTable(result),
    ...names('process').map((name) => processTable(result, name)),
    netTable(result),
    linearTable(result, names('linear')),
    memoryTable(result),
  ].filter(({ rows }) => rows.length > 0);
}

function verdictTable(result: RunResult): Table {
  return {
    caption: 'Promises',
    header: ['promise', 'measured', 'verdict', 'noise'],
    leftColumns: 3,
    rows: judge(result).map(({ promise, measured, met, noise }) => [
      promise,
      measured,
      met ? 'met' : 'NOT met',
      percent(noise),
    ]),
  };
}

function microTable({ rows, noise }: RunResult): Table {
  const sides = Object.values(corpusSides);
  const micro = rows.filter((row) => row.group === 'micro');
  const cases = [...new Set(micro.map((row) => row.case))];
  const cell = (name: string, side: string): string => {
    const row = micro.find((candidate) => candidate.case === name && candidate.side === side);
    return row === undefined ? '–' : shortNumber(row.median);
  };
  return {
    caption: 'Framing and parsing, ns per message',
    note:
      "indexOf: newlines only. frames: `validate: 'none'`. index: `validate: 'envelope'`, kinds read. index, full: `validate: 'full'`. " +
      "route: index and each message's id and method. decode: route and the payload as values. JSON.parse: per line, of a `latin1Slice` (`utf8Slice` where the corpus is not ASCII). " +
      'Medians of fresh processes; what our side pays for copying each 64 KiB chunk in is included.',
    header: ['corpus', 'bytes', ...sides, 'noise'],
    leftColumns: 1,
    rows: cases.map((name) => {
      const meanBytes = micro.find((row) => row.case === name)?.detail?.['meanBytes'];
      return [
        name,
        shortNumber(Number(meanBytes)),
        ...sides.map((side) => cell(name, side)),
        percent(bandOf(noise, 'micro', name)),
      ];
    }),
  };
}

function processTable({ rows, noise }: RunResult, name: string): Table {
  const ofCase = rows.filter((row) => row.group === 'process' && row.case === name);
  const bare = ofCase.find((row) => row.side === 'bare loop');
  const band = bandOf(noise, 'process', name);
  const losers = ofCase.filter((row) => Number(row.detail?.['lostAtEof'] ?? 0) > 0);
  return {
    caption: `\`cat FILE | X\`, ${name}: whole process, start-up included (noise ${percent(band)})`,
    header: ['X', 'wall ms', '× bare loop', 'messages/s', 'CPU ms', 'peak MiB', 'answers checked'],
    leftColumns: 1,
    ...(losers.length > 0 && { note: lossNote(losers) }),
    rows: ofCase.map((row) => [
      losers.includes(row) ? `${row.side} †` : row.side,
      row.median.toFixed(row.median < 100 ? 1 : 0),
      bare === undefined ? '–' : (row.median / bare.median).toFixed(2),
      row.messagesPerSecond === undefined ? '–' : grouped(row.messagesPerSecond),
      row.cpuMs === undefined ? '–' : row.cpuMs.toFixed(0),
      mebibytes(row.maxRssBytes),
      row.checkedAnswers === undefined ? '–' : grouped(row.checkedAnswers),
    ]),
  };
}

function lossNote(losers: readonly Row[]): string {
  const losses = losers.map(({ side, detail, checkedAnswers }) => {
    const lost = Number(detail?.['lostAtEof']);
    return `${side} loses ${grouped(lost)} of ${grouped(checkedAnswers ?? 0)} answers`;
  });
  return `† ${losses.join(', ')} when its input ends, so it was timed to its last answer with its stdin held open.`;
}

function netTable({ rows }: RunResult): Table {
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

function linearTable({ rows }: RunResult, cases: readonly string[]): Table {
  const linear = rows.filter((row) => row.group === 'linear');
  const sides = [...new Set(linear.map((row) => row.side))];
  return {
    caption: 'One large frame, ns per byte (`validate: "full"`)',
    header: ['fed in', ...sides],
    leftColumns: 1,
    rows: cases.map((name) => [
      name,
      ...sides.map(
        (side) => linear.find((row) => row.case === name && row.side === side)?.median.toFixed(3) ?? '–',
      ),
    ]),
  };
}

function memoryTable({ rows }: RunResult): Table {
  const memory = rows.filter((row) => row.group === 'memory');
  return {
    caption: 'A line of 1 GiB that never ends, default limits, MiB',
    header: [
      'reader',
      'stored at most',
      'allowed',
      'window',
      'dropped',
      'resident before',
      'resident at most',
      'fault',
    ],
    leftColumns: 1,
    rows: memory.map(({ side, median, maxRssBytes, detail = {} }) => [
      side,
      // Only the reader in our own process tells its counters.
      'allowedBytes' in detail ? mebibytes(median) : '–',
      ...['allowedBytes', 'windowBytes', 'droppedBytes', 'startRssBytes'].map((key) =>
        mebibytes(Number(detail[key])),
      ),
      mebibytes(maxRssBytes),
      String(detail['code'] ?? '–'),
    ]),
  };
}

function bandOf(noise: readonly Noise[], group: string, name: string): number | undefined {
  return noise.find((entry) => entry.group === group && entry.case === name)?.band;
}

function percent(band: number | undefined): string {
  return band === undefined ? '–' : `±${(band * 100).toFixed(1)} %`;
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined || Number.isNaN(bytes) ? '–' : (bytes / (1 << 20)).toFixed(1);
}

function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

function shortNumber(value: number): string {
  return value >= 1000 ? grouped(value) : value.toFixed(value >= 100 ? 0 : 1);
}
