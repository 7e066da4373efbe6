import { type CallStream, callStreamAnswers, writeCallFile } from '@linewire/testkit';
import { type CheckedPipeline, checkSide, type PipelineInput, timeChecked } from '../checked-pipeline.ts';
import { linewireAddPath, nativeSources } from '../paths.ts';
import { bareLoop, emptyNode, type ProcessSide, peers } from '../process-sides.ts';
import { type Noise, type Row, summarize } from '../results.ts';
import { ownRuntime, type Runtime } from '../runtimes.ts';
import { median, noiseBand } from '../statistics.ts';
import { takeTurns } from '../turns.ts';
import { mcpCases, mcpGroup, mcpSides } from './names.ts';
import { buildNativeServer } from './native-server.ts';

const million = 1_000_000;
/** What a peer's own start costs is in this run. */
const shortCalls = 1000;

/** One side on the streams that it is given. */
interface Entry {
  readonly side: ProcessSide;
  readonly runtime: Runtime | undefined;
  /** The empty process whose time is taken off. */
  readonly start: ProcessSide | undefined;
  /** Calls of its streams, long one first. */
  readonly callCounts: readonly number[];
}

/** One thing to be timed. */
interface Timed {
  readonly entry: Entry;
  readonly callCount: number;
  readonly input: PipelineInput;
  readonly pipeline: CheckedPipeline;
}

/**
 * A million calls of one tool through the public API, beside a server in C++ and the official SDKs. Every answer of every side is checked
 * once; then all take turns.
 *
 * `netMs` of a row is what a million calls cost without an empty process of the same kind: measured for those who answer a million; for the
 * SDKs, which get fewer, their own start and a million times what one further line costs them.
 */
export async function runCallsCase(
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const entries = await sidesOf(runtimes, quick);
  const timed: Timed[] = [];
  for (const entry of entries) {
    for (const callCount of entry.callCounts) {
      const input = inputOf(callCount);
      timed.push({ entry, callCount, input, pipeline: await checkSide(input, entry.side) });
    }
  }
  const reference = timed.find(
    ({ entry }) => entry.side.name === mcpSides.sync && entry.runtime === ownRuntime,
  );
  const twin = reference && { ...reference, pipeline: { ...reference.pipeline } };
  const samples = await takeTurns(twin ? [...timed, twin] : timed, quick ? 2 : 8, ({ input, pipeline }) =>
    timeChecked(input, pipeline),
  );
  const samplesOf = (side: ProcessSide, callCount: number): readonly number[] => {
    const found = timed.find((one) => one.entry.side === side && one.callCount === callCount);
    return (found && samples.get(found)) ?? [];
  };
  const rows = entries.map((entry) => toRow(entry, samplesOf, fit));
  if (!reference || !twin) return { rows, noise: [] };
  const band = noiseBand(samples.get(reference) ?? [], samples.get(twin) ?? []);
  const node = ownRuntime.version;
  return { rows, noise: [{ group: mcpGroup, case: mcpCases.calls, side: mcpSides.sync, node, band }] };
}

const inputs = new Map<number, PipelineInput>();

function inputOf(callCount: number): PipelineInput {
  const known = inputs.get(callCount);
  if (known !== undefined) return known;
  const stream: CallStream = { era: 'legacy', mix: 'adds', callCount };
  const input: PipelineInput = {
    name: mcpCases.calls,
    file: writeCallFile(stream).path,
    expected: callStreamAnswers(stream),
  };
  inputs.set(callCount, input);
  return input;
}

async function sidesOf(runtimes: readonly Runtime[], quick: boolean): Promise<Entry[]> {
  const empty: ProcessSide = { name: mcpSides.empty, command: ['true'], check: 'none' };
  const ownEmpty: ProcessSide = { ...emptyNode };
  const callCounts = [quick ? million / 5 : million];
  const ours = runtimes.flatMap((runtime): Entry[] => {
    const { command: node } = runtime;
    const start = runtime === ownRuntime ? ownEmpty : { ...emptyNode, command: [node, '-e', '0'] };
    const served = (how: 'sync' | 'async'): Entry => ({
      side: { name: mcpSides[how], command: [node, linewireAddPath, how], check: 'value' },
      runtime,
      start,
      callCounts,
    });
    return [{ side: start, runtime, start: undefined, callCounts }, served('sync'), served('async')];
  });
  const native = await buildNativeServer(nativeSources.plain);
  const tuned = await buildNativeServer(nativeSources.tuned);
  if ('reason' in native) {
    process.stderr.write(`C++ SERVER IS MISSING (${native.reason}): its promises are not judged … `);
  }
  const own = { runtime: ownRuntime, start: ownEmpty };
  const nativeEntry = (name: string, path: string): Entry => ({
    side: { name, command: [path], check: 'value' },
    runtime: undefined,
    start: empty,
    callCounts,
  });
  return [
    ...ours,
    { side: bareLoop, ...own, callCounts },
    ...('reason' in native || 'reason' in tuned
      ? []
      : [
          { side: empty, runtime: undefined, start: undefined, callCounts },
          nativeEntry(mcpSides.native, native.path),
          nativeEntry(mcpSides.nativeTuned, tuned.path),
        ]),
    ...peers
      .filter(({ name }) => name === mcpSides.sdkV1 || name === mcpSides.sdkV2)
      .map((side) => ({ side, ...own, callCounts: [quick ? 10_000 : 50_000, shortCalls] })),
  ];
}

function toRow(
  { side, runtime, start, callCounts }: Entry,
  samplesOf: (side: ProcessSide, callCount: number) => readonly number[],
  fit: boolean,
): Row {
  const [longCalls = 0, ownStartCalls] = callCounts;
  const row = summarize({
    group: mcpGroup,
    case: mcpCases.calls,
    side: side.name,
    ...(runtime && { node: runtime.version }),
    unit: 'ms',
    samples: samplesOf(side, longCalls),
    fit,
  });
  if (start === undefined) return row;
  const startMs = medianOf(start, samplesOf);
  const shortMs = ownStartCalls === undefined ? undefined : median(samplesOf(side, ownStartCalls));
  const netMs = millionNetMs(row.median, longCalls, startMs, shortMs);
  return {
    ...row,
    messagesPerSecond: Math.round((million / netMs) * 1000),
    detail: { callCount: longCalls, netMs },
  };
}

/** Of an empty process: its file is that of the million. */
function medianOf(
  start: ProcessSide,
  samplesOf: (side: ProcessSide, callCount: number) => readonly number[],
): number {
  for (const callCount of inputs.keys()) {
    const samples = samplesOf(start, callCount);
    if (samples.length > 0) return median(samples);
  }
  return 0;
}

/**
 * What a million calls cost without an empty process.
 *
 * @param wallMs of `calls` calls
 * @param emptyMs of an empty process
 * @param shortMs of {@link shortCalls} calls, where a million was not run: the rest is a million times what one further line costs
 */
export function millionNetMs(
  wallMs: number,
  calls: number,
  emptyMs: number,
  shortMs: number | undefined,
): number {
  if (shortMs === undefined) return ((wallMs - emptyMs) * million) / calls;
  const perCallMs = (wallMs - shortMs) / (calls - shortCalls);
  return shortMs - emptyMs + perCallMs * (million - shortCalls);
}
