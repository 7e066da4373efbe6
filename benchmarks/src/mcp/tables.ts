import type { RunResult } from '../results.ts';
import { grouped, milliseconds, nothing, percent, type Table } from '../table.ts';
import { bandOf } from '../verdict.ts';
import { mcpCases, mcpGroup, mcpSides } from './names.ts';
import { netOf } from './thresholds.ts';

/** Calls through the public API beside a server in C++ and the SDKs. */
export function callsTable({ rows, noise }: RunResult): Table {
  const ofCase = rows.filter((row) => row.group === mcpGroup && row.case === mcpCases.calls);
  const netMs = (side: string): number | undefined => netOf(ofCase.find((row) => row.side === side));
  const native = netMs(mcpSides.native);
  const [v1, v2] = [netMs(mcpSides.sdkV1), netMs(mcpSides.sdkV2)];
  const ratio = (over: number | undefined, under: number | undefined): string =>
    over === undefined || under === undefined ? nothing : (over / under).toFixed(2);
  return {
    caption: `\`cat FILE | X\`, 1,000,000 ${mcpCases.calls} (noise ${percent(bandOf(noise, mcpGroup, mcpCases.calls))})`,
    note:
      'Net: a million calls without an empty process (`node -e 0`, `true`). For the SDKs, which get fewer calls, it is their own start and a ' +
      'million times what one further call costs. Every answer was checked.',
    header: ['X', 'Node', 'calls', 'wall ms', 'net ms', '× C++', '× speed of SDK v1', '× speed of SDK v2'],
    leftColumns: 2,
    rows: ofCase.map((row) => {
      const net = netOf(row);
      return [
        row.side,
        row.node ?? nothing,
        row.detail === undefined ? nothing : grouped(Number(row.detail['callCount'])),
        milliseconds(row.median),
        milliseconds(net),
        ratio(net, native),
        ratio(v1, net),
        ratio(v2, net),
      ];
    }),
  };
}
