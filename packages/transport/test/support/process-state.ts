import { readdirSync, readFileSync } from 'node:fs';

/** True while a process exists that is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The processes of a group that exist and are no zombies. */
export function groupMembers(group: number): number[] {
  return processesWhere((stat) => stat.group === group);
}

/** Ends whatever is left of a group. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}

/** The orphan guards that a process has started. */
export function watchdogsOf(parent: number): number[] {
  return processesWhere((stat) => stat.parent === parent).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('while read -r do target start'),
  );
}

function processesWhere(holds: (stat: { parent: number; group: number }) => boolean): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // Behind the name of the program in parentheses: state, parent, group.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
      return state !== 'Z' && holds({ parent: Number(parent), group: Number(group) });
    } catch {
      return false;
    }
  });
}

/** Waits until something holds; fails after five seconds, or the given bound. */
export async function until(holds: () => boolean, boundMs = 5000): Promise<void> {
  const deadline = performance.now() + boundMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`it did not come to hold within ${boundMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
