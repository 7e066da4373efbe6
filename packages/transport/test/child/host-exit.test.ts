import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { groupMembers, isAlive, killGroup, until, watchdogsOf } from '../support/process-state.ts';
import { fixtureFile } from '../support/shell.ts';

interface Report {
  readonly groups: number[];
  readonly inherited: number;
  /** What three children have added: to `exit`, SIGTERM, SIGINT and SIGHUP. */
  readonly listeners: number[];
}

interface Host {
  readonly process: ChildProcess;
  readonly report: Report;
  /** What it said after its report. */
  readonly said: string[];
  /** Exit code and signal. */
  readonly ended: Promise<[number | null, string | null]>;
}

const hosts: Host[] = [];

afterEach(() => {
  for (const { process: host, report } of hosts.splice(0)) {
    for (const group of [...report.groups, host.pid ?? 0]) if (group > 0) killGroup(group);
  }
});

/** A host in a group of its own, so that what it leaves there can be ended. */
async function startHost(...args: string[]): Promise<Host> {
  const host = spawn(process.execPath, [fixtureFile('hosting'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const ended = new Promise<[number | null, string | null]>((resolve) => {
    host.on('exit', (code, signal) => resolve([code, signal]));
  });
  let output = '';
  host.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await until(() => output.includes('\n'), 20_000);
  const report = JSON.parse(output.slice(0, output.indexOf('\n'))) as Report;
  const started = {
    process: host,
    report,
    get said(): string[] {
      return output.split('\n').slice(1, -1);
    },
    ended,
  };
  hosts.push(started);
  return started;
}

function livingChildren({ groups, inherited }: Report): number[] {
  return [...groups.flatMap(groupMembers), ...[inherited].filter(isAlive)];
}

async function expectNoChildren(report: Report): Promise<void> {
  await until(() => livingChildren(report).length === 0, 10_000);
}

describe('the children of a host', () => {
  test.each([
    ['calls process.exit', 'exit', [7, null]],
    ['is ended by an exception', 'throw', [1, null]],
    ['is ended by a rejection', 'reject', [1, null]],
  ])('end when it %s, with one hook for all', async (_, way, status) => {
    const host = await startHost(way);
    expect(host.report.listeners).toEqual([1, 1, 1, 1]);
    expect(await host.ended).toEqual(status);
    await expectNoChildren(host.report);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'end when it dies of %s, and it still dies of that',
    async (signal) => {
      const host = await startHost('wait');
      expect(livingChildren(host.report).length).toBeGreaterThanOrEqual(4);
      host.process.kill(signal);
      expect(await host.ended).toEqual([null, signal]);
      await expectNoChildren(host.report);
    },
  );

  test('end with it when its own listener decides that it ends', async () => {
    const host = await startHost('handle');
    await until(() => host.said.includes('"set"'));
    host.process.kill('SIGTERM');
    expect(await host.ended).toEqual([9, null]);
    await expectNoChildren(host.report);
  });

  test('live on when its own listener decides that it does', async () => {
    const host = await startHost('survive');
    await until(() => host.said.includes('"set"'));
    host.process.kill('SIGTERM');
    await until(() => host.said.includes('"noted"'));
    expect(isAlive(host.process.pid ?? 0)).toBe(true);
    expect(livingChildren(host.report).length).toBeGreaterThanOrEqual(4);
  });

  test('do not hinder a listener that re-raises only when it is alone', async () => {
    const host = await startHost('polite');
    await until(() => host.said.includes('"set"'));
    host.process.kill('SIGTERM');
    expect(await host.ended).toEqual([null, 'SIGTERM']);
    await expectNoChildren(host.report);
  });

  test('end by a signal whose foreign listener has come and gone', async () => {
    const host = await startHost('passing');
    await until(() => host.said.includes('"set"'));
    host.process.kill('SIGTERM');
    expect(await host.ended).toEqual([null, 'SIGTERM']);
    await expectNoChildren(host.report);
  });
});

describe('the children of a guarded host', () => {
  test('end when it is killed by SIGKILL, and so does the guard', async () => {
    const host = await startHost('wait', 'guarded');
    const guard = watchdogsOf(host.process.pid ?? 0);
    expect(guard).toHaveLength(1);
    host.process.kill('SIGKILL');
    expect(await host.ended).toEqual([null, 'SIGKILL']);
    await expectNoChildren(host.report);
    await until(() => guard.filter(isAlive).length === 0);
  });

  test('end when it dies of a signal, to which nobody of us listens', async () => {
    const host = await startHost('wait', 'guarded');
    expect(host.report.listeners).toEqual([1, 0, 0, 0]);
    host.process.kill('SIGINT');
    expect(await host.ended).toEqual([null, 'SIGINT']);
    await expectNoChildren(host.report);
  });

  test('have a guard that a signal to the group of the host does not end', async () => {
    const host = await startHost('wait', 'guarded');
    const guard = watchdogsOf(host.process.pid ?? 0);
    for (const pid of guard) for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(pid, signal);
    process.kill(-(host.process.pid ?? 0), 'SIGHUP');
    expect(await host.ended).toEqual([null, 'SIGHUP']);
    await expectNoChildren(host.report);
  });
});
