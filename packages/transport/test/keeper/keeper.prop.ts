import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChildEnd,
  type ChildKeeper,
  type CloseReason,
  type KeeperState,
  keepChild,
  type RestartMode,
} from '../../src/index.ts';
import { ScriptedChild } from '../support/scripted-child.ts';
import { settled, VirtualClock } from '../support/virtual-clock.ts';

/** The options of one run. */
interface Setup {
  readonly restart: RestartMode;
  readonly restartDelayMs: number;
  readonly restartMaxDelayMs: number;
  readonly restartJitterPercent: number;
  readonly restartResetMs: number;
  readonly breakerFailures: number;
  readonly breakerWindowMs: number;
}

/** What must be true of a keeper, told from the rules alone: every end is written down, and what follows is worked out from the whole list. */
class Model {
  readonly setup: Setup;
  state: KeeperState = 'running';
  generation = 1;
  now = 0;
  spawnedAt = 0;
  /** Failures since the last reset: when, and after which uptime. */
  failures: { at: number; uptimeMs: number }[] = [];
  dueBetween: [number, number] = [0, 0];
  ends = 0;

  constructor(setup: Setup) {
    this.setup = setup;
  }

  /** The failures since a child was last up long enough to have the earlier ones forgotten. */
  get remembered(): { at: number; uptimeMs: number }[] {
    const from = this.failures.findLastIndex(({ uptimeMs }) => uptimeMs >= this.setup.restartResetMs);
    return this.failures.slice(Math.max(0, from));
  }

  get recent(): number {
    const isUp = this.state === 'running' || this.state === 'closing';
    const isUpLong = isUp && this.now - this.spawnedAt >= this.setup.restartResetMs;
    if (isUpLong) return 0;
    return this.remembered.filter(({ at }) => this.now - at <= this.setup.breakerWindowMs).length;
  }

  childEnds(asked: boolean): void {
    this.ends++;
    const { restart, restartDelayMs, restartMaxDelayMs, restartJitterPercent, breakerFailures } = this.setup;
    if (this.state === 'closing' || restart === 'never' || (asked && restart !== 'always')) {
      this.state = 'closed';
      return;
    }
    this.failures.push({ at: this.now, uptimeMs: this.now - this.spawnedAt });
    this.state = 'backing-off';
    if (this.recent >= breakerFailures) {
      this.state = 'breaker-open';
      return;
    }
    let delayMs = restartDelayMs;
    for (let failure = 1; failure < this.remembered.length; failure++) {
      delayMs = Math.min(delayMs * 2, restartMaxDelayMs);
    }
    const jitterMs = (delayMs * restartJitterPercent) / 100;
    this.dueBetween = [this.now + Math.floor(delayMs - jitterMs), this.now + Math.ceil(delayMs + jitterMs)];
  }

  starts(): void {
    this.generation++;
    this.spawnedAt = this.now;
    this.state = 'running';
  }

  resets(): void {
    if (this.state === 'closing' || this.state === 'closed') return;
    this.failures = [];
    if (this.state !== 'running') this.starts();
  }

  closes(): void {
    if (this.state === 'running') this.state = 'closing';
    else if (this.state !== 'closing') this.state = 'closed';
  }
}

/** The keeper under test, and all it told. */
class Bench {
  readonly clock = new VirtualClock();
  readonly children: ScriptedChild[] = [];
  readonly announced: number[] = [];
  readonly ends: ChildEnd[] = [];
  readonly controller = new AbortController();
  readonly keeper: ChildKeeper;

  constructor(setup: Setup) {
    this.keeper = keepChild({
      ...setup,
      clock: this.clock,
      signal: this.controller.signal,
      child: (generation) => {
        const child = new ScriptedChild(generation);
        // Else a ladder would always be over in the same turn.
        child.endsWhenClosed = generation % 2 === 0;
        this.children.push(child);
        return child.asChild();
      },
      onChild: (_, generation) => this.announced.push(generation),
      onChildEnd: (end) => this.ends.push(end),
    });
  }

  get latest(): ScriptedChild {
    return this.children.at(-1) as ScriptedChild;
  }
}

/** Everything that can be seen must be as the model says, after every step. */
function compare(model: Model, { keeper, clock, children, announced, ends, latest }: Bench): void {
  const { state, generation, recentFailures, nextStartMs, breaker } = keeper.status;
  expect({ state, generation, recentFailures }).toEqual({
    state: model.state,
    generation: model.generation,
    recentFailures: model.recent,
  });
  const numbers = Array.from({ length: generation }, (_, index) => index + 1);
  expect([children.map((child) => child.generation), announced]).toEqual([numbers, numbers]);
  // One child at most, and the keeper knows exactly that one.
  const living = children.filter((child) => !child.hasEnded);
  expect(keeper.child === undefined ? [] : [keeper.child]).toEqual(living);
  expect(living.length).toBe(state === 'running' || state === 'closing' ? 1 : 0);
  if (living.length === 1) expect(living[0]).toBe(latest);
  expect(ends.map((end) => end.generation)).toEqual(numbers.slice(0, model.ends));
  expect(clock.pendingTimers).toBe(state === 'backing-off' ? 1 : 0);
  expect(breaker !== undefined).toBe(state === 'breaker-open');
  if (state === 'backing-off') {
    const dueAt = model.now + (nextStartMs ?? Number.NaN);
    expect(dueAt).toBeGreaterThanOrEqual(model.dueBetween[0]);
    expect(dueAt).toBeLessThanOrEqual(model.dueBetween[1]);
  }
}

