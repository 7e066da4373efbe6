import { expect, test, vi } from 'vitest';
import { readWay } from '../../src/reading/capabilities.ts';

test('LINEWIRE_READING=data turns onread into data events where no option says otherwise, and leaves files alone', () => {
  expect(readWay('pipe')).toBe('onread');
  vi.stubEnv('LINEWIRE_READING', 'data');
  expect(readWay('pipe')).toBe('data');
  expect(readWay('socket')).toBe('data');
  expect(readWay('file')).toBe('file');
  expect(readWay('pipe', 'auto')).toBe('onread');
  vi.unstubAllEnvs();
});
