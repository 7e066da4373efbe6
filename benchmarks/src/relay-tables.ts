import { relayCase, relaySides } from './relay-case.ts';
import type { RunResult } from './results.ts';
import { milliseconds, nothing, percent, type Table } from './table.ts';
import { transportGroup } from './transport-group.ts';
import { bandOf, type Measurements, onOwnNode, rowOf, type Verdict } from './verdict.ts';

/** The promise is about bytes; with an observer, and with frames, it is only shown. */
export function relayVerdict(run: Measurements): Verdict[] {
  return onOwnNode(run, `${relayCase}, first byte to last ≥ 0.45 × cat in its place`, (node) => {
    const cat = run.rows.find((row) => row.case === relayCase && row.side === relaySides.cat);
    const bytes = rowOf(run, node, transportGroup, relayCase, relaySides.bytes);
    if (cat === undefined || bytes === undefined) return undefined;
    const ratio = cat.median / bytes.median;
    const noise = bandOf(run.noise, transportGroup, relayCase);
    return { measured: `${ratio.toFixed(2)} ×`, met: ratio >= 0.45, noise };
  });
}

export function relayTable({ rows, noise }: RunResult): Table {
  const relays = rows.filter((row) => row.group === transportGroup && row.case === relayCase);
  const cat = relays.find(({ side }) => side === relaySides.cat);
  return {
    caption: `\`cat FILE … | X | cat > /dev/null\`, 4 GB (noise ${percent(bandOf(noise, transportGroup, relayCase))})`,
    note: 'From when X could read to its last byte. Observed: a row per frame is built beside the bytes and looked at (`validate: "full"`).',
    header: ['X', 'ms', '× cat', 'GB/s'],
    leftColumns: 1,
    rows: relays.map((row) => [
      row.side,
      milliseconds(row.median),
      cat === undefined ? nothing : (cat.median / row.median).toFixed(2),
      row.mbPerSecond === undefined ? nothing : (row.mbPerSecond / 1000).toFixed(2),
    ]),
  };
}
