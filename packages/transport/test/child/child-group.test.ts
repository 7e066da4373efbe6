import { existsSync, readFileSync } from 'node:fs';
import { fixturePath } from '@linewire/testkit';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, listen, ping, READINGS, spawn, spawnShell } from '../support/child-harness.ts';
import { groupMembers, isAlive, until } from '../support/process-state.ts';

/** A grandchild that ignores SIGTERM and the end of its input, and says its pid on stderr. */
const STUBBORN = `sh -c 'trap "" TERM; echo $$ >&2; while :; do sleep 1; done'`;

/** The pids that were said on stderr, once there are so many. */
async function saidPids(child: { readonly stderrTail: string }, count: number): Promise<number[]> {
  await until(() => child.stderrTail.split('\n').length > count, 20_000);
  return child.stderrTail.trim().split('\n').map(Number);
}

describe('the group of a child', () => {
  test('(p15) is its own by default, so that nothing is left behind a wrapper that does not exec', async () => {
    const child = spawn({ command: 'sh', args: [fixturePath('p15')], closeTimeoutMs: 20_000 });
    const heard = listen(child);
    child.send(ping(1));
    await until(() => heard.ids.length === 1, 20_000);
    const pid = child.pid ?? 0;
    expect(groupMembers(pid).length).toBeGreaterThanOrEqual(2);
    expect(await child.close()).toMatchObject({ kind: 'closed', exitCode: 0 });
    expect(groupMembers(pid)).toEqual([]);
  });

  test('(p15) ends as a whole when only the wrapper is killed from outside', async () => {
    const child = spawn({ command: 'sh', args: [fixturePath('p15')] });
    const heard = listen(child);
    child.send(ping(1));
    await until(() => heard.ids.length === 1, 20_000);
    process.kill(child.pid ?? 0, 'SIGKILL');
    expect(await child.closed).toMatchObject({ kind: 'exit', signal: 'SIGKILL' });
    await until(() => groupMembers(child.pid ?? 0).length === 0);
  });

  test('gets every signal of the ladder as a whole', async () => {
    // The leader ignores SIGTERM and ends with its grandchild, which does not.
    const child = spawnShell(
      `sh -c 'trap "echo caught >&2; exit 0" TERM; echo up >&2; while :; do sleep 0.02; done' & trap "" TERM; wait; exit 6`,
      { closeTimeoutMs: 0, termTimeoutMs: 20_000 },
    );
    listen(child);
    await until(() => child.stderrTail === 'up\n', 20_000);
    const { exitCode, stderrTail } = await child.close();
    expect(exitCode).toBe(6);
    expect(stderrTail).toContain('caught\n');
    expect(groupMembers(child.pid ?? 0)).toEqual([]);
  });

  test('is ended in the tick of the exit, whatever the leader left in it', async () => {
    const child = spawnShell(`${STUBBORN} & read line; exit 4`);
    listen(child);
    const [left = 0] = await saidPids(child, 1);
    child.send('go');
    expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 4 });
    await until(() => !isAlive(left));
  });

  test('that is ours leaves a descendant alone, which is not ours to end', async () => {
    const child = spawnShell(`${STUBBORN} & read line; exit 4`, { group: 'inherit', exitDrainMs: 50 });
    listen(child);
    const [left = 0] = await saidPids(child, 1);
    try {
      child.send('go');
      expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 4 });
      expect(isAlive(left)).toBe(true);
    } finally {
      process.kill(left, 'SIGKILL');
    }
  });

  test('that is ours is that of this process, so that who ends us ends it too', async () => {
    const groupOf = (pid: number): string | undefined =>
      readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[2];
    const [ours, own] = [spawnShell('cat', { group: 'inherit' }), spawnShell('cat')];
    expect(groupOf(ours.pid ?? 0)).toBe(groupOf(process.pid));
    expect(groupOf(own.pid ?? 0)).toBe(String(own.pid));
    await Promise.all([ours.close(), own.close()]);
  });

  test('that is ours still ends a child that ignores everything', async () => {
    const child = spawnShell('trap "" TERM; echo up >&2; while :; do sleep 0.02; done', {
      group: 'inherit',
      closeTimeoutMs: 50,
      termTimeoutMs: 50,
      exitDrainMs: 100,
    });
    listen(child);
    await until(() => child.stderrTail === 'up\n');
    expect(await child.close()).toMatchObject({ kind: 'closed', signal: 'SIGKILL' });
    expect(isAlive(child.pid ?? 0)).toBe(false);
  });

  test('is escaped by a daemon that calls setsid, as documented', async () => {
    const child = spawnShell(`setsid ${STUBBORN} </dev/null >/dev/null & read line; exit 0`, {
      exitDrainMs: 50,
    });
    listen(child);
    const [daemon = 0] = await saidPids(child, 1);
    try {
      child.send('go');
      expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 0 });
      expect(isAlive(daemon)).toBe(true);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  });
});

describe.each(READINGS)('a descendant that holds the pipes of a dead child, read by %s,', (reading) => {
  beforeEach(() => {
    vi.stubEnv('LINEWIRE_READING', reading);
  });

  test('does not delay its end beyond exitDrainMs, and what the child wrote is there', async () => {
    const child = spawnShell(
      `setsid sh -c 'echo $$ >&2; exec sleep 60' & read line; echo '${answer(1)}'; exit 4`,
      { exitDrainMs: 100 },
    );
    const heard = listen(child);
    const [daemon = 0] = await saidPids(child, 1);
    try {
      child.send('go');
      expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 4 });
      expect(isAlive(daemon)).toBe(true);
      expect([heard.ids, heard.calls]).toEqual([['1'], ['end', 'close']]);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  });

  test('is heard until then, also by a host that was busy when its time was up', async () => {
    const child = spawnShell(
      `setsid sh -c 'echo $$ >&2; sleep 0.3; echo "$0"; exec sleep 60' '${answer(2)}' & read line; exit 0`,
      { exitDrainMs: 400 },
    );
    const heard = listen(child);
    const [daemon = 0] = await saidPids(child, 1);
    try {
      process.kill(child.pid ?? 0, 'SIGKILL');
      // Collected, so that its exit has been told and the time runs.
      await until(() => !existsSync(`/proc/${child.pid}`));
      // Blocks while the answer comes and the drain time passes, and where timers are looked at before descriptors afterwards.
      await new Promise((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      expect(await child.closed).toMatchObject({ kind: 'exit', signal: 'SIGKILL' });
      expect(heard.ids).toEqual(['2']);
    } finally {
      process.kill(daemon, 'SIGKILL');
    }
  });

  test('does not delay its end though it writes without a pause', async () => {
    const child = spawnShell(`setsid sh -c 'echo $$ >&2; exec yes "$0"' '${answer(3)}' & read line; exit 5`, {
      exitDrainMs: 100,
    });
    const heard = listen(child);
    const [daemon = 0] = await saidPids(child, 1);
    try {
      child.send('go');
      expect(await child.closed).toMatchObject({ kind: 'exit', exitCode: 5 });
      expect(heard.ids.every((id) => id === '3')).toBe(true);
    } finally {
      // It may have died of the closed pipe already.
      if (isAlive(daemon)) process.kill(daemon, 'SIGKILL');
    }
  });
});
