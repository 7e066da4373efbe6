import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newestFullResult, writeResult } from '../src/results.ts';
import { exampleRun } from './example-run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'linewire-results-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('result files', () => {
  it('come back as they were written', () => {
    const run = exampleRun();
    const path = writeResult(run, folder);
    expect(basename(path)).toBe('full-2026-01-02T03-04-05.json');
    expect(newestFullResult(folder)?.result).toEqual(run);
  });

  it('are rendered from the newest full run; quick, partial and unfit ones are no candidates', () => {
    const run = exampleRun();
    writeResult(run, folder);
    writeResult({ ...run, startedAt: '2026-01-03T00:00:00.000Z' }, folder);
    writeResult({ ...run, startedAt: '2026-01-04T00:00:00.000Z', kind: 'quick' }, folder);
    writeResult({ ...run, startedAt: '2026-01-05T00:00:00.000Z', only: 'micro' }, folder);
    writeResult({ ...run, startedAt: '2026-01-06T00:00:00.000Z', fit: false }, folder);
    expect(newestFullResult(folder)?.name).toBe('full-2026-01-03T00-00-00.json');
  });

  it('are none in an empty folder', () => {
    expect(newestFullResult(folder)).toBeUndefined();
  });
});
