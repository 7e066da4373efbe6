import { readFileSync } from 'node:fs';

/** True while a process exists that is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until something holds; fails after five seconds. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('it did not come to hold within 5 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
