import { describe, expect, it } from 'vitest';
import { McpServer } from '../../src/server/mcp-server.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, Gate, INITIALIZE, info } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';

endlessTurns();

function call(token: string | undefined): { gate: Gate; wire: Wire } {
  const gate = new Gate();
  const wire = new Wire();
  serve(exampleServer(gate), wire);
  wire.feed(INITIALIZE);
  wire.take();
  const meta = token === undefined ? '' : `,"_meta":{"progressToken":${token}}`;
  wire.feed(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait"${meta}}}`);
  return { gate, wire };
}

describe('progress', () => {
  it('is not sent for a call that did not ask', () => {
    const { gate, wire } = call(undefined);
    gate.contexts[0]?.progress(1);
    expect(wire.sent).toEqual([]);
  });

  it.each(['0', '""', '-3', '"a\\"b"', '9007199254740993'])('the token %s is echoed', (token) => {
    const { gate, wire } = call(token);
    gate.contexts[0]?.progress(0.5);
    expect(wire.sent).toEqual([
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":0.5}}`,
    ]);
  });

  it.each(['1.5', 'null', 'true', '{}', '[1]'])('a token %s is -32602 and the tool does not run', (token) => {
    const { gate, wire } = call(token);
    expect(gate.waiting).toBe(0);
    expect(wire.take()[0].error.code).toBe(-32602);
  });

  it('never comes after the answer', async () => {
    const { gate, wire } = call('1');
    gate.open();
    await wire.takeWhen(1);
    gate.contexts[0]?.progress(1);
    expect(wire.sent).toEqual([]);
  });

  it('only goes up, and is finite', () => {
    const { gate, wire } = call('1');
    for (const value of [1, 1, 0, Number.NaN, Number.POSITIVE_INFINITY, 2])
      gate.contexts[0]?.progress(value, Number.NaN);
    expect(wire.take().map((frame) => frame.params)).toEqual([
      { progressToken: 1, progress: 1 },
      { progressToken: 1, progress: 2 },
    ]);
  });

  it('of a synchronous handler comes before its answer, and the function may be taken out of the context', () => {
    const wire = new Wire();
    let kept: ((value: number) => void) | undefined;
    const server = new McpServer(info).registerTool('steps', {}, (_, { progress }) => {
      progress(1);
      kept = progress;
      return 'ok';
    });
    serve(server, wire);
    wire.feed(
      INITIALIZE,
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":"t"}}}',
    );
    kept?.(2);
    expect(wire.take().map((frame) => frame.method ?? frame.id)).toEqual([1, 'notifications/progress', 2]);
  });
});
