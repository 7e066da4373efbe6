import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LazySource } from '../../src/json/lazy/lazy-source.ts';
import { valueEnd } from '../../src/json/lazy/value-end.ts';
import { WasmArea } from '../../src/wasm/area.ts';
import { bytesOf } from '../support/events.ts';
import { spacedJson } from '../support/json-texts.ts';
import { holds, seed, timeBoxMs } from '../support/time-box.ts';

const area = new WasmArea({ windowBytes: 65_536, maxDepth: 512, maxIdBytes: 1024 });

/** Where the kernel and the scalar way see the container at `start` end, in a window that holds rubbish around the text. */
function bothEnds(text: string, start: number, litter: number): { leapt: number; walked: number } {
  const bytes = bytesOf(text);
  area.window.fill(litter, 0, start + bytes.length + 256);
  area.window.set(bytes, start);
  const source = new LazySource(area.window, 0);
  const end = start + bytes.length;
  return { leapt: area.leap(start, end), walked: valueEnd(source, area.window, start, end) };
}

describe('passing over a container by the kernel', () => {
  it(
    `ends where walking over it ends, whatever it holds and whatever stands around it (seed ${seed})`,
    () => {
      let leaps = 0;
      holds(
        fc.property(
          spacedJson,
          fc.nat(130),
          fc.constantFrom(0x5c, 0x22, 0x5d, 0x7b, 0x0a, 0xff),
          (json, start, litter) => {
            const { leapt, walked } = bothEnds(`[${json}]`, start, litter);
            if (leapt !== 0) expect(leapt).toBe(walked);
            // Backslashes are left to the other way; those of a block are seen at once.
            if (litter !== 0x5c && !json.includes('\\')) expect(leapt).toBe(walked);
            if (leapt !== 0) leaps++;
          },
        ),
      );
      expect(leaps).toBeGreaterThan(0);
    },
    timeBoxMs + 20_000,
  );

  it('says that it cannot tell when no bracket closes the container before the end of what it may look at', () => {
    expect(bothEnds(`[${'1,'.repeat(10)}1]`, 7, 0x20).leapt).toBeGreaterThan(0);
    const text = bytesOf(`["${'x'.repeat(500)}"]`);
    area.window.set(text, 0);
    expect(area.leap(0, 300)).toBe(0);
  });

  it('leaves the state of a scan as it is', () => {
    const before = area.state.slice();
    const containers = area.containers.slice();
    bothEnds('[[[{"a":[1,2,{}]}]]]', 3, 0x5b);
    expect(area.state).toEqual(before);
    expect(area.containers).toEqual(containers);
  });
});
