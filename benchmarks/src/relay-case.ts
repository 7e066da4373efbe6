import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { callStreamChunks } from '@linewire/testkit';
import { peerPath } from './paths.ts';
import { type Noise, type Row, summarize } from './results.ts';
import { ownRuntime } from './runtimes.ts';
import { shellEnd, startShell } from './shell-group.ts';
import { noiseBand } from './statistics.ts';
import { transportGroup } from './transport-group.ts';
import { takeTurns } from './turns.ts';

export const relayCase = 'relay of 4 GB';

/** Side names; tables and thresholds look for them. */
export const relaySides = {
  cat: 'cat',
  bytes: 'relayBytes',
  observed: 'relayBytes, observed',
  frames: 'relayFrames',
} as const;

type SideName = keyof typeof relaySides;

/** What goes through: one file of whole lines, again and again, so that it lies in memory. */
export interface RelayInput {
  readonly path: string;
  readonly byteCount: number;
  readonly frameCount: number;
  readonly repeats: number;
}

const MIB = 1024 * 1024;

/** Writes the file into a folder of its own, and removes both afterwards. */
export async function runRelayCase(quick: boolean, fit: boolean): Promise<{ rows: Row[]; noise: Noise[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'linewire-relay-'));
  try {
    const path = join(folder, 'calls.jsonl');
    const { byteCount, frameCount } = writeRelayFile(path, 128 * MIB);
    const repeats = Math.ceil((quick ? 400_000_000 : 4_000_000_000) / byteCount);
    return await measureRelays({ path, byteCount, frameCount, repeats }, quick ? 2 : 5, fit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills a file with whole calls, of about the size asked for. */
export function writeRelayFile(path: string, aboutBytes: number): { byteCount: number; frameCount: number } {
  const lines = Buffer.concat([...callStreamChunks({ era: 'legacy', mix: 'mixed', callCount: 10_000 })]);
  const repeats = Math.max(1, Math.round(aboutBytes / lines.length));
  writeFileSync(path, Buffer.concat(Array.from({ length: repeats }, () => lines)));
  // Two lines more than calls: those of the handshake.
  return { byteCount: lines.length * repeats, frameCount: 10_002 * repeats };
}

/**
 * Compares once what comes out of each side with what went in; then times all sides in turns, `cat` in their place among them.
 *
 * @throws Error when a side changes the bytes, or sees another number of bytes or frames
 */
export async function measureRelays(
  input: RelayInput,
  turnCount: number,
  fit: boolean,
): Promise<{ rows: Row[]; noise: Noise[] }> {
  const names = Object.keys(relaySides) as SideName[];
  for (const name of names) await compare(input, name);
  const sides = [...names.map((name) => ({ name })), { name: 'bytes' as const }];
  const samples = await takeTurns(sides, turnCount, ({ name }) => time(input, name));
  const totalBytes = input.byteCount * input.repeats;
  const rows = sides.slice(0, names.length).map((side): Row => {
    const row = summarize({
      group: transportGroup,
      case: relayCase,
      side: relaySides[side.name],
      ...(side.name !== 'cat' && { node: ownRuntime.version }),
      unit: 'ms',
      samples: samples.get(side) ?? [],
      fit,
    });
    return { ...row, mbPerSecond: totalBytes / 1000 / row.median, detail: { byteCount: totalBytes } };
  });
  const [bytes, twin] = sides.filter(({ name }) => name === 'bytes').map((side) => samples.get(side) ?? []);
  const band = noiseBand(bytes ?? [], twin ?? []);
  const node = ownRuntime.version;
  return { rows, noise: [{ group: transportGroup, case: relayCase, side: relaySides.bytes, node, band }] };
}

function commandOf(name: SideName): string[] {
  return name === 'cat' ? ['cat'] : [ownRuntime.command, peerPath('relay'), name];
}

async function compare({ path }: RelayInput, name: SideName): Promise<void> {
  await shellEnd(startShell('cat "$0" | "$@" | cmp - "$0"', path, commandOf(name)), relaySides[name]);
}

/** A relay says how long it took without its start; a whole pipeline around `cat` has next to none. */
async function time(input: RelayInput, name: SideName): Promise<number> {
  const { path, byteCount, frameCount, repeats } = input;
  const line = `i=0; while [ $i -lt ${repeats} ]; do cat "$0"; i=$((i+1)); done | "$@" | cat > /dev/null`;
  const startedAt = performance.now();
  const said = await shellEnd(startShell(line, path, commandOf(name)), relaySides[name]);
  if (name === 'cat') return performance.now() - startedAt;
  const end = JSON.parse(said) as { kind: string; byteCount: number; frameCount: number; ms: number };
  const expectedFrames = name === 'bytes' ? 0 : frameCount * repeats;
  if (end.kind !== 'eof' || end.byteCount !== byteCount * repeats || end.frameCount !== expectedFrames)
    throw new Error(
      `${relaySides[name]} saw ${said.trim()}, not ${byteCount * repeats} bytes and ${expectedFrames} frames`,
    );
  return end.ms;
}
