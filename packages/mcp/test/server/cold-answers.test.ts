import { expect, it, vi } from 'vitest';

it('the first 1,024 answers of a thread go out as text, all later ones as bytes', async () => {
  // Modules anew: a thread that has answered nothing.
  vi.resetModules();
  const { isCold } = await import('../../src/server/run/cold-answers.ts');
  const { ReplyWriter } = await import('../../src/server/run/reply-writer.ts');
  const { legacyShapes } = await import('../../src/server/run/result-shape.ts');
  const { JsonEncoder } = await import('@linewire/framing');
  const { newSessionCounters } = await import('../../src/session/session-stats.ts');
  const ways: string[] = [];
  const duplex = {
    sendEncoded: (text: string) => ways.push(`text ${text}`) > 0,
    sendWith: (writer: { text(): string }) => ways.push(`bytes ${writer.text()}`) > 0,
  };
  const stats = newSessionCounters();
  const out = new ReplyWriter(duplex as never, stats);
  const encoder = new JsonEncoder();
  for (let n = 0; n < 1030; n++) out.answer(String(n), legacyShapes.text, 'x', encoder);
  const frame = (n: number): string =>
    `{"jsonrpc":"2.0","id":${n},"result":{"content":[{"type":"text","text":"x"}]}}`;
  expect(ways).toEqual(Array.from({ length: 1030 }, (_, n) => `${n < 1024 ? 'text' : 'bytes'} ${frame(n)}`));
  expect(stats.answers).toBe(1030);
  expect(isCold()).toBe(false);
});
