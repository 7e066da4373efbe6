import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '@linewire/testkit';
import { describeMachine, type Machine } from '../machine.ts';
import type { SoakOptions } from '../options.ts';
import { resultsFolder } from '../paths.ts';
import { soakKinds } from './soak-kinds.ts';
import { runSoakRound } from './soak-round.ts';

/** What a soak leaves behind. */
export interface SoakResult {
  readonly schema: 1;
  readonly startedAt: string;
  readonly command: string;
  readonly machine: Machine;
  readonly seed: number;
  readonly seconds: number;
  /** Children that were killed, by what they were. */
  readonly kills: number;
  readonly killsByKind: Readonly<Record<string, number>>;
  readonly frames: number;
  readonly bytesIn: number;
  /** Frames that a kill has cut, each seen as one fault. */
  readonly truncatedFrames: number;
  /** Anything else that was wrong with what came or how it ended; empty is good. The first hundred. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** Above what there was before the first child. */
  readonly leakedProcesses: number;
  readonly leakedDescriptors: number;
  readonly leakedResources: number;
  readonly leakedListeners: number;
  readonly maxRssBytes: number;
}

/** Kills children at random bytes of their output, several at a time, and counts what came, what was wrong and what is left. */
export async function runSoak({ kills, lanes, seed }: SoakOptions): Promise<SoakResult> {
  const startedAt = new Date();
  const random = new Random(seed);
  const killsByKind: Record<string, number> = {};
  const faults: string[] = [];
  let [done, started, frames, bytesIn, truncatedFrames, faultCount, leakedProcesses] = [0, 0, 0, 0, 0, 0, 0];

  const lane = async (): Promise<void> => {
    while (started < kills) {
      const kind = soakKinds[started++ % soakKinds.length] as (typeof soakKinds)[number];
      // Often at once, seldom late: sizes on a logarithmic scale up to 4 MiB.
      const round = await runSoakRound(kind, Math.floor(2 ** (random.integer(0, 22_000) / 1000)));
      done++;
      leakedProcesses += await membersLeft(round.pid);
      frames += round.frames;
      bytesIn += round.bytesIn;
      truncatedFrames += round.truncated;
      killsByKind[kind.name] = (killsByKind[kind.name] ?? 0) + 1;
      faultCount += round.wrong.length;
      for (const wrong of round.wrong) if (faults.length < 100) faults.push(`${kind.name}: ${wrong}`);
      if (done % 500 === 0) process.stderr.write(`${done} of ${kills}\n`);
    }
  };
  const { listeners } = currentState();
  // The first child loads what stays. No listener does.
  await runSoakRound(soakKinds[0] as (typeof soakKinds)[number], 1);
  // Our own stderr is opened by its first use, and stays.
  process.stderr.write(`${kills} kills, ${lanes} at a time, seed ${seed}\n`);
  const before = { ...(await settledState()), listeners };
  await Promise.all(Array.from({ length: lanes }, lane));
  const after = await settledState(before);
  return {
    schema: 1,
    startedAt: startedAt.toISOString(),
    command: `npm run soak -- --kills ${kills} --lanes ${lanes} --seed ${seed}`,
    machine: describeMachine(),
    seed,
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    kills: done,
    killsByKind,
    frames,
    bytesIn,
    truncatedFrames,
    faults,
    faultCount,
    leakedProcesses,
    leakedDescriptors: after.descriptors - before.descriptors,
    leakedResources: after.resources - before.resources,
    leakedListeners: after.listeners - before.listeners,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}

export function isClean(result: SoakResult): boolean {
  const { faultCount, leakedProcesses, leakedDescriptors, leakedResources, leakedListeners } = result;
  return [faultCount, leakedProcesses, leakedDescriptors, leakedResources, leakedListeners].every(
    (count) => count === 0,
  );
}

/** Kills from which on a soak is a whole one: its file is committed, those of shorter ones are ignored by git. */
const wholeSoakKills = 10_000;

/** Beside the results of the benchmarks. */
export function writeSoakResult(result: SoakResult, folder: string = resultsFolder): string {
  mkdirSync(folder, { recursive: true });
  const prefix = result.kills >= wholeSoakKills ? 'soak' : 'part-soak';
  const path = join(folder, `${prefix}-${result.startedAt.slice(0, 19).replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify(result, undefined, 1)}\n`);
  return path;
}

interface State {
  readonly descriptors: number;
  readonly resources: number;
  readonly listeners: number;
}

/** Waits, up to two seconds, for what ends a moment after the last child: handles that are closing, the orphan guard. */
async function settledState(wanted?: State): Promise<State> {
  let state = currentState();
  for (let wait = 0; wait < 20; wait++) {
    await sleep(100);
    state = currentState();
    if (wanted !== undefined && JSON.stringify(state) === JSON.stringify(wanted)) break;
    if (wanted === undefined && wait > 2) break;
  }
  return state;
}

function currentState(): State {
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

/** How many processes of a group live on after the end of its leader. Killed ones get two seconds to be gone. */
async function membersLeft(group: number): Promise<number> {
  let left = 0;
  for (let wait = 0; wait < 200 && groupExists(group); wait++) {
    // Not all that exists lives: a killed grandchild belongs to init, which collects it or not.
    left = livingMembers(group);
    if (left === 0) return 0;
    await sleep(10);
  }
  return groupExists(group) ? left : 0;
}

function groupExists(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function livingMembers(group: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
      return state !== 'Z' && Number(itsGroup) === group;
    } catch {
      return false;
    }
  }).length;
}
