import { caseNames } from './process-cases.ts';
import type { Row } from './results.ts';

/** What one more message costs a server, start-up taken off. */
export interface NetCost {
  readonly side: string;
  readonly microsecondsPerMessage: number;
  /** Against the bare loop; 2 is twice as dear. */
  readonly timesBareLoop: number;
}

/**
 * From two runs of the same stream, long and short: (long wall − short wall) ÷ (long messages − short messages). Slow
 * servers get fewer messages than fast ones this way, and start-up, which differs by a factor of four, counts for none.
 */
export function netCosts(rows: readonly Row[]): NetCost[] {
  const short = rows.filter((row) => row.group === 'process' && row.case === caseNames.startUp);
  const plain = rows.filter((row) => row.group === 'process' && row.case.endsWith(' plain lines'));
  // The million is for those who can do it in a second.
  const long = plain.filter((row) => row.case !== caseNames.startUp && row.case !== caseNames.million);
  const costs = long.flatMap(({ side, median, detail }) => {
    const start = short.find((row) => row.side === side);
    if (start === undefined) return [];
    const messages = Number(detail?.['messageCount']) - Number(start.detail?.['messageCount']);
    return [{ side, microsecondsPerMessage: ((median - start.median) * 1000) / messages }];
  });
  const bare = costs.find(({ side }) => side === 'bare loop')?.microsecondsPerMessage ?? Number.NaN;
  return costs.map((cost) => ({ ...cost, timesBareLoop: cost.microsecondsPerMessage / bare }));
}
