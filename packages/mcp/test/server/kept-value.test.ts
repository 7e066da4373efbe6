import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { JsonEncoder } from '@linewire/framing';
import { expect, it } from 'vitest';
import { ReplyWriter } from '../../src/server/run/reply-writer.ts';
import { wholeResult } from '../../src/server/run/result-shape.ts';
import { newSessionCounters } from '../../src/session/session-stats.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it.each([
  ['sent', { content: [] as unknown[] }],
  ['refused', { content: [Number.NaN] as unknown[] }],
])('a session keeps no result that it has %s', async (_, { content }) => {
  const target = new Uint8Array(1000);
  const duplex = {
    sendWith: (writer: { writeInto(to: Uint8Array, at: number): number }) => writer.writeInto(target, 0) > 0,
  };
  const out = new ReplyWriter(duplex as never, newSessionCounters());
  const encoder = new JsonEncoder();
  const result = ((): WeakRef<object> => {
    const value = { content };
    try {
      out.answer('1', wholeResult, value, encoder);
    } catch {
      // Refused with its path; what counts here is what is kept.
    }
    return new WeakRef(value);
  })();
  for (let i = 0; i < 10 && result.deref() !== undefined; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  expect(result.deref()).toBe(undefined);
  // The writer itself is alive.
  expect(out).toBeInstanceOf(ReplyWriter);
});
