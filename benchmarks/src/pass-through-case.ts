import { performance } from 'node:perf_hooks';
import { writeCallFile } from '@linewire/testkit';
import { peerPath } from './paths.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime, type Runtime } from './runtimes.ts';
import { shellEnd, startShell } from './shell-group.ts';
import { median, noiseBand } from './statistics.ts';
import { takeTurns } from './turns.ts';

export const passThroughCase = '1,000,000 lines to /dev/null';

/** Side names; tables look for them. */
export const passThroughSides = {
  cat: 'cat',
  startUp: 'node -e 0',
  bare: 'bare',
  wasm: 'table, wasm',
  scalar: 'table, scalar',
} as const;

/** A command that stands where X stands in `cat FILE | X > /dev/null`. */
interface Side {
  readonly name: string;
  readonly command: readonly string[];
  /** Absent for `cat`. */
  readonly runtime?: Runtime;
  /** What it must say at its end; commands of others say nothing. */
  readonly says?: string;
}

/** What went through a side, as `peers/pass-through.mjs` says it. */
export interface PassThroughFile {
  readonly path: string;
  readonly byteCount: number;
  readonly messageCount: number;
}

function sidesOf(runtime: Runtime, { byteCount, messageCount }: PassThroughFile): Side[] {
  const { command: node } = runtime;
  const through = (how: 'bare' | 'wasm' | 'scalar'): Side => ({
    name: passThroughSides[how],
    command: [node, peerPath('pass-through'), how],
    runtime,
    says: JSON.stringify({ byteCount, frameCount: how === 'bare' ? 0 : messageCount, badCount: 0 }),
  });
  return [
    { name: passThroughSides.startUp, command: [node, '-e', '0'], runtime },
    through('bare'),
    through('wasm'),
    through('scalar'),
  ];
}

/** Writes the file of the case: the same million calls as in the case of the servers. */
export function passThroughFile(callCount: number): PassThroughFile {
  const { path, byteCount } = writeCallFile({ era: 'legacy', mix: 'plain', callCount });
  return { path, byteCount, messageCount: callCount + 2 };
}

/**
 * Compares once what goes through each side with the file, byte by byte; then times all sides in turns. Every timed run
 * must have seen every byte and every frame.
 *
 * @throws Error when a side changes the bytes, or does not see all of them
 */
export async function runPassThroughCase(
  file: PassThroughFile,
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const cat: Side = { name: passThroughSides.cat, command: ['cat'] };
  const sides = [cat, ...runtimes.flatMap((runtime) => sidesOf(runtime, file))];
  for (const side of sides) if (side.says !== undefined) await compare(file, side);

  const reference = sides.find(
    ({ name, runtime }) => name === passThroughSides.bare && runtime === ownRuntime,
  );
  const twin = reference && { ...reference };
  const timed = twin ? [...sides, twin] : sides;
  const samples = await takeTurns(timed, quick ? 2 : 8, (side) => time(file, side));

  const rows = sides.map((side) => {
    const startUp = sides.find(
      ({ name, runtime }) => name === passThroughSides.startUp && runtime === side.runtime,
    );
    return toRow(file, side, samples.get(side) ?? [], startUp && samples.get(startUp), fit);
  });
  if (!reference || !twin) return { rows, noise: [] };
  const band = noiseBand(samples.get(reference) ?? [], samples.get(twin) ?? []);
  const node = ownRuntime.version;
  return { rows, noise: [{ group: 'through', case: passThroughCase, side: reference.name, node, band }] };
}

async function compare({ path }: PassThroughFile, { name, command, says }: Side): Promise<void> {
  const said = await shellEnd(startShell('cat "$0" | "$@" | cmp - "$0"', path, command), name);
  expectSaid(name, said, says);
}

async function time({ path }: PassThroughFile, { name, command, says }: Side): Promise<number> {
  const startedAt = performance.now();
  const said = await shellEnd(startShell('cat "$0" | "$@" > /dev/null', path, command), name);
  const wallMs = performance.now() - startedAt;
  expectSaid(name, said, says);
  return wallMs;
}

function expectSaid(name: string, said: string, says: string | undefined): void {
  if (says !== undefined && said.trim() !== says)
    throw new Error(`${name} saw ${said.trim()} instead of ${says}`);
}

function toRow(
  { byteCount, messageCount }: PassThroughFile,
  side: Side,
  samples: readonly number[],
  startUp: readonly number[] | undefined,
  fit: boolean,
): Row {
  const row = summarize({
    group: 'through',
    case: passThroughCase,
    side: side.name,
    ...(side.runtime && { node: side.runtime.version }),
    unit: 'ms',
    samples,
    fit,
  });
  // An empty process reads nothing.
  if (side.name === passThroughSides.startUp) return row;
  const netMs = row.median - (startUp === undefined ? 0 : median(startUp));
  return {
    ...row,
    messagesPerSecond: Math.round((messageCount / netMs) * 1000),
    mbPerSecond: byteCount / 1000 / netMs,
    detail: { netMs, messageCount, byteCount },
  };
}
