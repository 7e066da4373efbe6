import { describe, expect, it } from 'vitest';
import { BusyMachineError, type Busyness, isBusy, sampleBusyness, waitForQuiet } from '../src/quiet.ts';

const quiet: Busyness = { cpuShare: 0.02, load: 0.3, cores: 2 };
const busy: Busyness = { cpuShare: 0.6, load: 0.3, cores: 2 };

/** Looks in the given order, the last one for ever. */
function looks(...list: Busyness[]): { sample: () => Promise<Busyness>; count: () => number } {
  let at = 0;
  return { sample: async () => list[Math.min(at++, list.length - 1)] as Busyness, count: () => at };
}

describe('a machine is busy', () => {
  it('when cores work on something else, or when its load says that a crowd is waiting', () => {
    expect(isBusy(quiet)).toBe(false);
    expect(isBusy(busy)).toBe(true);
    expect(isBusy({ ...quiet, load: 3.5 })).toBe(true);
    expect(isBusy({ ...quiet, load: 3.5, cores: 16 })).toBe(false);
  });
});

describe('waiting for quiet', () => {
  it('goes on at once on a quiet machine', async () => {
    const { sample, count } = looks(quiet);
    expect(await waitForQuiet(false, 10, sample, 0)).toBe(true);
    expect(count()).toBe(1);
  });

  it('waits for others to end', async () => {
    const { sample, count } = looks(busy, busy, quiet);
    expect(await waitForQuiet(false, 10, sample, 0)).toBe(true);
    expect(count()).toBe(3);
  });

  it('refuses a machine that stays busy, and says what it saw', async () => {
    const { sample, count } = looks(busy);
    const refusal = waitForQuiet(false, 4, sample, 0);
    await expect(refusal).rejects.toThrow(BusyMachineError);
    await expect(refusal).rejects.toThrow(/60 % of 2 cores.*--force/);
    expect(count()).toBe(4);
  });

  it('does not wait when forced, and tells that the rows are unfit', async () => {
    const { sample, count } = looks(busy);
    expect(await waitForQuiet(true, 10, sample, 0)).toBe(false);
    expect(count()).toBe(1);
  });

  it('forced on a quiet machine, gives fit rows', async () => {
    expect(await waitForQuiet(true, 10, looks(quiet).sample, 0)).toBe(true);
  });
});

describe('the sampler', () => {
  it('gives a share between 0 and 1', async () => {
    const { cpuShare, cores } = await sampleBusyness(50);
    expect(cpuShare).toBeGreaterThanOrEqual(0);
    expect(cpuShare).toBeLessThanOrEqual(1);
    expect(cores).toBeGreaterThan(0);
  });
});
