import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { ProcessGroup } from './process-group.ts';

/**
 * What the watchdog runs. Lines on its stdin are `+ TARGET START` and `- TARGET`; at the end of its stdin, which is our end however it
 * came, it kills every target that is left. A target is what `kill` takes: a process, or minus a group.
 *
 * START, the start time of the process in `/proc`, makes it safe against a number that was given away again: a process with that number
 * and another start time is none of ours, and while a group of ours has members nobody can have its number. No `/proc`: no such check.
 */
export const ORPHAN_GUARD_SCRIPT = `trap '' HUP INT QUIT TERM USR1 USR2 PIPE TSTP TTIN TTOU
left=' '
while read -r do target start; do
  case $do in
    +) left="$left$target:$start ";;
    -) case $left in *" $target:"*)
         tail=\${left#*" $target:"}
         left="\${left%%" $target:"*} \${tail#* }";;
       esac;;
  esac
done
for entry in $left; do
  target=\${entry%%:*} start=\${entry#*:}
  if [ -n "$start" ] && read -r stat <"/proc/\${target#-}/stat"; then
    set -- \${stat##*) }
    [ "\${20}" = "$start" ] || continue
  fi
  kill -s KILL -- "$target"
done`;

/** The one watchdog of this host, while it lives. */
let watchdog: { readonly process: ChildProcess; readonly input: Writable } | undefined;
const guarded = new Map<ProcessGroup, string>();

/**
 * Starts the watchdog unless it runs. To be called before the child is started.
 *
 * @returns why there is none, or undefined
 */
export function openOrphanGuard(): Error | undefined {
  if (watchdog !== undefined) return undefined;
  let shell: ChildProcess;
  try {
    shell = startShell();
  } catch (error) {
    return error as Error;
  }
  shell.on('error', () => {});
  // Node's is a socket; Bun's cannot be, and need not be, let go of.
  const input: (Writable & { unref?(): void }) | null = shell.stdin;
  if (input === null || shell.pid === undefined) return new Error('sh could not be started');
  input.on('error', () => {});
  const opened = { process: shell, input };
  watchdog = opened;
  shell.on('exit', () => {
    // Somebody has killed it. The next child brings a new one, which watches all.
    if (watchdog === opened) watchdog = undefined;
  });
  // It must not keep us alive.
  shell.unref();
  input.unref?.();
  for (const [group, start] of guarded) input.write(`+ ${group.target} ${start}\n`);
  return undefined;
}

/**
 * A session of its own, so that no signal to our group or from our terminal ends it first; no descriptor of ours but its pipe; and a
 * folder that it keeps from nobody.
 */
function startShell(): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const path = process.env['PATH'];
  return spawn('sh', ['-c', ORPHAN_GUARD_SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: path === undefined ? {} : { PATH: path },
  });
}

/** To be called in the tick of the spawn, while the number is surely the child's. */
export function guardGroup(group: ProcessGroup): void {
  const start = startTimeOf(group.pid);
  guarded.set(group, start);
  watchdog?.input.write(`+ ${group.target} ${start}\n`);
}

/** To be called in the tick of the child's exit. The watchdog ends with its last child. */
export function unguardGroup(group: ProcessGroup): void {
  if (!guarded.delete(group) || watchdog === undefined) return;
  watchdog.input.write(`- ${group.target}\n`);
  closeIdleGuard();
}

/** The watchdog was opened for a child that could not be started. */
export function closeIdleGuard(): void {
  if (guarded.size > 0 || watchdog === undefined) return;
  watchdog.input.end();
  watchdog = undefined;
}

/** Clock ticks from the start of the system to that of a process, or nothing where there is no `/proc`. */
function startTimeOf(pid: number): string {
  try {
    // The name of the program is in parentheses and may hold anything; the time is the twentieth word after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
