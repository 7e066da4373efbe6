import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serve } from '../../src/server/server-session.ts';
import { exampleServer, Gate, INITIALIZE, M } from '../support/example-server.ts';
import { type Frame, Wire } from '../support/wire.ts';

const id = fc.constantFrom('1', '2', '3', '"1"', '9007199254740993', 'null', '1.5', '{}');
/** Messages of all kinds, right and wrong. */
const message = fc.oneof(
  fc.constantFrom('1', 'null', '"x"', '[]', '[1]', '{}', '{"jsonrpc":"2.0"}', INITIALIZE),
  fc
    .tuple(
      id,
      fc.constantFrom(
        '"method":"ping"',
        '"method":"tools/list"',
        '"method":"no/such"',
        '"method":5',
        '"method":"ping","params":[]',
        '"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}',
        '"method":"tools/call","params":{"name":"boom"}',
        '"method":"tools/call","params":{"name":"wait"}',
        '"method":"tools/call","params":{"name":"wait"}',
        `"method":"tools/list","params":{"_meta":{${M}}}`,
        '"result":{}',
        '"result":null',
        '"error":{"code":1,"message":"x"}',
      ),
    )
    .map(([given, rest]) => `{"jsonrpc":"2.0","id":${given},${rest}}`),
  id.map((given) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${given}}}`),
);
const line = fc.oneof(
  { weight: 3, arbitrary: fc.array(message, { maxLength: 6 }).map((messages) => `[${messages.join(',')}]`) },
  { weight: 1, arbitrary: message },
);

/** How often each id stands in what was sent or answered. */
function count(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of ids) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

it('whatever the arrays, all are answered in the end, no id more often than it was used, and nothing stays open', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (lines, credit) => {
        const wire = new Wire();
        const gate = new Gate();
        const session = serve(exampleServer(gate), wire, { batches: true, maxInFlight: credit });
        wire.feed(INITIALIZE.replace('2025-11-25', '2025-03-26').replace('"id":1', '"id":"first"'));
        wire.feed(...lines);
        while (session.stats.running > 0 || session.stats.parked > 0) {
          gate.open();
          await new Promise((resolve) => setImmediate(resolve));
        }
        wire.feed('{"jsonrpc":"2.0","id":"last","method":"ping"}');
        expect(session.stats).toMatchObject({ openBatches: 0, running: 0, parked: 0 });
        const texts = wire.sent.splice(0);
        expect(texts.at(-1)).toBe('{"jsonrpc":"2.0","id":"last","result":{}}');
        const answers = texts.flatMap((text) => JSON.parse(text) as Frame[]);
        for (const answer of answers) {
          expect(answer.jsonrpc).toBe('2.0');
          expect('result' in answer).not.toBe('error' in answer);
          if (!('id' in answer)) expect(answer.error.code).toBe(-32600);
        }
        const idText = /"id":("[^"]*"|[^,]*),/g;
        const used = count(lines.flatMap((text) => text.match(idText) ?? []));
        for (const [text, times] of count(texts.flatMap((sent) => sent.match(idText) ?? [])))
          expect(times).toBeLessThanOrEqual(used.get(text) ?? (/first|last/.test(text) ? 1 : 0));
      },
    ),
    { interruptAfterTimeLimit: 2000, numRuns: 1000 },
  );
});
