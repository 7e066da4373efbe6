import { execFile } from 'node:child_process';
import { plainEnvironment } from './environment.ts';
import { peerPath } from './paths.ts';
import { type Noise, type Row, summarize } from './results.ts';
import type { Runtime } from './runtimes.ts';
import { median, noiseBand } from './statistics.ts';
import { percent, type Table } from './table.ts';
import { transportGroup } from './transport-group.ts';
import { bandOf, type Measurements, onEveryNode, rowOf, type Verdict } from './verdict.ts';

/** By where the processes may run; thresholds look for them. */
export const roundTripCases = {
  pinned: 'round trips on one core',
  free: 'round trips on any core',
} as const;

/** The process that echoes through own stdio, and the plainest ones that Node can be. */
export const roundTripSides = {
  onread: 'bare echo, onread',
  data: 'bare echo, data events',
  linewire: 'own stdio',
} as const;

const peers: Readonly<Record<string, readonly string[]>> = {
  [roundTripSides.onread]: [peerPath('echo-bare'), 'onread'],
  [roundTripSides.data]: [peerPath('echo-bare'), 'data'],
  [roundTripSides.linewire]: [peerPath('echo-linewire')],
};
const twin = 'the bare echo again';
const limitMs = 300_000;

type Place = keyof typeof roundTripCases;

/** One line there and back, all sides alive and in turns: on one core nothing but CPU time counts, on several the scheduler decides. */
export async function runRoundTripCase(
  place: Place,
  runtimes: readonly Runtime[],
  quick: boolean,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const rows: Row[] = [];
  const noise: Noise[] = [];
  for (const { command, version } of runtimes) {
    const measured = await roundTrips(command, place, quick ? [4, 200] : [30, 2000]);
    const of = { group: transportGroup, case: roundTripCases[place], node: version };
    for (const side of Object.values(roundTripSides)) {
      rows.push(summarize({ ...of, side, unit: 'ns/message', samples: measured[side] ?? [], fit }));
    }
    const band = noiseBand(measured[roundTripSides.onread] ?? [], measured[twin] ?? []);
    noise.push({ ...of, side: roundTripSides.onread, band });
  }
  return { rows, noise };
}

function roundTrips(
  node: string,
  place: Place,
  [rounds, trips]: readonly [number, number],
): Promise<Readonly<Record<string, number[]>>> {
  const sides = { ...peers, [twin]: peers[roundTripSides.onread] };
  const driver = [node, peerPath('round-trips'), String(rounds), String(trips), JSON.stringify(sides)];
  const [command, ...args] = place === 'pinned' ? ['taskset', '-c', '0', ...driver] : driver;
  return new Promise((resolve, reject) => {
    const options = { env: plainEnvironment(), timeout: limitMs };
    execFile(command as string, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(JSON.parse(stdout) as Record<string, number[]>);
      else reject(new Error(`round trips failed: ${error.message}\n${stderr.slice(-2000)}`));
    });
  });
}

/** Time of a round trip through own stdio, over that through a bare echo. */
export function roundTripVerdicts(run: Measurements): Verdict[] {
  const name = roundTripCases.pinned;
  return onEveryNode(run, `${name} ≤ 1.15 × a bare echo loop`, (node) => {
    const ratio = timesBare(run, node, name);
    if (ratio === undefined) return undefined;
    return {
      measured: `${ratio.toFixed(2)} ×`,
      met: ratio <= 1.15,
      noise: bandOf(run.noise, transportGroup, name, node),
    };
  });
}

/** The median over the rounds of the ratio within a round: the sides of a round meet the same machine. */
function timesBare(
  run: Pick<Measurements, 'rows'>,
  node: string,
  name: string,
  side: string = roundTripSides.linewire,
): number | undefined {
  const bare = rowOf(run, node, transportGroup, name, roundTripSides.onread)?.samples;
  const ours = rowOf(run, node, transportGroup, name, side)?.samples;
  if (bare === undefined || ours === undefined || bare.length === 0) return undefined;
  return median(ours.map((sample, round) => sample / (bare[round] ?? sample)));
}

export function roundTripTable(run: Measurements): Table {
  const names: readonly string[] = Object.values(roundTripCases);
  const rows = run.rows.filter((row) => row.group === transportGroup && names.includes(row.case));
  const band = bandOf(run.noise, transportGroup, roundTripCases.pinned);
  return {
    caption: `One line to a process and back (noise on one core ${percent(band)})`,
    note: 'The bare echoes look for no line and decode nothing; own stdio finds each frame, tells its kind and decodes it to text.',
    header: ['where', 'side', 'Node', 'µs', '× bare echo'],
    leftColumns: 3,
    rows: rows.map((row) => [
      row.case,
      row.side,
      row.node ?? '',
      (row.median / 1000).toFixed(1),
      (timesBare(run, row.node ?? '', row.case, row.side) ?? Number.NaN).toFixed(2),
    ]),
  };
}
