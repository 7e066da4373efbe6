import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChildEnd,
  type ChildKeeper,
  type CloseReason,
  type KeeperOptions,
  keepChild,
} from '../../src/index.ts';
import { ScriptedChild } from '../support/scripted-child.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';

const CRASH: CloseReason = { kind: 'exit', exitCode: 1, signal: null, stderrTail: 'boom\n' };

let clock: VirtualClock;
let children: ScriptedChild[];
let announced: number[];
let ends: ChildEnd[];
const unhandled: unknown[] = [];
const noteUnhandled = (error: unknown): number => unhandled.push(error);

beforeEach(() => {
  [clock, children, announced, ends] = [new VirtualClock(), [], [], []];
  unhandled.length = 0;
  process.on('unhandledRejection', noteUnhandled);
});

afterEach(async () => {
  await settled();
  process.off('unhandledRejection', noteUnhandled);
  expect(unhandled).toEqual([]);
});

function keep(options: Partial<KeeperOptions> = {}): ChildKeeper {
  return keepChild({
    clock,
    child: (generation) => {
      const child = new ScriptedChild(generation);
      children.push(child);
      return child.asChild();
    },
    onChild: (_, generation) => announced.push(generation),
    onChildEnd: (end) => ends.push(end),
    ...options,
  });
}

/** The child of now ends. */
async function end(reason: CloseReason = CRASH): Promise<void> {
  children.at(-1)?.end(reason);
  await settled();
}

/** Five crashes, each at once. */
async function openTheBreaker(): Promise<void> {
  for (let crash = 0; crash < 5; crash++) {
    await end();
    await clock.pass(4000);
  }
}

describe('a keeper', () => {
  test('starts a child at once, and hands it out when its caller has the keeper', async () => {
    const keeper = keep();
    expect([children.length, announced]).toEqual([1, []]);
    await settled();
    expect(announced).toEqual([1]);
    expect(keeper.child).toBe(children[0]);
    expect(keeper.status).toEqual({ state: 'running', generation: 1, recentFailures: 0 });
    await keeper.close();
  });

  test('starts a new child after its delay, tells both, and has no child between', async () => {
    const keeper = keep();
    await clock.pass(70);
    await end();
    expect(keeper.child).toBeUndefined();
    expect(keeper.status).toEqual({
      state: 'backing-off',
      generation: 1,
      recentFailures: 1,
      nextStartMs: 250,
    });
    expect(ends).toEqual([
      { generation: 1, reason: CRASH, uptimeMs: 70, next: { kind: 'restart', delayMs: 250 } },
    ]);
    await clock.pass(249);
    expect([children.length, keeper.status.nextStartMs]).toEqual([1, 1]);
    await clock.pass(1);
    expect([children.length, announced, keeper.status.state]).toEqual([2, [1, 2], 'running']);
    expect(keeper.child).toBe(children[1]);
    await keeper.close();
  });

  test('takes exit code 0 with the session open for a failure like any other', async () => {
    const keeper = keep();
    await end({ kind: 'exit', exitCode: 0, signal: null });
    expect(keeper.status).toMatchObject({ state: 'backing-off', recentFailures: 1 });
    await keeper.close();
  });

  test('never touches a child that takes its time', async () => {
    const keeper = keep();
    await clock.pass(3_600_000);
    expect([children.length, children[0]?.closes, keeper.status.state]).toEqual([1, 0, 'running']);
    expect(clock.pendingTimers).toBe(0);
    await keeper.close();
  });

  test('opens the breaker after five failures in a minute, says why, and starts nothing until reset()', async () => {
    const keeper = keep();
    await openTheBreaker();
    expect(children).toHaveLength(5);
    const { state, breaker, recentFailures } = keeper.status;
    expect([state, recentFailures, breaker?.failures]).toEqual(['breaker-open', 5, 5]);
    expect(breaker?.lastReason).toBe(CRASH);
    expect(breaker?.error).toMatchObject({
      code: 'BREAKER_OPEN',
      limit: 5,
      actual: 5,
      message:
        'the child failed 5 times within 60000 ms (breakerFailures: 5) and is not started again before reset(): ' +
        'exit code 1, its stderr ends with "boom"',
    });
    expect(ends.at(-1)?.next).toEqual({ kind: 'breaker-open', breaker });
    await clock.pass(3_600_000);
    expect([children.length, clock.pendingTimers]).toEqual([5, 0]);

    keeper.reset();
    expect([children.length, announced.at(-1)]).toEqual([6, 6]);
    expect(keeper.status).toEqual({ state: 'running', generation: 6, recentFailures: 0 });
    await end();
    expect(keeper.status.nextStartMs).toBe(250);
    await keeper.close();
  });

  test('counts uptime and not starts: children that live 29 s are a crash loop in slow motion, 30 s are not', async () => {
    for (const [uptimeMs, delayMs] of [
      [29_999, 500],
      [30_000, 250],
    ] as const) {
      const keeper = keep();
      await end();
      await clock.pass(250);
      await clock.pass(uptimeMs);
      await end();
      expect(keeper.status.nextStartMs).toBe(delayMs);
      await keeper.close();
    }
  });

  test('with reset() during back-off starts at once, and the timer that was due starts no second child', async () => {
    const keeper = keep();
    await end();
    keeper.reset();
    expect([children.length, clock.pendingTimers]).toEqual([2, 0]);
    await clock.fireLate();
    await clock.pass(60_000);
    expect(children).toHaveLength(2);
    keeper.reset();
    expect(children).toHaveLength(2);
    await keeper.close();
  });

  test('is not touched by events of an old child that come late: its end again, its timer again', async () => {
    const keeper = keep();
    await end();
    await clock.pass(250);
    const [first, second] = children;
    first?.end({ kind: 'exit', exitCode: 99, signal: null });
    await clock.fireLate();
    expect(keeper.child).toBe(second);
    expect([children.length, ends.length, keeper.status.state]).toEqual([2, 1, 'running']);

    await end();
    first?.end({ kind: 'exit', exitCode: 99, signal: null });
    second?.end({ kind: 'exit', exitCode: 99, signal: null });
    await settled();
    expect([ends.length, keeper.status.recentFailures, clock.pendingTimers]).toEqual([2, 2, 1]);
    await keeper.close();
    await clock.fireLate();
    expect(children).toHaveLength(2);
  });
});

