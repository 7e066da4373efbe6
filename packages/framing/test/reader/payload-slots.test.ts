import { describe, expect, it } from 'vitest';
import { PayloadSlots } from '../../src/reader/payload-slots.ts';
import { bytesOf } from '../support/events.ts';

describe('the slots of a reader', () => {
  it('are one a method for calls and one for answers, always the same, and another for whole frames', () => {
    const slots = new PayloadSlots();
    const [a, b] = [slots.ofCall('a'), slots.ofCall('b')];
    const [answerA, answerB] = [slots.ofAnswer('a'), slots.ofAnswer('b')];
    const unknown = slots.ofAnswer(undefined);
    expect(new Set([a, b, answerA, answerB, unknown, slots.ofFrame()]).size).toBe(6);
    for (const name of ['a', 'a', 'b', 'b', 'a']) {
      expect(slots.ofCall(name)).toBe(name === 'a' ? a : b);
      expect(slots.ofAnswer(name)).toBe(name === 'a' ? answerA : answerB);
      expect(slots.ofAnswer(undefined)).toBe(unknown);
    }
  });

  it('tell a method without a name from the one before it', () => {
    const slots = new PayloadSlots();
    const a = slots.ofCall('a');
    expect(slots.ofCall('')).not.toBe(a);
    expect(slots.ofCall('a')).toBe(a);
  });

  it.each(['ofCall', 'ofAnswer'] as const)(
    'are those of the first 64 methods: all later ones share one (%s)',
    (which) => {
      const slots = new PayloadSlots();
      const first = Array.from({ length: 64 }, (_, index) => slots[which](`m${index}`));
      expect(new Set(first).size).toBe(64);
      const others = slots[which]('m64');
      expect(first).not.toContain(others);
      const later = Array.from({ length: 100_000 }, (_, index) => slots[which](`n${index}`));
      expect(new Set(later)).toEqual(new Set([others]));
      for (const [index, slot] of first.entries()) expect(slots[which](`m${index}`)).toBe(slot);
    },
  );

  it('keep no long names of methods: those share a slot, and leave their own to others', () => {
    const slots = new PayloadSlots();
    const shared = slots.ofCall('x'.repeat(257));
    const long = Array.from({ length: 1000 }, (_, index) => slots.ofCall(`${'x'.repeat(1000)}${index}`));
    expect(new Set(long)).toEqual(new Set([shared]));
    expect(slots.ofCall('x'.repeat(256))).not.toBe(shared);
    expect(slots.ofCall('short')).not.toBe(shared);
  });

  it('count together', () => {
    const slots = new PayloadSlots();
    const text = bytesOf('{"a":1}          ');
    const methods = [...Array.from({ length: 70 }, (_, index) => `m${index}`), 'm0', 'm0'];
    for (const method of methods) {
      for (const slot of [slots.ofCall(method), slots.ofAnswer(method), slots.ofFrame()])
        slot.decode(text, 0, 7, true);
      slots.ofAnswer(undefined).decode(text, 0, 7, true);
    }
    // Each of 64 methods, what is shared by the other six, and the frames learn one member each; answers to nobody knows what share, too.
    const members = 65 + 65 + 1;
    expect(slots.stats()).toEqual({ hits: 4 * 72 - members, misses: members, passed: 0, members });
  });
});
