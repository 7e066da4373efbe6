import { describe, expect, it } from 'vitest';
import { median, noiseBand, quantile } from '../src/statistics.ts';

describe('median and quantile', () => {
  it('give the middle value, and the mean of the middle two for an even count', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it('leave the list as it was', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('interpolate between ranks', () => {
    expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
    expect(quantile([5, 1, 3], 0)).toBe(1);
    expect(quantile([5, 1, 3], 1)).toBe(5);
  });

  it('refuse an empty list', () => {
    expect(() => median([])).toThrow('no values');
  });
});

describe('the noise band', () => {
  it('is zero when a side measures the same twice', () => {
    expect(noiseBand([100, 110, 90], [100, 110, 90])).toBe(0);
  });

  it('sees medians that differ', () => {
    expect(noiseBand([105, 105, 105], [100, 100, 100])).toBeCloseTo(0.05);
  });

  it('sees turns that differ although the medians agree', () => {
    expect(noiseBand([90, 100, 110, 100], [110, 100, 90, 100])).toBeGreaterThan(0.04);
  });

  it('refuses unpaired turns', () => {
    expect(() => noiseBand([1, 2], [1])).toThrow('turns');
  });
});
