import { fileURLToPath } from 'node:url';

/** How a child of `faultChildArgs` behaves. All of it can be combined; without any it sends every byte back and exits at the end of its stdin. */
export interface FaultChildPlan {
  /** Kills itself with SIGKILL after exactly so many bytes have been written to stdout. */
  readonly dieAtByte?: number;
  /** Exits after so many bytes of stdout with this code instead. */
  readonly exitCode?: number;
  /** Milliseconds of rest after each read of stdin. */
  readonly readDelayMs?: number;
  /** Never reads stdin. */
  readonly neverReads?: boolean;
  /** Written to stderr at its start. */
  readonly stderr?: string;
  /** Bytes of noise written to stderr at its start. */
  readonly stderrBytes?: number;
  /** Written to stdout before anything else. */
  readonly greeting?: string;
  /** Goes on after the end of stdin, SIGTERM, SIGINT and SIGHUP. */
  readonly ignoresSignals?: boolean;
  /**
   * Starts a process that holds stdin, stdout and stderr for a minute: in the same group, or (`setsid`) in a session of its own, where no signal for
   * the group reaches it. Its pid is the first line on stderr.
   */
  readonly grandchild?: 'group' | 'setsid';
}

/** Arguments for `process.execPath`. */
export function faultChildArgs(plan: FaultChildPlan = {}): string[] {
  return [fileURLToPath(new URL('../peers/fault-child.mjs', import.meta.url)), JSON.stringify(plan)];
}