describe('which ends are followed by a new child', () => {
  const asked: CloseReason = { kind: 'closed', exitCode: 0, signal: null };
  const killed: CloseReason = { kind: 'exit', exitCode: null, signal: 'SIGSEGV' };
  const unsaid: CloseReason = { kind: 'error', error: new Error('not found') };
  const left: CloseReason = { kind: 'eof', exitCode: 0, signal: null };
  const broken: CloseReason = { kind: 'peer-closed', exitCode: null, signal: 'SIGTERM' };

  test.each([
    ['on-failure', [CRASH, killed, unsaid, left, broken], [asked]],
    ['always', [CRASH, killed, unsaid, left, broken, asked], []],
    ['never', [], [CRASH, killed, unsaid, left, broken, asked]],
  ] as const)('%s', async (restart, followed, last) => {
    for (const reason of followed) {
      const keeper = keep({ restart });
      await end(reason);
      expect([reason.kind, keeper.status.state]).toEqual([reason.kind, 'backing-off']);
      await keeper.close();
    }
    for (const reason of last) {
      const keeper = keep({ restart });
      await end(reason);
      expect(await keeper.closed).toEqual({ kind: 'stopped', generation: 1, lastReason: reason });
      expect([ends.at(-1)?.next.kind, clock.pendingTimers]).toEqual(['closed', 0]);
    }
  });
});

describe('close()', () => {
  test('with a child waits for its end, however long its ladder takes, and starts no other', async () => {
    const keeper = keep({ restart: 'always' });
    const child = children[0] as ScriptedChild;
    child.endsWhenClosed = false;
    let isOver = false;
    const over = keeper.close().then((reason) => {
      isOver = true;
      return reason;
    });
    expect(keeper.close()).toBe(keeper.closed);
    await clock.pass(3_600_000);
    expect([child.closes, isOver, keeper.status.state]).toEqual([1, false, 'closing']);
    const reason: CloseReason = { kind: 'closed', exitCode: null, signal: 'SIGKILL' };
    child.end(reason);
    expect(await over).toEqual({ kind: 'closed', generation: 1, lastReason: reason });
    expect([keeper.status.state, children.length, clock.pendingTimers]).toEqual(['closed', 1, 0]);
    expect(ends).toMatchObject([{ next: { kind: 'closed' } }]);
  });

  test('before the first child was handed out closes it and hands it out no more', async () => {
    await keep().close();
    expect([announced, children[0]?.closes]).toEqual([[], 1]);
  });

  test('while a child is being handed out, the first or a later one, closes that child', async () => {
    for (const last of [1, 2]) {
      children = [];
      const keeper: ChildKeeper = keep({
        onChild: (_, generation) => {
          if (generation === last) keeper.close();
        },
      });
      await settled();
      if (last === 2) {
        await end();
        await clock.pass(250);
      }
      expect(await keeper.closed).toMatchObject({ kind: 'closed', generation: last });
      expect([children.length, children.at(-1)?.closes]).toEqual([last, 1]);
    }
  });

  test('during back-off, with an open breaker, and a second time, is over at once and leaves no timer', async () => {
    const waiting = keep();
    await end();
    expect(await waiting.close()).toEqual({ kind: 'closed', generation: 1, lastReason: CRASH });
    expect(clock.pendingTimers).toBe(0);
    const open = keep();
    await openTheBreaker();
    expect(await open.close()).toMatchObject({ kind: 'closed', lastReason: CRASH });
    expect(open.status).toMatchObject({ state: 'closed' });
    open.reset();
    await clock.fireLate();
    expect(children).toHaveLength(6);
    expect(await open.close()).toMatchObject({ kind: 'closed' });
  });

  test('while the owner is closing the child itself does not make two ends of it', async () => {
    const keeper = keep();
    const child = children[0] as ScriptedChild;
    child.endsWhenClosed = false;
    keeper.child?.close();
    const over = keeper.close();
    child.end({ kind: 'closed', exitCode: 0, signal: null });
    expect(await over).toMatchObject({ kind: 'closed' });
    expect(ends).toHaveLength(1);
  });
});

