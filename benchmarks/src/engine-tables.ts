import { loadCases } from './load-case.ts';
import type { RunResult } from './results.ts';
import { grouped, mebibytes, nothing, type Table } from './table.ts';

/** Collections while a million calls are framed. */
export function garbageTable({ rows }: RunResult): Table {
  return {
    caption: 'Garbage collections over 1,000,000 calls, after as many to warm up',
    note: "The worst of the processes. Allocated: growth of the heap over the million, all of it the reader's own.",
    header: ['engine, way in', 'Node', 'scavenges', 'others', 'allocated bytes per call'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === 'garbage')
      .map(({ side, node, detail = {} }) => [
        side,
        node ?? nothing,
        String(detail['worstScavenges']),
        String(detail['otherCollections']),
        (Number(detail['allocatedBytes']) / Number(detail['frames'])).toFixed(3),
      ]),
  };
}

/** What it costs a process to have an engine at all. */
export function loadTable({ rows }: RunResult): Table {
  const size = rows.find((row) => row.group === 'load' && row.case === loadCases.moduleSize)?.median;
  return {
    caption: 'First use: the first reader of a process and its first message, the package being loaded',
    ...(size !== undefined && { note: `The wasm engine compiles a module of ${grouped(size)} bytes.` }),
    header: ['engine', 'Node', 'median ms', 'worst ms', 'processes'],
    leftColumns: 1,
    rows: rows
      .filter((row) => row.group === 'load' && row.case === loadCases.firstUse)
      .map(({ side, node, median, samples }) => [
        side,
        node ?? nothing,
        median.toFixed(2),
        Math.max(...samples).toFixed(2),
        String(samples.length),
      ]),
  };
}

export function linearTable({ rows }: RunResult): Table {
  const linear = rows.filter((row) => row.group === 'linear');
  const sides = [...new Set(linear.map((row) => row.side))];
  const cases = [...new Set(linear.map((row) => row.case))];
  return {
    caption: 'One large frame, ns per byte (`validate: "full"`)',
    header: ['fed in', ...sides],
    leftColumns: 1,
    rows: cases.map((name) => [
      name,
      ...sides.map(
        (side) => linear.find((row) => row.case === name && row.side === side)?.median.toFixed(3) ?? nothing,
      ),
    ]),
  };
}

export function memoryTable({ rows }: RunResult): Table {
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
      'allowedBytes' in detail ? mebibytes(median) : nothing,
      ...['allowedBytes', 'windowBytes', 'droppedBytes', 'startRssBytes'].map((key) =>
        mebibytes(Number(detail[key])),
      ),
      mebibytes(maxRssBytes),
      String(detail['code'] ?? nothing),
    ]),
  };
}
