import type { ChildProcess } from 'node:child_process';
import { isWindows } from './host-platform.ts';
import { windowsKillPlan } from './windows-kill-plan.ts';

/**
 * Signals a child. On Windows both signals end it at once with all that it started: there is nothing gentler for a console program than the
 * end of its stdin, which it has had.
 *
 * @param env the child's, for the folder of Windows
 */
export function signalChild(
  child: ChildProcess,
  signal: 'SIGTERM' | 'SIGKILL',
  env: Readonly<Record<string, string>>,
): void {
  if (isWindows() && child.pid !== undefined) endWindowsTree(child, child.pid, env);
  else child.kill(signal);
}

function endWindowsTree(child: ChildProcess, pid: number, env: Readonly<Record<string, string>>): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { file, args } = windowsKillPlan(pid, env);
  const killer = spawn(file, args, { stdio: 'ignore', windowsHide: true });
  // Without taskkill, or where it fails, at least the child itself ends. Node signals a process that it still holds, never its number.
  killer.on('error', () => child.kill('SIGKILL'));
  killer.on('exit', (code) => {
    if (code !== 0) child.kill('SIGKILL');
  });
}
