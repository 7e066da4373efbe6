import { type Fault, faultLink } from '@linewire/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { relayFrames, streamEnd } from '../../src/index.ts';
import { SLOT_BYTES } from '../../src/relay/forwarder.ts';

/** A line of input, and whether it is a good frame. */
interface Line {
  readonly text: string;
  readonly isGood: boolean;
}

const good = (method: string, text: string): Line => ({
  text: JSON.stringify({ jsonrpc: '2.0', method, params: { text } }),
  isGood: true,
});

const line: fc.Arbitrary<Line> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('keep', 'drop'), fc.string())
      .map(([method, text]) => good(method, text)),
  },
  // With what stands around them as long as a slot, a byte less or more; and as the window.
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(65_400, 65_536, 65_600, 200_000, 300_000)
      .map((length) => good('keep', 'x'.repeat(length))),
  },
  fc
    .constantFrom('noise', '', '  ', '\ufeff{}', '{"jsonrpc":"1.0","method":"x"}', '\u0000')
    .map((text) => ({ text, isGood: false })),
);

const input = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 40 });
const cuts: fc.Arbitrary<Fault[]> = fc.array(
  fc.record({ kind: fc.constantFrom('cut' as const), at: fc.nat(100_000) }),
  { maxLength: 20 },
);

describe('a relay of frames', () => {
  test('hands on the good frames that the filter keeps, one newline each, however they were cut', async () => {
    await fc.assert(
      fc.asyncProperty(input, cuts, cuts, async (lines, cutsBefore, cutsBehind) => {
        const left = faultLink({ toRight: cutsBefore });
        const right = faultLink({ toRight: cutsBehind });
        const relay = relayFrames(
          streamEnd({ readable: left.right }),
          streamEnd({ writable: right.left }),
          (batch, index, from) => from === 'a' && batch.method(index) === 'keep',
        );
        const chunks: Buffer[] = [];
        right.right.on('data', (bytes: Buffer) => chunks.push(bytes));
        left.left.end(lines.map(([{ text }, ending]) => text + ending).join(''));
        const ended = new Promise((resolve) => right.right.on('end', resolve));
        expect(await relay.closed).toEqual({ kind: 'eof' });
        await ended;
        const goodLines = lines.filter(([{ isGood }]) => isGood).map(([{ text }]) => text);
        const kept = goodLines.filter((text) => text.includes('"method":"keep"'));
        expect(Buffer.concat(chunks).toString()).toBe(kept.map((text) => `${text}\n`).join(''));
        const stats = relay.stats.fromA;
        expect(stats?.framesOut).toBe(kept.length);
        expect(stats?.filteredFrames).toBe(goodLines.length - kept.length);
        expect((stats?.faults ?? 0) + (stats?.invalidFrames ?? 0)).toBe(
          (stats?.framesIn ?? 0) - goodLines.length,
        );
        left.left.destroy();
        right.right.destroy();
      }),
      { numRuns: 150 },
    );
  });

  test.each([-2, -1, 0, 1])(
    'hands on a frame %i bytes longer than a slot, with its newline',
    async (more) => {
      const frameBytes = SLOT_BYTES + more;
      const before = '{"jsonrpc":"2.0","method":"m"}\n';
      const empty = good('keep', '').text;
      const long = good('keep', 'x'.repeat(frameBytes - empty.length)).text;
      const left = faultLink();
      const right = faultLink();
      const relay = relayFrames(streamEnd({ readable: left.right }), streamEnd({ writable: right.left }));
      const chunks: Buffer[] = [];
      right.right.on('data', (bytes: Buffer) => chunks.push(bytes));
      // Blank lines part it from its neighbours, with which it would be one piece.
      left.left.end(`${before}\n${long}\n\n${before}`);
      const ended = new Promise((resolve) => right.right.on('end', resolve));
      expect(await relay.closed).toEqual({ kind: 'eof' });
      await ended;
      expect(Buffer.concat(chunks).equals(Buffer.from(`${before}${long}\n${before}`))).toBe(true);
      left.left.destroy();
      right.right.destroy();
    },
  );

  test('ends, with what came before, when the filter throws', async () => {
    const left = faultLink();
    const right = faultLink();
    let asked = 0;
    const relay = relayFrames(
      streamEnd({ readable: left.right }),
      streamEnd({ writable: right.left }),
      () => {
        if (++asked === 3) throw new Error('a bug of the filter');
        return true;
      },
    );
    let text = '';
    right.right.setEncoding('utf8').on('data', (more) => {
      text += more;
    });
    const ended = new Promise((resolve) => right.right.on('end', resolve));
    left.left.write('{"jsonrpc":"2.0","method":"m"}\n'.repeat(10));
    expect(await relay.closed).toMatchObject({
      kind: 'error',
      side: 'a',
      error: { message: 'a bug of the filter' },
    });
    await ended;
    expect(asked).toBe(3);
    expect('{"jsonrpc":"2.0","method":"m"}\n'.repeat(2).startsWith(text)).toBe(true);
    left.left.destroy();
  });
});
