import { expect, it, vi } from 'vitest';
import { environmentVariable } from '../src/environment.ts';

it('a variable is read when it is asked for', () => {
  vi.stubEnv('LINEWIRE_TEST', 'one');
  expect(environmentVariable('LINEWIRE_TEST')).toBe('one');
  vi.stubEnv('LINEWIRE_TEST', 'two');
  expect(environmentVariable('LINEWIRE_TEST')).toBe('two');
});

it('a variable is undefined where there is no process, no environment, or no permission to read it', () => {
  const forbidden = {
    get env(): never {
      throw new Error('requires env access');
    },
  };
  for (const process of [undefined, {}, forbidden]) {
    vi.stubGlobal('process', process);
    const value = environmentVariable('PATH');
    vi.unstubAllGlobals();
    expect(value).toBeUndefined();
  }
});
