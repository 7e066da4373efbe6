import type { IdKey } from '@linewire/framing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Call } from '../../../src/server/run/call.ts';
import { RunningCalls } from '../../../src/server/run/running-calls.ts';

/** Small ones, ones that share their last ten bits, negative and huge ones, and strings. */
const keys: fc.Arbitrary<IdKey> = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.integer({ min: 0, max: 3 }).map((n) => 7 + n * 1024),
  fc.constantFrom(2 ** 31, 2 ** 32 + 7, 2 ** 53 - 1, -(2 ** 53) + 1),
  fc.constantFrom('"7', '"', 'n1e400'),
);

it('running calls are a map by id, whatever ids come and go', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), keys), { maxLength: 200 }), (steps) => {
      const model = new Map<IdKey, Call>();
      const calls = new RunningCalls();
      for (const [adds, key] of steps) {
        if (adds && !model.has(key)) {
          const call = {} as Call;
          model.set(key, call);
          calls.add(key, call);
        } else {
          model.delete(key);
          calls.delete(key);
        }
        expect(calls.size).toBe(model.size);
        for (const [, looked] of steps) expect(calls.get(looked)).toBe(model.get(looked));
        expect(new Set(calls.values())).toEqual(new Set(model.values()));
      }
    }),
  );
});
