import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** What a process used from its start to its end. */
export interface ProcessUsage {
  /** From {@link sampleProcess} to {@link ProcessSampler.stop}, ms. */
  readonly wallMs: number;
  /** User and system CPU time of all its threads, ms; undefined where the system does not tell. */
  readonly userMs: number | undefined;
  readonly systemMs: number | undefined;
  /** Peak resident memory, bytes; undefined where the system does not tell. */
  readonly peakRssBytes: number | undefined;
  /** Where the numbers come from; `exit` is exact, `poll` may miss what happened after the last look. */
  readonly method: 'exit' | 'poll' | 'none';
}

export interface ProcessSampler {
  /** Call when the process has ended; a second call gives the same answer. */
  stop(): ProcessUsage;
}

/** Linux counts CPU time of other processes in ticks of 1/100 s, whatever the kernel's own tick is. */
const tickMs = 10;
const pageProcPath = (pid: number, name: string): string => `/proc/${pid}/${name}`;

/**
 * Watches a process by its id: every few milliseconds the kernel's own high-water mark of resident memory (`VmHWM` of
 * `/proc/PID/status`) and CPU ticks (`/proc/PID/stat`, resolution 10 ms). The mark is kept by the kernel, so a peak
 * between two looks is not lost; only growth after the last look is. One look costs about 50 µs of this process.
 * Without `/proc` (macOS, Windows) only the wall time is known. For exact numbers of a Node process use
 * {@link exitReportEnv}.
 */
export function sampleProcess(pid: number, intervalMs = 5): ProcessSampler {
  const startedAt = performance.now();
  let last: Pick<ProcessUsage, 'userMs' | 'systemMs' | 'peakRssBytes'> | undefined;
  const look = (): void => {
    last = readProcess(pid) ?? last;
  };
  look();
  const timer = setInterval(look, intervalMs);
  timer.unref();
  let usage: ProcessUsage | undefined;
  return {
    stop() {
      if (usage !== undefined) return usage;
      clearInterval(timer);
      usage = {
        wallMs: performance.now() - startedAt,
        userMs: last?.userMs,
        systemMs: last?.systemMs,
        peakRssBytes: last?.peakRssBytes,
        method: last === undefined ? 'none' : 'poll',
      };
      return usage;
    },
  };
}

function readProcess(pid: number): Pick<ProcessUsage, 'userMs' | 'systemMs' | 'peakRssBytes'> | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(pageProcPath(pid, 'status'), 'latin1'))?.[1];
    // A process that has ended but was not waited for has no memory left to tell of.
    if (peak === undefined) return undefined;
    const stat = readFileSync(pageProcPath(pid, 'stat'), 'latin1');
    // Fields are counted after the command name, which may hold spaces and brackets: utime is the 12th, stime the 13th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      userMs: Number(fields[11]) * tickMs,
      systemMs: Number(fields[12]) * tickMs,
      peakRssBytes: Number(peak) * 1024,
    };
  } catch {
    return undefined;
  }
}
