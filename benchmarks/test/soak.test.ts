import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSoakOptions } from '../src/options.ts';
import { isClean, runSoak, type SoakResult, writeSoakResult } from '../src/soak/soak.ts';
import { soakKinds } from '../src/soak/soak-kinds.ts';

const small = await runSoak({ kills: 2 * soakKinds.length, lanes: 3, seed: 7 });

describe('a soak', () => {
  it('kills children of every kind, hears them before, and finds nothing wrong or left', () => {
    expect(small).toMatchObject({ kills: 2 * soakKinds.length, faults: [], leakedProcesses: 0 });
    expect(Object.values(small.killsByKind)).toEqual(soakKinds.map(() => 2));
    expect(small.frames).toBeGreaterThan(0);
    expect(isClean(small)).toBe(true);
  });

  it.each([
    'faultCount',
    'leakedProcesses',
    'leakedDescriptors',
    'leakedResources',
    'leakedListeners',
  ] as const)('with %s is not clean', (name) => {
    expect(isClean({ ...small, [name]: 1 } as SoakResult)).toBe(false);
  });

  it('leaves a file with its commit and command, kept by git when it was a whole one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'linewire-soak-'));
    try {
      const path = writeSoakResult(small, folder);
      expect(basename(path)).toMatch(/^part-soak-.*\.json$/);
      const read = JSON.parse(readFileSync(path, 'utf8')) as SoakResult;
      expect(read.command).toBe(`npm run soak -- --kills ${2 * soakKinds.length} --lanes 3 --seed 7`);
      expect(read.machine.commit).toMatch(/^[0-9a-f]{12}$|^unknown$/);
      expect(basename(writeSoakResult({ ...small, kills: 10_000 }, folder))).toMatch(/^soak-/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('takes its size from the command line', () => {
    expect(parseSoakOptions([])).toEqual({ kills: 10_000, lanes: 8, seed: 1 });
    expect(parseSoakOptions(['--kills', '20', '--lanes', '2', '--seed', '3'])).toEqual({
      kills: 20,
      lanes: 2,
      seed: 3,
    });
    for (const bad of ['0', '-1', '1.5', 'many']) expect(() => parseSoakOptions(['--kills', bad])).toThrow();
  });
});
