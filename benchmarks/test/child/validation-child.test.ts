import { describe, expect, it } from 'vitest';
import { runJob } from '../../src/child/jobs.ts';
import { validationFrames } from '../../src/child/validation-frames.ts';
import { simdjsonIsBuilt, validationCases } from '../../src/validation-case.ts';
import { type ValidationSide, validationName } from '../../src/validation-sides.ts';

describe('the frames of the validation cases', () => {
  const cases = validationCases(false)
    .filter(({ frameBytes }) => frameBytes <= 1_000_000)
    .map((planned) => ({ ...planned, name: validationName(planned) }));

  it.each(cases)('hold $name, in JSON, each different', ({ content, frameBytes }) => {
    const frames = validationFrames({ content, frameBytes });
    for (const frame of frames) {
      expect(frame.length).toBeLessThanOrEqual(frameBytes + 1);
      expect(frame.length).toBeGreaterThan(frameBytes * 0.9);
      expect(frame.indexOf(10)).toBe(frame.length - 1);
      JSON.parse(frame.toString());
    }
    expect(new Set(frames.map(String)).size).toBe(frames.length);
  });
});

const sides: readonly ValidationSide[] = ['parse', 'simdjson', 'full'];

describe('a validation job', () => {
  for (const side of sides) {
    const isMissing = side === 'simdjson' && !simdjsonIsBuilt();
    const skipped = isMissing ? ' (SKIPPED: the addon of simdjson is not built)' : '';

    it.skipIf(isMissing)(`finds every frame good by ${side}, short and long${skipped}`, async () => {
      const short = { kind: 'validation', content: 'Thai', frameBytes: 1000, side, timeMs: 5 } as const;
      expect(await runJob(short)).toMatchObject({ frameCount: 1000, passCount: expect.any(Number) });
      const long = { ...short, content: 'records', frameBytes: 1_000_000 } as const;
      expect(await runJob(long)).toMatchObject({ frameCount: 1, passCount: expect.any(Number) });
    });
  }
});
