import { getEventListeners } from 'node:events';
import { fixturePath } from '@linewire/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type ChildEnd,
  type ChildKeeper,
  type ChildOptions,
  type KeeperOptions,
  keepChild,
} from '../../src/index.ts';
import { isAlive } from '../support/process-state.ts';

const keepers: ChildKeeper[] = [];
const pids: number[] = [];

afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
  expect(pids.splice(0).filter(isAlive)).toEqual([]);
});

/** Several programs start one after the other, on a machine that may be busy. */
function until(holds: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(holds()).toBe(true), { timeout: 20_000, interval: 5 });
}

/** What the children said, by generation. */
interface Heard {
  readonly keeper: ChildKeeper;
  readonly results: string[][];
  readonly faults: number[];
  readonly ends: ChildEnd[];
}

function fixture(name: string): ChildOptions {
  return { command: process.execPath, args: [fixturePath(name)] };
}

function keep(child: ChildOptions, options: Partial<KeeperOptions> = {}): Heard {
  const results: string[][] = [];
  const faults: number[] = [];
  const ends: ChildEnd[] = [];
  const keeper = keepChild({
    child,
    restartDelayMs: 1,
    onChild(kept, generation) {
      if (kept.pid !== undefined) pids.push(kept.pid);
      results[generation] = [];
      faults[generation] = 0;
      kept.start({
        onFrames(batch) {
          for (let index = 0; index < batch.count; index++) {
            if (batch.kind(index) === 'result') results[generation]?.push(batch.idText(index) ?? '');
            else faults[generation] = (faults[generation] ?? 0) + 1;
          }
        },
      });
      // The handshake of a session: anew for each child.
      kept.send(`{"jsonrpc":"2.0","id":${generation},"method":"ping"}`);
    },
    onChildEnd: (end) => ends.push(end),
    ...options,
  });
  keepers.push(keeper);
  return { keeper, results, faults, ends };
}

