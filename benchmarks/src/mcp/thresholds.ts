import { times } from '../figures.ts';
import type { Row } from '../results.ts';
import { bandOf, type Finding, type Measurements, onEveryNode, onOwnNode, type Verdict } from '../verdict.ts';
import { mcpCases, mcpGroup, mcpSides } from './names.ts';

type How = 'sync' | 'async';

/** Our time ÷ that of the plain C++ server: promised on Node 20, promised on newer ones, and the goal on those. */
const nativeLimits: Readonly<Record<How, readonly [number, number, number]>> = {
  sync: [1.6, 1.35, 1],
  async: [1.95, 1.7, 1.3],
};
/** An SDK's time ÷ ours with an async handler, as all of theirs are: promised, and the goal. */
const sdkLimits = { sdkV1: [33, 40], sdkV2: [46, 55] } as const;

/** Judges the promises about calls through the public API. */
export function callVerdicts(run: Measurements): Verdict[] {
  return [
    ...(['sync', 'async'] as const).flatMap((how) => nativeVerdicts(run, how)),
    ...(['sdkV1', 'sdkV2'] as const).flatMap((peer) => sdkVerdicts(run, peer)),
  ];
}

function nativeVerdicts(run: Measurements, how: How): Verdict[] {
  const [own, newer, goal] = nativeLimits[how];
  const words = `1,000,000 calls, ${how === 'sync' ? 'handler returns' : 'async handler'}`;
  const promise = `${words}: ≤ ${own} × the C++ server's time on Node 20, ≤ ${newer} × on 26`;
  if (netMs(run, mcpSides.native, undefined) === undefined) return notCompiled(run, how, promise);
  const find =
    (limit: (node: string) => number) =>
    (node: string): Finding | undefined => {
      const ours = netMs(run, mcpSides[how], node);
      const ratio = quotient(ours, netMs(run, mcpSides.native, undefined));
      if (ratio === undefined) return undefined;
      const found = finding(run, ratio, ratio <= limit(node));
      const tuned = quotient(ours, netMs(run, mcpSides.nativeTuned, undefined));
      return tuned === undefined
        ? found
        : { ...found, measured: `${found.measured} (one tuned by hand: ${times(tuned)})` };
    };
  return [
    ...onEveryNode(
      run,
      promise,
      find((node) => (node.startsWith('20.') ? own : newer)),
    ),
    ...onEveryNode(
      run,
      `${words}: ≤ ${goal} × the C++ server's time`,
      find(() => goal),
    ).map(asGoal),
  ];
}

/** Without a compiler the promise stays in the table, as one that nothing was said about. */
function notCompiled(run: Measurements, how: How, promise: string): Verdict[] {
  return onEveryNode(run, promise, (node) =>
    netMs(run, mcpSides[how], node) === undefined ? undefined : { measured: 'no C++ server', met: true },
  ).map((verdict) => ({ ...verdict, outcome: 'unproven' }));
}

function sdkVerdicts(run: Measurements, peer: 'sdkV1' | 'sdkV2'): Verdict[] {
  const find =
    (limit: number) =>
    (node: string): Finding | undefined => {
      const theirs = netMs(run, mcpSides[peer], node);
      const ratio = quotient(theirs, netMs(run, mcpSides.async, node));
      if (ratio === undefined) return undefined;
      const { measured, ...rest } = finding(run, ratio, ratio >= limit);
      const sync = quotient(theirs, netMs(run, mcpSides.sync, node));
      return {
        ...rest,
        measured: sync === undefined ? measured : `${measured} (handler returns ${times(sync)})`,
      };
    };
  const [wanted, goal] = sdkLimits[peer];
  const promise = (limit: number): string =>
    `1,000,000 calls, async handler: ≥ ${limit} × the speed of ${mcpSides[peer]}`;
  return [
    ...onOwnNode(run, promise(wanted), find(wanted)),
    ...onOwnNode(run, promise(goal), find(goal)).map(asGoal),
  ];
}

function finding(run: Measurements, ratio: number, met: boolean): Finding {
  return { measured: times(ratio), met, noise: bandOf(run.noise, mcpGroup, mcpCases.calls) };
}

function asGoal(verdict: Verdict): Verdict {
  return { ...verdict, isGoal: true };
}

function quotient(over: number | undefined, under: number | undefined): number | undefined {
  return over === undefined || under === undefined ? undefined : over / under;
}

/** Of a million calls, without an empty process. */
function netMs({ rows }: Measurements, side: string, node: string | undefined): number | undefined {
  return netOf(
    rows.find(
      (row) =>
        row.group === mcpGroup && row.case === mcpCases.calls && row.side === side && row.node === node,
    ),
  );
}

/** The row's `netMs`; undefined for an empty process. */
export function netOf(row: Row | undefined): number | undefined {
  const value = row?.detail?.['netMs'];
  return value === undefined ? undefined : Number(value);
}