type Step = fc.AsyncCommand<Model, Bench>;

function step(
  name: string,
  possible: (model: Model) => boolean,
  run: (model: Model, bench: Bench) => void,
): Step {
  return {
    toString: () => name,
    check: possible,
    async run(model, bench) {
      run(model, bench);
      await settled();
      compare(model, bench);
    },
  };
}

const REASONS: readonly CloseReason[] = [
  { kind: 'exit', exitCode: 1, signal: null, stderrTail: 'boom' },
  { kind: 'exit', exitCode: 0, signal: null },
  { kind: 'exit', exitCode: null, signal: 'SIGKILL' },
  { kind: 'error', error: new Error('not found') },
  { kind: 'peer-closed', exitCode: null, signal: 'SIGTERM' },
];

const lives = ({ state }: Model): boolean => state === 'running' || state === 'closing';

const crash = fc
  .record({ reason: fc.constantFrom(...REASONS), chance: fc.double({ min: 0, max: 0.999, noNaN: true }) })
  .map(({ reason, chance }) =>
    step(`crash(${reason.kind})`, lives, (model, { clock, latest }) => {
      clock.chance = chance;
      model.childEnds(false);
      latest.end(reason);
    }),
  );

const ownerCloses = fc.constant(
  step('child.close()', lives, (model, { latest }) => {
    model.childEnds(true);
    latest.close();
    if (!latest.hasEnded) latest.end({ kind: 'closed', exitCode: null, signal: 'SIGKILL' });
  }),
);

/** Time passes to a moment just before, at or after something happens, or by any amount. */
const wait = fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.constantFrom(-1, 0, 1)).map(
  (chosen): Step => ({
    toString: () => `wait(${chosen})`,
    check: () => true,
    async run(model, bench) {
      const { nextStartMs } = bench.keeper.status;
      const ms = chosen <= 1 ? Math.max(0, (nextStartMs ?? model.setup.restartResetMs) + chosen) : chosen;
      await bench.clock.pass(ms);
      if (nextStartMs !== undefined && ms >= nextStartMs) {
        model.now += nextStartMs;
        model.starts();
        model.now += ms - nextStartMs;
      } else model.now += ms;
      compare(model, bench);
    },
  }),
);

const reset = fc.constant(
  step(
    'reset()',
    () => true,
    (model, { keeper }) => {
      model.resets();
      keeper.reset();
    },
  ),
);

/** Everything that is over tells it again. */
const late = fc.constant<Step>({
  toString: () => 'late events',
  check: () => true,
  async run(model, bench) {
    for (const child of bench.children)
      if (child.hasEnded) child.end({ kind: 'exit', exitCode: 99, signal: null });
    await bench.clock.fireLate();
    compare(model, bench);
  },
});

function leave(name: string, how: (bench: Bench) => void): fc.Arbitrary<Step> {
  return fc.constant(
    step(
      name,
      () => true,
      (model, bench) => {
        const before = model.state;
        model.closes();
        how(bench);
        if (before === 'running' && bench.latest.endsWhenClosed) model.childEnds(true);
      },
    ),
  );
}

const close = leave('close()', ({ keeper }) => {
  keeper.close();
});
const abort = leave('abort', ({ controller }) => controller.abort());

const setups: fc.Arbitrary<Setup> = fc.record({
  restart: fc.constantFrom<RestartMode>('on-failure', 'on-failure', 'always', 'always', 'never'),
  restartDelayMs: fc.constantFrom(0, 1, 250, 5000),
  restartMaxDelayMs: fc.constantFrom(5000, 30_000),
  restartJitterPercent: fc.constantFrom(0, 20, 100),
  restartResetMs: fc.constantFrom(0, 100, 30_000),
  breakerFailures: fc.integer({ min: 1, max: 6 }),
  breakerWindowMs: fc.constantFrom(0, 1000, 60_000),
});

const steps = fc.commands([crash, crash, crash, ownerCloses, wait, wait, wait, reset, late, close, abort], {
  maxCommands: 40,
});

test('whatever happens in whatever order, a keeper does what its rules say: one child at most, in time, and none after the end', async () => {
  const seen = { restarts: 0, breakers: 0, ends: 0 };
  await fc.assert(
    fc.asyncProperty(setups, steps, async (setup, commands) => {
      const bench = new Bench(setup);
      await settled();
      const model = new Model(setup);
      await fc.asyncModelRun(() => ({ model, real: bench }), commands);
      if (bench.children.length > 1) seen.restarts++;
      if (bench.ends.some(({ next }) => next.kind === 'breaker-open')) seen.breakers++;
      if (bench.keeper.status.state === 'closed') seen.ends++;
      // Whatever state it is in, it can be ended, and leaves nothing.
      const over = bench.keeper.close();
      if (bench.keeper.child !== undefined && !bench.latest.hasEnded) bench.latest.end({ kind: 'closed' });
      await over;
      expect([bench.clock.pendingTimers, bench.keeper.child]).toEqual([0, undefined]);
    }),
    { interruptAfterTimeLimit: 4000, numRuns: 1500 },
  );
  // The steps must lead somewhere, else nothing was compared.
  expect(Math.min(seen.restarts, seen.breakers, seen.ends)).toBeGreaterThan(5);
});