test('(p11) a crash loop ends in an open breaker that shows the last stderr, after exactly five starts', async () => {
  const { keeper, ends } = keep(fixture('p11'));
  await until(() => keeper.status.state === 'breaker-open');
  const { breaker, generation } = keeper.status;
  expect([generation, ends.length, new Set(pids).size]).toEqual([5, 5, 5]);
  expect(breaker?.lastReason).toEqual({
    kind: 'exit',
    exitCode: 1,
    signal: null,
    stderrTail: `boom ${pids[4]}\n`,
  });
  expect(breaker?.error.message).toContain(`exit code 1, its stderr ends with "boom ${pids[4]}"`);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('(p16) a child that is killed is followed by another one, which answers', async () => {
  const { keeper, results, ends } = keep(fixture('p16'));
  await until(() => results[1]?.length === 1);
  process.kill(pids[0] as number, 'SIGKILL');
  await until(() => results[2]?.length === 1);
  expect(results.slice(1)).toEqual([['1'], ['2']]);
  expect(ends).toMatchObject([
    { generation: 1, reason: { kind: 'exit', signal: 'SIGKILL' }, next: { kind: 'restart' } },
  ]);
  expect(keeper.child?.pid).toBe(pids[1]);
  expect(await keeper.close()).toMatchObject({
    kind: 'closed',
    generation: 2,
    lastReason: { kind: 'closed', exitCode: 0 },
  });
});

test('(p03) half a frame of a dead child is a fault of that child, and nothing of it reaches the next one', async () => {
  const { keeper, results, faults } = keep(fixture('p03'));
  await until(() => keeper.status.state === 'breaker-open');
  expect([results.slice(1).flat(), faults.slice(1)]).toEqual([[], [1, 1, 1, 1, 1]]);
});

/** Answers one ping, leaves a process behind that writes half frames and whole ones to the same pipe, and exits. */
const ANSWERS_AND_LEAVES_A_WRITER = `
  read -r line; id=\${line#*'"id":'}; id=\${id%%,*}
  printf '{"jsonrpc":"2.0","id":%s,"result":{}}\\n' "$id"
  ( for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
      printf '{"jsonrpc":"2.0","id":-%s,"result":{' "$id"; sleep 0.05; printf '}}\\n'
    done ) &
  exit 1`;

test('what a grandchild writes to the pipe of a dead child touches neither that child any more nor the next one', async () => {
  const { keeper, results, faults, ends } = keep(
    { command: 'sh', args: ['-c', ANSWERS_AND_LEAVES_A_WRITER], exitDrainMs: 50 },
    { breakerFailures: 1000 },
  );
  // The writer of the first child goes on until its pipe breaks; meanwhile two more children come.
  await until(() => ends.length >= 2 && (results[3]?.length ?? 0) > 0);
  const told = [results[1]?.length, faults[1]];
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([results[1]?.length, faults[1]]).toEqual(told);
  for (const [generation, ids] of results.entries()) {
    const own = [String(generation), String(-generation)];
    expect(ids?.filter((id) => !own.includes(id)) ?? []).toEqual([]);
  }
  await keeper.close();
});

test('a command that does not exist fails like a crash, and its error says which PATH was searched', async () => {
  const { keeper } = keep({ command: 'no-such-command-anywhere' }, { breakerFailures: 2 });
  await until(() => keeper.status.state === 'breaker-open');
  const { breaker } = keeper.status;
  expect(breaker?.error.cause).toMatchObject({ code: 'SPAWN_NOT_FOUND' });
  expect(breaker?.error.message).toContain('PATH searched');
});

test('close() while the first child is being started, before anything ran, leaves no process', async () => {
  const { keeper } = keep(fixture('p16'));
  const pid = keeper.child?.pid as number;
  expect(await keeper.close()).toMatchObject({ kind: 'closed', generation: 1 });
  expect(isAlive(pid)).toBe(false);
});

/** Says that it is ready, and ends by SIGKILL alone. */
const IGNORES_EVERYTHING = `
  process.on('SIGTERM', () => {});
  process.stdin.resume();
  setInterval(() => {}, 1000);
  console.log('{"jsonrpc":"2.0","id":0,"result":{}}');`;

test('close() waits for the whole ladder of a child that ignores everything', async () => {
  const { keeper, results } = keep({
    command: process.execPath,
    args: ['-e', IGNORES_EVERYTHING],
    closeTimeoutMs: 50,
    termTimeoutMs: 50,
  });
  await until(() => results[1]?.length === 1);
  expect(await keeper.close()).toMatchObject({ lastReason: { kind: 'closed', signal: 'SIGKILL' } });
  expect(keeper.child).toBeUndefined();
});

test('ten keepers, closed while they run, back off or have given up, leave no process, timer, pipe or listener', async () => {
  const ours = (): string[] =>
    process.getActiveResourcesInfo().filter((name) => /^(ProcessWrap|PipeWrap)$/.test(name));
  const listeners = (): number =>
    process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const listenersBefore = listeners();
  // Those of the test runner, and what is still closing of the tests before: it can only become less.
  const handlesBefore = ours().length;
  const { signal } = new AbortController();
  for (let round = 0; round < 10; round++) {
    const name = round % 2 === 0 ? 'p16' : 'p11';
    const options = {
      signal,
      breakerFailures: 1 + (round % 3),
      restartDelayMs: 60_000,
      restartMaxDelayMs: 60_000,
    };
    const { keeper, ends } = keep(fixture(name), options);
    if (name === 'p11') await until(() => ends.length === 1);
    expect(await keeper.close()).toMatchObject({ kind: 'closed' });
    // A timer of a minute would show here, and hold the process.
    expect(keeper.status.state).toBe('closed');
  }
  await until(() => ours().length <= handlesBefore);
  expect(listeners()).toBe(listenersBefore);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
