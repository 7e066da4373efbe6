import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codecCases } from '../src/codec-cases.ts';
import { parseBenchOptions } from '../src/options.ts';
import { bareLoop, peers } from '../src/process-sides.ts';
import { plannedCases } from '../src/run.ts';
import { ownRuntime } from '../src/runtimes.ts';

const names = (...args: string[]): string[] =>
  plannedCases(parseBenchOptions(args), [ownRuntime]).map(({ group, name }) => `${group}/${name}`);

describe('the planned cases', () => {
  it('have names of their own', () => {
    expect(new Set(names()).size).toBe(names().length);
  });

  it('are fewer in a quick run, which keeps every kind', () => {
    expect(names('--quick').length).toBeLessThan(names().length);
    expect([...new Set(names('--quick').map((name) => name.split('/')[0]))]).toEqual([
      'process',
      'mcp',
      'through',
      'transport',
      'micro',
      'codec',
      'validation',
      'garbage',
      'load',
      'linear',
      'memory',
    ]);
  });

  it('measure the codec on each of its corpora once, its reference among the sides', () => {
    expect(names('--only', 'codec/')).toHaveLength(codecCases.length);
    for (const { sides, reference } of codecCases) expect(sides).toContain(reference);
  });

  it('are chosen by a part of their name', () => {
    expect(names('--only', 'micro/calls')).toEqual(['micro/calls', 'micro/calls-thai']);
    expect(names('--only', 'linear/')).toHaveLength(2);
    expect(names('--only', 'nothing like it')).toEqual([]);
  });

  it('run commands that are there', () => {
    for (const { command } of [bareLoop, ...peers]) expect(existsSync(command[1] as string)).toBe(true);
  });
});

describe('the options', () => {
  it('refuse what they do not know', () => {
    expect(() => parseBenchOptions(['--fast'])).toThrow('--fast');
  });
});
