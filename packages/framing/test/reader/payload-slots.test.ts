import { describe, expect, it } from 'vitest';
import { PayloadSlots } from '../../src/reader/payload-slots.ts';

describe('the slots of a reader', () => {
  it('are one a method, always the same, and others for answers and whole frames', () => {
    const slots = new PayloadSlots();
    const [a, b] = [slots.of('a'), slots.of('b')];
    expect(new Set([a, b, slots.answers, slots.frames]).size).toBe(4);
    expect([slots.of('a'), slots.of('a'), slots.of('b'), slots.of('a')]).toEqual([a, a, b, a]);
    expect(slots.of('a')).toBe(a);
    expect(slots.of('b')).toBe(b);
  });

  it('are those of the first 64 methods: all later ones share one', () => {
    const slots = new PayloadSlots();
    const first = Array.from({ length: 64 }, (_, index) => slots.of(`m${index}`));
    expect(new Set(first).size).toBe(64);
    const others = slots.of('m64');
    expect(first).not.toContain(others);
    const later = Array.from({ length: 100_000 }, (_, index) => slots.of(`n${index}`));
    expect(new Set(later)).toEqual(new Set([others]));
    for (const [index, slot] of first.entries()) expect(slots.of(`m${index}`)).toBe(slot);
  });

  it('keep no long names of methods: those share a slot, and leave their own to others', () => {
    const slots = new PayloadSlots();
    const shared = slots.of('x'.repeat(257));
    for (let index = 0; index < 1000; index++) expect(slots.of(`${'x'.repeat(1000)}${index}`)).toBe(shared);
    expect(slots.of('x'.repeat(256))).not.toBe(shared);
    expect(slots.of('short')).not.toBe(shared);
  });
});
