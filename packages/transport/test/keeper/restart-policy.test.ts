import { expect, test } from 'vitest';
import { type RestartOptions, RestartPolicy } from '../../src/keeper/restart-policy.ts';

/** Delays after failures that follow each other at once, without jitter. */
function delays(count: number, options: RestartOptions, uptimeMs = 0): (number | undefined)[] {
  const policy = new RestartPolicy({ breakerFailures: 1_000_000, ...options });
  return Array.from({ length: count }, () => policy.failed(0, uptimeMs, 0.5));
}

test('the delay doubles from 250 ms to 30 s', () => {
  expect(delays(10, {})).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

test('a delay of zero stays zero, and a first delay above the default cap is its own cap', () => {
  expect(delays(3, { restartDelayMs: 0 })).toEqual([0, 0, 0]);
  expect(delays(3, { restartDelayMs: 45_000 })).toEqual([45_000, 45_000, 45_000]);
});

test('no number of failures and no cap makes a delay that a timer cannot hold', () => {
  const policy = new RestartPolicy({
    breakerFailures: 1_000_000,
    breakerWindowMs: 0,
    restartJitterPercent: 100,
    restartMaxDelayMs: 2 ** 31 - 1,
  });
  let now = 0;
  let last: number | undefined = 0;
  for (let failure = 0; failure < 2000; failure++) last = policy.failed(now++, 0, 0.999_999);
  expect(last).toBe(2 ** 31 - 1);
});

test('jitter moves a delay by at most 20 % either way, the cap included', () => {
  for (const [chance, first, capped] of [
    [0, 200, 24_000],
    [0.25, 225, 27_000],
    [0.5, 250, 30_000],
    [0.75, 275, 33_000],
  ] as const) {
    const policy = new RestartPolicy({ breakerFailures: 100 });
    expect(policy.failed(0, 0, chance)).toBe(first);
    for (let failure = 0; failure < 20; failure++) policy.failed(0, 0, chance);
    expect(policy.failed(0, 0, chance)).toBe(capped);
  }
});

test('the fifth failure within a minute is the last, and one that is over a minute old does not count', () => {
  const atOnce = new RestartPolicy({});
  expect([0, 1, 2, 3, 60_000].map((now) => atOnce.failed(now, 0, 0.5) === undefined)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  const spread = new RestartPolicy({});
  expect([0, 1, 2, 3, 60_001].map((now) => spread.failed(now, 0, 0.5) === undefined)).toEqual(
    Array(5).fill(false),
  );
  expect(spread.recentFailures(60_001, undefined)).toBe(4);
});

test('uptime of 30 s forgets earlier failures, one millisecond less does not, and the forgetting shows while it is up', () => {
  const policy = new RestartPolicy({});
  policy.failed(0, 0, 0.5);
  expect(policy.failed(30_000, 29_999, 0.5)).toBe(500);
  expect([policy.recentFailures(30_000, 29_999), policy.recentFailures(30_000, 30_000)]).toEqual([2, 0]);
  expect(policy.failed(60_000, 30_000, 0.5)).toBe(250);
  expect(policy.recentFailures(60_000, undefined)).toBe(1);
});

test('the cap must not be below the first delay', () => {
  expect(() => new RestartPolicy({ restartDelayMs: 100, restartMaxDelayMs: 99 })).toThrow(
    expect.objectContaining({ code: 'OPTION_RANGE', limit: 100, actual: 99 }),
  );
});
