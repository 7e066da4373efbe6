import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CloseLadder } from '../../src/child/close-ladder.ts';

const signals: string[] = [];
const child = { kill: (signal: string): boolean => signals.push(signal) > 0 };

beforeEach(() => {
  signals.length = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a ladder sends SIGTERM and SIGKILL after their times, once each, however often it is begun', () => {
  const ladder = new CloseLadder(child, { closeTimeoutMs: 100, termTimeoutMs: 50 });
  ladder.begin();
  vi.advanceTimersByTime(99);
  ladder.begin();
  expect(signals).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(signals).toEqual(['SIGTERM']);
  vi.advanceTimersByTime(50);
  expect(signals).toEqual(['SIGTERM', 'SIGKILL']);
  vi.advanceTimersByTime(10_000);
  expect(signals).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('a ladder that is stopped sends nothing and leaves no timer', () => {
  const ladder = new CloseLadder(child, { closeTimeoutMs: 100, termTimeoutMs: 50 });
  ladder.begin();
  ladder.stop();
  ladder.begin();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(signals).toEqual([]);
});
