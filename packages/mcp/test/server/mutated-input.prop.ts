import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serve } from '../../src/server/server-session.ts';
import { exampleServer, INITIALIZE, M } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

const LINES = [
  INITIALIZE,
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},"_meta":{"progressToken":0}}}',
  '{"jsonrpc":"2.0","id":"4","method":"tools/call","params":{"name":"wait","arguments":{}}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"4"}}',
  `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"boom","_meta":{${M}}}}`,
  `{"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{${M}}}}`,
  '{"result":{},"jsonrpc":"2.0","id":7}',
  '{"jsonrpc":"2.0","id":8,"error":{"code":-1,"message":"x"}}',
];

const PIECES = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  'null',
  '1.5',
  '-0',
  '"id":9',
  '"_meta":{}',
  '\u0000',
  'é',
  '1e999',
  '{}',
  '[]',
];

/** A line with some pieces replaced, doubled or cut out. */
const mutated = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.array(fc.record({ at: fc.nat(200), cut: fc.nat(12), piece: fc.constantFrom('', ...PIECES) }), {
      maxLength: 4,
    }),
  )
  .map(([line, edits]) =>
    edits.reduce((text, { at, cut, piece }) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + piece + text.slice(from + cut);
    }, line),
  );

describe('mutated conversations', () => {
  it('whatever the lines, the next ping is answered, every answer is valid, and no id is answered more often than asked', () => {
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 12 }), (lines) => {
        const wire = new Wire({ maxFrameBytes: 1024 });
        serve(exampleServer(), wire);
        wire.feed(...lines, '{"jsonrpc":"2.0","id":"last","method":"ping"}');
        const answers = wire.take();
        expect(answers.pop()).toEqual({ jsonrpc: '2.0', id: 'last', result: {} });
        expect(answers.length).toBeLessThanOrEqual(lines.length);
        for (const answer of answers) {
          expect(answer.jsonrpc).toBe('2.0');
          if (answer.method !== undefined) continue;
          expect(['string', 'number']).toContain(typeof answer.id);
          expect('result' in answer).not.toBe('error' in answer);
        }
      }),
      { interruptAfterTimeLimit: 2000, numRuns: 3000 },
    );
  });
});
