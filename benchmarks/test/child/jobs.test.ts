import { describe, expect, it } from 'vitest';
import { runJob } from '../../src/child/jobs.ts';
import { type CodecSide, codecSides } from '../../src/codec-sides.ts';

const engines = ['scalar', 'wasm'] as const;

describe.each(engines)('with the %s engine', (engine) => {
  it.each(['push', 'commit'] as const)(
    'garbage is counted over whole passes when bytes go in by %s',
    async (feed) => {
      const outcome = await runJob({ kind: 'garbage', engine, feed, frameCount: 20_000 });
      // 9,823 messages a pass.
      expect(outcome).toMatchObject({ frames: 29_469 });
      for (const key of ['scavenges', 'others', 'allocatedBytes'])
        expect(outcome).toHaveProperty(key, expect.any(Number));
    },
  );

  it('first use gives a time', async () => {
    const { ms } = await runJob({ kind: 'first-use', engine });
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(1000);
  });
});

describe('a corpus job', () => {
  it.each([
    'newline',
    'frames',
    'envelope',
    'full',
    'route',
    'decode',
    'scalarEnvelope',
    'scalarFull',
    'parse',
  ] as const)('sees every message by %s', async (side) => {
    const outcome = await runJob({ kind: 'corpus', corpus: 'calls-thai', side, timeMs: 5 });
    expect(outcome.messageCount).toBe(8841);
    expect(outcome.passCount).toBeGreaterThanOrEqual(5);
  });
});

describe('a codec job', () => {
  it.each(Object.keys(codecSides) as CodecSide[])('sees every message by %s', async (side) => {
    const corpus = 'repeated-calls-thai';
    const outcome = await runJob({ kind: 'codec', corpus, side, targetBytes: 200_000, timeMs: 5 });
    expect(outcome.messageCount).toBeGreaterThan(500);
    expect(outcome.passCount).toBeGreaterThanOrEqual(2);
    expect(outcome.medianNs).toBeGreaterThan(0);
  });

  it.each(['parse', 'payload'] as const)('sees frames that outgrow the window by %s', async (side) => {
    const outcome = await runJob({ kind: 'codec', corpus: '1mb', side, targetBytes: 1, timeMs: 5 });
    expect(outcome.messageCount).toBe(1);
  });
});
