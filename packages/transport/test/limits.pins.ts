import { expect, test } from 'vitest';
import { limits, TRANSPORT_CODES } from '../src/index.ts';
import { limitValue, waterMarks } from '../src/limits.ts';

test('the defaults and ranges of the limits are these', () => {
  const rows = Object.entries(limits).map(([name, limit]) => [
    name,
    limit.default,
    limit.min,
    limit.max,
    limit.unit,
  ]);
  expect(rows).toEqual([
    ['highWaterBytes', 1_048_576, 0, 2_147_483_647, 'bytes'],
    ['lowWaterBytes', 262_144, 0, 2_147_483_647, 'bytes'],
    ['reservedBytes', 65_536, 0, 2_147_483_647, 'bytes'],
    ['maxParkedBytes', 4_194_304, 0, 2_147_483_647, 'bytes'],
    ['exitFlushMs', 2000, 0, 2_147_483_647, 'ms'],
    ['closeTimeoutMs', 2000, 0, 2_147_483_647, 'ms'],
    ['termTimeoutMs', 2000, 0, 2_147_483_647, 'ms'],
    ['exitDrainMs', 250, 0, 2_147_483_647, 'ms'],
    ['stderrTailBytes', 16_384, 0, 2_147_483_647, 'bytes'],
    ['restartDelayMs', 250, 0, 2_147_483_647, 'ms'],
    ['restartMaxDelayMs', 30_000, 0, 2_147_483_647, 'ms'],
    ['restartJitterPercent', 20, 0, 100, 'percent'],
    ['restartResetMs', 30_000, 0, 2_147_483_647, 'ms'],
    ['breakerFailures', 5, 1, 1_000_000, 'failures'],
    ['breakerWindowMs', 60_000, 0, 2_147_483_647, 'ms'],
  ]);
});

test('the codes are these', () => {
  expect(Object.keys(TRANSPORT_CODES)).toEqual([
    'ALREADY_STARTED',
    'SEND_AFTER_CLOSE',
    'SEND_NOT_ONE_FRAME',
    'OPTION_RANGE',
    'OPTION_INVALID',
    'STDIO_IN_USE',
    'STDIN_TAKEN',
    'LAUNCHER_INVALID',
    'READ_FAILED',
    'WRITE_FAILED',
    'OVERLOADED',
    'PEER_CLOSED',
    'CONNECT_FAILED',
    'LISTEN_FAILED',
    'ABORTED',
    'SPAWN_NOT_FOUND',
    'SPAWN_CWD',
    'SPAWN_FAILED',
    'SPAWN_REFUSED',
    'BREAKER_OPEN',
  ]);
});

test('a limit takes both ends of its range and nothing beyond, no fraction and no other type', () => {
  for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
    const { min, max } = limits[name];
    expect([limitValue(name, min), limitValue(name, max)]).toEqual([min, max]);
    for (const wrong of [
      min - 1,
      max + 1,
      1.5,
      Number.NaN,
      Infinity,
      '1' as unknown as number,
      null as unknown as number,
    ]) {
      expect(() => limitValue(name, wrong)).toThrow(expect.objectContaining({ code: 'OPTION_RANGE' }));
    }
  }
});

test('a high water below the default low water pulls it down, and two given ones must be in order', () => {
  expect(waterMarks({ highWaterBytes: 1000 })).toEqual({
    highWaterBytes: 1000,
    lowWaterBytes: 1000,
    reservedBytes: 65_536,
  });
  expect(() => waterMarks({ highWaterBytes: 1000, lowWaterBytes: 1001 })).toThrow(
    expect.objectContaining({ code: 'OPTION_RANGE', limit: 1000, actual: 1001 }),
  );
});
