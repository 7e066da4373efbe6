import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { ORPHAN_GUARD_SCRIPT } from '../../src/child/orphan-guard.ts';
import { spawn as spawnOurs } from '../support/child-harness.ts';
import { isAlive, until, watchdogsOf } from '../support/process-state.ts';

/** Shells that differ: `sh` of the system, and what calls itself POSIX. */
const SHELLS = [
  ['sh'],
  ['dash'],
  ['bash', '--posix'],
  ['busybox', 'sh'],
  ['ksh'],
  ['zsh', '--emulate', 'sh'],
].filter(([command, ...args]) => spawnSync(command ?? '', [...args, '-c', 'exit 0']).status === 0);

const victims: ChildProcess[] = [];

afterEach(() => {
  for (const victim of victims.splice(0)) victim.kill('SIGKILL');
});

/** Leads a group of its own. */
function startVictim(): { pid: number; start: string } {
  const victim = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  victims.push(victim);
  const pid = victim.pid ?? 0;
  const start = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19] ?? '';
  return { pid, start };
}

/** Runs the watchdog to its end with these lines. */
async function watch(shell: readonly string[], lines: readonly string[]): Promise<string> {
  const [command = 'sh', ...args] = shell;
  const watchdog = spawn(command, [...args, '-c', ORPHAN_GUARD_SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  watchdog.stdout.on('data', (text) => {
    output += text;
  });
  watchdog.stdin.end(lines.map((line) => `${line}\n`).join(''));
  await once(watchdog, 'close');
  return output;
}

describe.each(SHELLS.map((shell) => [shell.join(' '), shell] as const))('the watchdog in %s', (_, shell) => {
  test('kills what is left at the end of its input, groups and single processes, and nothing that was taken off', async () => {
    const [group, single, released, without] = [startVictim(), startVictim(), startVictim(), startVictim()];
    await watch(shell, [
      `+ -${group.pid} ${group.start}`,
      `+ ${single.pid} ${single.start}`,
      `+ -${released.pid} ${released.start}`,
      // No /proc, no start time: it is killed unseen.
      `+ -${without.pid} `,
      `- -${released.pid}`,
    ]);
    await until(() => ![group, single, without].some(({ pid }) => isAlive(pid)));
    expect(isAlive(released.pid)).toBe(true);
  });

  test('leaves alone a process that got the number of one of ours', async () => {
    const [other, ours] = [startVictim(), startVictim()];
    await watch(shell, [`+ -${other.pid} ${Number(other.start) - 1}`, `+ -${ours.pid} ${ours.start}`]);
    await until(() => !isAlive(ours.pid));
    expect(isAlive(other.pid)).toBe(true);
  });

  test('takes off exactly the number that it is told, wherever it stands', async () => {
    const numbers = [4_000_001, 40_000_012, 400_000_123, 40_000_013];
    for (const taken of numbers.slice(0, 3)) {
      const victim = startVictim();
      await watch(shell, [
        ...numbers.map((number) => `+ -${number} 1`),
        `+ -${victim.pid} ${victim.start}`,
        `- -${taken}`,
        `- -${Math.floor(victim.pid / 10)}`,
        `- ${victim.pid}`,
      ]);
      await until(() => !isAlive(victim.pid));
    }
  });

  test('goes on behind a target that is gone', async () => {
    const victim = startVictim();
    await watch(shell, ['+ -4000001 1', '+ -4000002 ', `+ -${victim.pid} ${victim.start}`]);
    await until(() => !isAlive(victim.pid));
  });
});

describe('the orphan guard of this process', () => {
  test('is one for all children, ends with the last of them, and comes back', async () => {
    const first = spawnOurs({ command: 'cat', orphanGuard: true });
    const second = spawnOurs({ command: 'cat', orphanGuard: true });
    const guards = watchdogsOf(process.pid);
    expect(guards).toHaveLength(1);
    await first.close();
    expect(watchdogsOf(process.pid)).toEqual(guards);
    await second.close();
    await until(() => watchdogsOf(process.pid).length === 0);
    const third = spawnOurs({ command: 'cat', orphanGuard: true });
    expect(watchdogsOf(process.pid)).toHaveLength(1);
    await third.close();
    await until(() => watchdogsOf(process.pid).length === 0);
  });

  test('is not left behind by a child that could not be started', async () => {
    const child = spawnOurs({ command: 'no-such-command', orphanGuard: true });
    child.start({ onFrames() {} });
    expect(await child.closed).toMatchObject({ kind: 'error', error: { code: 'SPAWN_NOT_FOUND' } });
    await until(() => watchdogsOf(process.pid).length === 0);
  });

  test('that was killed is replaced for the next child, and watches all of them', async () => {
    const first = spawnOurs({ command: 'cat', orphanGuard: true });
    const [guard = 0] = watchdogsOf(process.pid);
    process.kill(guard, 'SIGKILL');
    // Collected, so that its exit has been told.
    await until(() => !existsSync(`/proc/${guard}`));
    const second = spawnOurs({ command: 'cat', orphanGuard: true });
    expect(watchdogsOf(process.pid)).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
    await until(() => watchdogsOf(process.pid).length === 0);
  });

  test('that cannot be started lets no child be started either', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      const child = spawnOurs({ command: '/bin/cat', orphanGuard: true });
      child.start({ onFrames() {} });
      expect(await child.closed).toMatchObject({ kind: 'error', error: { code: 'SPAWN_FAILED' } });
      expect(child.pid).toBeUndefined();
    } finally {
      process.env['PATH'] = path;
    }
  });
});
