import { describe, expect, it } from 'vitest';
import { runModuleJob } from '../../src/child/module-child.ts';

describe('the module job', () => {
  it('tells the size of what the first reader has compiled, and refuses to call nothing a size', () => {
    const { moduleBytes } = runModuleJob();
    expect(moduleBytes).toBeGreaterThan(1000);
    expect(() => runModuleJob()).toThrow('no module compiled');
  });
});
