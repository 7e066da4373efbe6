import { childVerdicts } from './child-thresholds.ts';
import { codecVerdicts } from './codec-thresholds.ts';
import { engineVerdicts } from './engine-thresholds.ts';
import { linearCases } from './linear-case.ts';
import { callVerdicts } from './mcp/thresholds.ts';
import { memoryCase } from './memory-case.ts';
import { caseNames } from './process-cases.ts';
import { relayVerdict } from './relay-tables.ts';
import { roundTripVerdicts } from './round-trip-case.ts';
import { slowReaderVerdict } from './slow-reader-tables.ts';
import { bandOf, type Measurements, onOwnNode, rowOf, type Verdict } from './verdict.ts';

/** Judges every promise that the run has the rows for. */
export function judge(run: Measurements): Verdict[] {
  return [
    ...engineVerdicts(run),
    ...codecVerdicts(run),
    ...callVerdicts(run),
    ...millionVerdicts(run),
    ...thousandVerdict(run),
    ...roundTripVerdicts(run),
    ...linearVerdicts(run),
    ...memoryVerdict(run),
    ...childVerdicts(run),
    ...slowReaderVerdict(run),
    ...relayVerdict(run),
  ];
}

function millionVerdicts(run: Measurements): Verdict[] {
  const promised = [
    [caseNames.million, 2],
    [caseNames.mixedMillion, 1.1],
  ] as const;
  return promised.flatMap(([name, wanted]) =>
    onOwnNode(run, `${name} ≥ ${wanted} × the bare loop's speed`, (node) => {
      const ours = timesBareLoop(run, node, name);
      if (ours === undefined) return undefined;
      const noise = bandOf(run.noise, 'process', name);
      return { measured: `${(1 / ours).toFixed(2)} ×`, met: 1 / ours >= wanted, noise };
    }),
  );
}

function thousandVerdict(run: Measurements): Verdict[] {
  const name = caseNames.thousand;
  return onOwnNode(run, "1,000 lines ≤ 1.15 × the bare loop's wall time", (node) => {
    const ours = timesBareLoop(run, node, name);
    if (ours === undefined) return undefined;
    return {
      measured: `${ours.toFixed(2)} ×`,
      met: ours <= 1.15,
      noise: bandOf(run.noise, 'process', name),
    };
  });
}

/** Wall time of our server ÷ that of the bare loop. */
function timesBareLoop(run: Measurements, node: string, name: string): number | undefined {
  const bare = rowOf(run, node, 'process', name, 'bare loop');
  const ours = rowOf(run, node, 'process', name, 'linewire-server');
  return bare && ours && ours.median / bare.median;
}

function linearVerdicts(run: Measurements): Verdict[] {
  return linearCases.flatMap(({ name }) =>
    onOwnNode(run, `ns per byte from 1 to 64 MiB within 1.3 ×, ${name}`, () => {
      const medians = run.rows
        .filter((row) => row.group === 'linear' && row.case === name)
        .map((row) => row.median);
      if (medians.length < 2) return undefined;
      const ratio = Math.max(...medians) / Math.min(...medians);
      return { measured: `${ratio.toFixed(2)} ×`, met: ratio <= 1.3 };
    }),
  );
}

function memoryVerdict(run: Measurements): Verdict[] {
  return onOwnNode(run, `${memoryCase}: stored bytes ≤ limit + window`, (node) => {
    const row = rowOf(run, node, 'memory', memoryCase, 'frame reader');
    const allowed = Number(row?.detail?.['allowedBytes']);
    if (!row || Number.isNaN(allowed)) return undefined;
    return {
      measured: `${row.median.toLocaleString('en')} of ${allowed.toLocaleString('en')} bytes`,
      met: row.median <= allowed,
    };
  });
}
