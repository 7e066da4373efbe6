import { beforeEach, expect, it, vi } from 'vitest';

// Modules anew: a thread that has decoded nothing.
beforeEach(() => vi.resetModules());

it('the first 1,024 payloads and frames of a thread go to JSON.parse, whoever reads them; from then on slots learn', async () => {
  const { createFrameReader } = await import('../../src/reader/reader.ts');
  const values: unknown[] = [];
  const readers = [0, 1].map(() =>
    createFrameReader({
      onFrames(batch) {
        for (let i = 0; i < batch.count; i++) values.push(batch.payload(i), batch.value(i));
      },
    }),
  );
  const counted = (): number[] => {
    const all = readers.map((reader) => reader.stats().decoding);
    return [all.reduce((sum, { passed }) => sum + passed, 0), all.reduce((sum, { hits }) => sum + hits, 0)];
  };
  const send = (n: number): void => {
    const line = `{"jsonrpc":"2.0","id":${n},"method":"m","params":{"n":${n}}}\n`;
    readers[n % 2]?.push(new TextEncoder().encode(line));
  };
  for (let n = 0; n < 512; n++) send(n);
  expect(counted()).toEqual([1024, 0]);
  for (let n = 512; n < 1024; n++) send(n);
  expect(counted()).toEqual([1024, 2 * 512 - 4]);
  for (let n = 0; n < 1024; n++) {
    expect(values[2 * n]).toEqual({ n });
    expect(values[2 * n + 1]).toEqual({ jsonrpc: '2.0', id: n, method: 'm', params: { n } });
  }
});
