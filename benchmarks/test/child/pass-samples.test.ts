import { describe, expect, it } from 'vitest';
import { samplePasses } from '../../src/child/pass-samples.ts';

/** A pass that says it took so long, each time the next of the list, the last one for ever. */
function passOf(...times: number[]): () => { ms: number; messageCount: number } {
  let at = 0;
  return () => ({ ms: times[Math.min(at++, times.length - 1)] as number, messageCount: 7 });
}

describe('sampling passes', () => {
  it('leaves out what was spent on warming up, and counts what the passes say of themselves', () => {
    const { medianNs, passCount } = samplePasses(passOf(9, 1, 2), 7, 10);
    expect(medianNs).toBe(2e6);
    expect(passCount).toBe(5);
  });

  it('goes on until the time is over', () => {
    expect(samplePasses(passOf(1), 7, 100).passCount).toBe(100);
  });

  it('repeats a pass that takes longer than all the time only twice', () => {
    expect(samplePasses(passOf(500), 7, 100).passCount).toBe(2);
  });

  it('refuses passes that miss messages, and such as measure the clock', () => {
    expect(() => samplePasses(passOf(1), 8, 10)).toThrow('saw 7 of 8 messages');
    expect(() => samplePasses(passOf(0.01), 7, 10)).toThrow('takes only 0.01 ms');
  });
});
