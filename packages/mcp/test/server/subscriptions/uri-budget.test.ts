import { expect, it } from 'vitest';
import { UriBudget } from '../../../src/server/subscriptions/uri-budget.ts';

const mebibyte = 1024 * 1024;

it('long URIs are bounded by their length, short ones by their number, and what is given back can be taken again', () => {
  const long = new UriBudget();
  expect(long.take('x'.repeat(4 * mebibyte))).toBe(false);
  expect(long.take('x'.repeat(3 * mebibyte))).toBe(true);
  expect(long.take('x'.repeat(mebibyte))).toBe(false);
  long.giveBack('x'.repeat(3 * mebibyte));
  expect(long.take('x'.repeat(2 * mebibyte))).toBe(true);

  const short = new UriBudget();
  let taken = 0;
  while (short.take('a:') && taken < 1_000_000) taken++;
  expect(taken).toBeGreaterThan(50_000);
  expect(taken).toBeLessThan(70_000);
});
