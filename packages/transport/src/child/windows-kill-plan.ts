import { systemProgram, type Variables } from './windows-env.ts';

/** A program that ends others. */
export interface WindowsKillPlan {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * How a child and all that it started are ended on Windows, in place of SIGTERM and SIGKILL alike: a console program cannot be asked, and
 * Node's `kill()` ends the one process only: for a batch file that is cmd.exe, and the server would live on. The tree is found by parent
 * pids, so it must still hold together: this comes before the child is gone, never after.
 */
export function windowsKillPlan(pid: number, env: Variables): WindowsKillPlan {
  return { file: systemProgram(env, 'taskkill.exe'), args: ['/PID', String(pid), '/T', '/F'] };
}
