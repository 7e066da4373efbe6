import { describe, expect, it, vi } from 'vitest';
import { environmentVariable } from '../src/environment.ts';

it('a variable is read when it is asked for', () => {
  vi.stubEnv('LINEWIRE_TEST', 'one');
  expect(environmentVariable('LINEWIRE_TEST')).toBe('one');
  vi.stubEnv('LINEWIRE_TEST', 'two');
  expect(environmentVariable('LINEWIRE_TEST')).toBe('two');
});

describe('a variable is undefined', () => {
  it.each([undefined, {}])('where there is no environment', (process) => {
    vi.stubGlobal('process', process);
    const value = environmentVariable('PATH');
    vi.unstubAllGlobals();
    expect(value).toBeUndefined();
  });

  it.each(['prompt', 'denied'])('where Deno has not granted it, and Deno is not made to ask: %s', (state) => {
    vi.stubEnv('LINEWIRE_TEST', 'one');
    const querySync = vi.fn(() => ({ state }));
    vi.stubGlobal('Deno', { permissions: { querySync } });
    expect(environmentVariable('LINEWIRE_TEST')).toBeUndefined();
    expect(querySync).toHaveBeenCalledWith({ name: 'env', variable: 'LINEWIRE_TEST' });
    querySync.mockReturnValue({ state: 'granted' });
    expect(environmentVariable('LINEWIRE_TEST')).toBe('one');
  });
});
