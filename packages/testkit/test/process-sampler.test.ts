import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitReportEnv, type ProcessUsage, readExitReport, sampleProcess } from '../src/index.ts';

// Touches 120 MiB, drops nothing, and works for at least 300 ms of CPU time.
const work = `
  const block = Buffer.alloc(120 << 20, 1);
  while (process.cpuUsage().user < 300_000);
  setTimeout(() => process.exit(block[0] - 1), 50);
`;

function expectTheWork(usage: ProcessUsage): void {
  expect(usage.wallMs).toBeGreaterThan(300);
  expect(usage.userMs).toBeGreaterThanOrEqual(250);
  expect(usage.userMs).toBeLessThan(5000);
  expect(usage.systemMs).toBeGreaterThanOrEqual(0);
  expect(usage.peakRssBytes).toBeGreaterThan(120 << 20);
  expect(usage.peakRssBytes).toBeLessThan(400 << 20);
}

describe('the process sampler', () => {
  it.runIf(process.platform === 'linux')(
    'sees CPU time and peak memory of a child while it lives',
    async () => {
      const child = spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
      const sampler = sampleProcess(child.pid as number);
      await once(child, 'exit');
      const usage = sampler.stop();
      expect(usage.method).toBe('poll');
      expectTheWork(usage);
      expect(sampler.stop()).toBe(usage);
    },
  );

  it('knows the wall time of a process it cannot see', () => {
    const usage = sampleProcess(2 ** 30).stop();
    expect(usage).toMatchObject({ method: 'none', userMs: undefined, peakRssBytes: undefined });
  });

  it('reads the exact numbers that a Node process leaves at its exit, once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linewire exit report '));
    try {
      const reportPath = join(folder, 'usage.json');
      const child = spawn(process.execPath, ['-e', work], {
        stdio: 'ignore',
        env: { ...process.env, ...exitReportEnv(reportPath) },
      });
      expect(await once(child, 'exit')).toEqual([0, null]);
      const usage = readExitReport(reportPath) as ProcessUsage;
      expect(usage.method).toBe('exit');
      expectTheWork(usage);
      expect(readExitReport(reportPath)).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
