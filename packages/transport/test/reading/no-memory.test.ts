import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Duplex, type DuplexHandlers, memoryPair } from '../../src/index.ts';
import { until } from '../support/process-state.ts';

const frame = `{"jsonrpc":"2.0","id":1,"result":{"t":"${'x'.repeat(600_000)}"}}`;

afterEach(() => vi.restoreAllMocks());

/** No frame longer than the window finds memory any more. */
function takeAllMemory(): void {
  vi.spyOn(ArrayBuffer.prototype as unknown as { resize(): void }, 'resize').mockImplementation(() => {
    throw new RangeError('no room');
  });
}

function startedPair(handlers: Partial<DuplexHandlers>): [Duplex, Duplex, string[]] {
  const [left, right] = memoryPair();
  const calls: string[] = [];
  left.start({ onFrames() {} });
  right.start({
    onFrames: () => void calls.push('frames'),
    onEnd: () => calls.push('end'),
    onClose: (reason) => calls.push(`close ${reason.kind}`),
    ...handlers,
  });
  return [left, right, calls];
}

describe('a duplex that finds no memory for a long frame', () => {
  test('closes with the reason, gives out no frame with a hole in it, and throws nothing into the event loop', async () => {
    const [left, right, calls] = startedPair({});
    takeAllMemory();
    left.send(frame);
    left.send('{"jsonrpc":"2.0","method":"later"}');
    const reason = await right.closed;
    expect(reason).toMatchObject({
      kind: 'error',
      error: { code: 'READ_FAILED', cause: { code: 'OUT_OF_MEMORY', cause: new RangeError('no room') } },
    });
    expect(calls).toEqual(['close error']);
  });

  test('writes what was sent before all the same', async () => {
    const [left, right] = memoryPair();
    const texts: string[] = [];
    left.start({ onFrames: (batch) => void texts.push(batch.text(0)) });
    right.start({ onFrames() {} });
    takeAllMemory();
    left.send(frame);
    right.sendEncoded('{"jsonrpc":"2.0","method":"said before"}');
    expect((await right.closed).kind).toBe('error');
    await until(() => texts.length === 1);
  });

  test('learns it in resume() as well, and is told on a turn of its own', async () => {
    let resumed = false;
    const calls: string[] = [];
    const [left, right] = memoryPair();
    left.start({ onFrames() {} });
    right.start({
      onFrames: () => void calls.push('frames'),
      onClose: (reason) => calls.push(`close ${reason.kind} ${resumed}`),
    });
    right.pause();
    // In one chunk, which then waits whole.
    left.sendEncoded('{"jsonrpc":"2.0","method":"first"}');
    left.sendEncoded(frame);
    await until(() => right.stats.bytesIn > 0);
    takeAllMemory();
    right.resume();
    resumed = true;
    expect((await right.closed).kind).toBe('error');
    expect(calls.at(-1)).toBe('close error true');
  });
});