describe('a signal', () => {
  test('that is aborted before starts nothing', async () => {
    const keeper = keep({ signal: AbortSignal.abort() });
    expect(await keeper.closed).toEqual({ kind: 'aborted', generation: 0 });
    expect([children.length, announced]).toEqual([0, []]);
  });

  test('that is aborted closes the child, ends the back-off, and has no listener left afterwards', async () => {
    for (const crashes of [0, 1]) {
      const controller = new AbortController();
      const { signal } = controller;
      const listeners = (): number => getEventListeners(signal, 'abort').length;
      const keeper = keep({ signal });
      if (crashes > 0) await end();
      expect(listeners()).toBe(1);
      controller.abort();
      expect(await keeper.closed).toMatchObject({ kind: 'aborted', generation: 1 });
      expect([listeners(), clock.pendingTimers]).toEqual([0, 0]);
      expect(children.every((child) => child.hasEnded)).toBe(true);
    }
  });
});

describe('callbacks and options', () => {
  test('a callback that throws ends the keeper with its error, and no child is left', async () => {
    const error = new Error('mine');
    const thrower = (): never => {
      throw error;
    };
    for (const [options, reason] of [
      [{ onChild: thrower }, undefined],
      [{ onChildEnd: thrower }, CRASH],
      [{ onChildEnd: thrower, restart: 'never' }, CRASH],
      [{ onChildEnd: thrower, breakerFailures: 1 }, CRASH],
    ] as const) {
      const keeper = keep(options);
      if (reason !== undefined) await end(reason);
      expect(await keeper.closed).toMatchObject({ kind: 'error', error });
      expect([children.every((child) => child.hasEnded), clock.pendingTimers]).toEqual([true, 0]);
    }
  });

  test('a start that throws comes out of keepChild the first time, and is a failure like any other later', async () => {
    const error = new Error('no');
    const failing = (): never => {
      throw error;
    };
    expect(() => keep({ child: failing })).toThrow(error);
    let calls = 0;
    const keeper = keep({
      child: (generation) => {
        calls++;
        if (generation === 2) throw error;
        const child = new ScriptedChild(generation);
        children.push(child);
        return child.asChild();
      },
    });
    await end();
    await clock.pass(250);
    expect(ends.at(-1)).toMatchObject({
      generation: 2,
      uptimeMs: 0,
      reason: { kind: 'error', error },
      next: { delayMs: 500 },
    });
    await clock.pass(500);
    expect([calls, announced, keeper.status.state]).toEqual([3, [1, 3], 'running']);
    await keeper.close();
  });

  test('nonsense is refused at construction', () => {
    const nothing = (): void => {};
    const command = { command: 'node' };
    for (const [options, code] of [
      [{ child: command, onChild: nothing, restart: 'sometimes' }, 'OPTION_INVALID'],
      [{ child: command }, 'OPTION_INVALID'],
      [{ child: command, onChild: nothing, onChildEnd: 1 }, 'OPTION_INVALID'],
      [{ child: command, onChild: nothing, signal: {} }, 'OPTION_INVALID'],
      [{ child: null, onChild: nothing }, 'OPTION_INVALID'],
      [{ child: { command: '' }, onChild: nothing }, 'OPTION_INVALID'],
      [{ child: command, onChild: nothing, restartDelayMs: -1 }, 'OPTION_RANGE'],
      [{ child: command, onChild: nothing, breakerFailures: 0 }, 'OPTION_RANGE'],
      [{ child: command, onChild: nothing, restartJitterPercent: 101 }, 'OPTION_RANGE'],
      [{ child: command, onChild: nothing, restartDelayMs: 9, restartMaxDelayMs: 8 }, 'OPTION_RANGE'],
    ] as unknown as [KeeperOptions, string][]) {
      expect(() => keepChild(options)).toThrow(expect.objectContaining({ code }));
    }
  });
});
