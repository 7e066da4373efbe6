import { expect, it, vi } from 'vitest';

it.each([
  ['11.3.244.8-node.38', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['13.6.233.10-node.28', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['13.8.1', 12, 200],
  ['14.6.202.34-node.40', 12, 200],
  [undefined, 12, 200],
])(
  'with V8 %s, values up to %d members and strings up to %d units are written here',
  async (v8, nodes, units) => {
    vi.stubGlobal('process', { ...process, versions: { v8 } });
    vi.resetModules();
    const { maxWalkedNodes, nativeStrings } = await import('../../../src/json/encode/runtime.ts');
    expect([maxWalkedNodes, nativeStrings]).toEqual([nodes, units]);
  },
);
