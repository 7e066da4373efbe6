import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ProcessGroup } from '../../src/child/process-group.ts';

const sent: [number, string | number | undefined][] = [];

beforeEach(() => {
  sent.length = 0;
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    sent.push([pid, signal]);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a number of the system is signalled', () => {
  test('as a group while its leader has not been collected, once in the tick in which it was, and never later', () => {
    const group = new ProcessGroup(123, 'own');
    group.signal('SIGTERM');
    group.endInExitTick();
    group.signal('SIGKILL');
    group.endInExitTick();
    expect(sent).toEqual([
      [-123, 'SIGTERM'],
      [-123, 'SIGKILL'],
    ]);
  });

  test('as a process in our own group, and not at all once it has been collected', () => {
    const group = new ProcessGroup(123, 'inherit');
    group.signal('SIGTERM');
    group.endInExitTick();
    group.signal('SIGKILL');
    expect(sent).toEqual([[123, 'SIGTERM']]);
  });

  test('though nobody is there any more', () => {
    vi.mocked(process.kill).mockImplementation(() => {
      throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
    });
    expect(() => new ProcessGroup(123, 'own').signal('SIGTERM')).not.toThrow();
  });
});
