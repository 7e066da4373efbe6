import { describe, expect, it } from 'vitest';
import { SlotTrial } from '../../support/slots.ts';

describe('two writers of one shape in one slot', () => {
  it.each([
    ['{"a":1,"b":"x"}', '{"a": 1, "b": "x"}'],
    ['{"a": 1, "b": "x"}', '{"a":1,"b":"x"}'],
    ['{"a":  true}', '{"a": false}'],
    ['{"a":["x"]}', '{"a":[ "x" ]}'],
  ])('are both known, whoever came first: %s and %s', (one, other) => {
    const trial = new SlotTrial();
    for (let i = 0; i < 50; i++) {
      trial.feed(one);
      trial.feed(other);
    }
    expect(trial.stats.misses).toBeLessThan(4);
    expect(trial.stats.hits).toBeGreaterThan(95);
  });
});
