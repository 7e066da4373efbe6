import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** What else the machine is doing while this process sleeps. */
export interface Busyness {
  /** Share of all cores' time that was not idle, 0 to 1. */
  readonly cpuShare: number;
  /** Load average over the last minute. */
  readonly load: number;
  readonly cores: number;
}

/** More than this share of all cores at work on something else makes a measurement unfit. */
const maxCpuShare = 0.15;
/** Our own build and the case before raise the load average for a minute, so it alone only tells of a crowd. */
const maxLoadPerCore = 1.5;

/** Whether a measurement may begin. */
export function isBusy({ cpuShare, load, cores }: Busyness): boolean {
  return cpuShare > maxCpuShare || load > maxLoadPerCore * cores;
}

/** Watches the idle counters of all cores for a while; costs nothing but that time. */
export async function sampleBusyness(forMs = 500): Promise<Busyness> {
  const before = cpuTimes();
  await sleep(forMs);
  const after = cpuTimes();
  const total = after.total - before.total;
  return {
    cpuShare: total > 0 ? 1 - (after.idle - before.idle) / total : 0,
    load: loadavg()[0] ?? 0,
    cores: cpus().length,
  };
}

function cpuTimes(): { idle: number; total: number } {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}

export class BusyMachineError extends Error {
  constructor({ cpuShare, load, cores }: Busyness) {
    const share = `${Math.round(cpuShare * 100)} % of ${cores} cores in use, load ${load.toFixed(2)}`;
    super(
      `the machine is busy (${share}): numbers would say nothing. Wait, or --force and get rows marked as unfit.`,
    );
  }
}

/**
 * Waits until the machine is quiet.
 *
 * @param tries how often to look, two seconds apart
 * @returns true when it is quiet; false when it is not and `force` is set
 * @throws BusyMachineError when it is not and `force` is not set
 */
export async function waitForQuiet(
  force: boolean,
  tries = 10,
  sample: () => Promise<Busyness> = sampleBusyness,
  pauseMs = 2000,
): Promise<boolean> {
  let busyness = await sample();
  for (let left = force ? 0 : tries - 1; left > 0 && isBusy(busyness); left--) {
    await sleep(pauseMs);
    busyness = await sample();
  }
  if (!isBusy(busyness)) return true;
  if (!force) throw new BusyMachineError(busyness);
  return false;
}
