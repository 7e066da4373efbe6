import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../src/errors.ts';
import type { CallContext } from '../../../src/server/api/tool.ts';
import { serve } from '../../../src/server/server-session.ts';
import { ALL_CAPABILITIES, askingServer, modern } from '../../support/asking.ts';
import { Wire } from '../../support/wire.ts';

const CALL = '{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"ask"}}';

/** The context of a call that a legacy client of that revision has made, and its wire, from which the answer was taken. */
async function called(version: string, capabilities: object): Promise<{ wire: Wire; context: CallContext }> {
  const wire = new Wire();
  const contexts: CallContext[] = [];
  serve(
    askingServer((_, context) => {
      contexts.push(context);
      return 'ok';
    }),
    wire,
  );
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'c', version: '1' } };
  wire.feed(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
  wire.feed(CALL);
  await wire.takeWhen(2);
  return { wire, context: contexts[0] as CallContext };
}

describe('the end of a page', () => {
  it('is told to a client of 2025-11-25 that shows pages, also when the call is long answered', async () => {
    const { wire, context } = await called('2025-11-25', ALL_CAPABILITIES);
    const { elicitationComplete } = context;
    elicitationComplete('page "1"\n');
    expect(wire.take()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/elicitation/complete',
        params: { elicitationId: 'page "1"\n' },
      },
    ]);
  });

  it.each([
    ['of an older revision', '2025-06-18', ALL_CAPABILITIES],
    ['that shows forms only', '2025-11-25', { elicitation: { form: {} } }],
    ['that shows forms only, without saying so', '2025-11-25', { elicitation: {} }],
    ['that can be asked nothing', '2025-11-25', {}],
  ])('is nothing that a client hears of %s', async (_, version, capabilities) => {
    const { wire, context } = await called(version, capabilities);
    context.elicitationComplete('page');
    expect(wire.take()).toEqual([]);
  });

  it('is nothing that a modern client hears of', async () => {
    const wire = new Wire();
    let given: CallContext | undefined;
    serve(
      askingServer((_, context) => {
        given = context;
        context.elicitationComplete('page');
        return 'ok';
      }),
      wire,
    );
    expect((await modern(wire)).result.content).toEqual([{ type: 'text', text: 'ok' }]);
    given?.elicitationComplete('page');
    expect(wire.take()).toEqual([]);
  });

  it.each(['', undefined, 5])('needs an id, not %j', async (id) => {
    const { context } = await called('2025-11-25', ALL_CAPABILITIES);
    expect(() => context.elicitationComplete(id as string)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });
});

describe('a code of older revisions that a handler throws', () => {
  const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'Log in' }];

  it.each([
    [-32042, -32603],
    [-32002, -32602],
    [-32021, -32021],
    [-5, -5],
  ])('%i reaches a legacy client as it is, and a modern one as %i', async (code, modernCode) => {
    const server = askingServer(() => {
      throw new RpcError(code, 'not yet', { elicitations });
    });
    const wire = new Wire();
    serve(server, wire);
    const error = { message: 'not yet', data: { elicitations } };
    expect((await modern(wire)).error).toEqual({ code: modernCode, ...error });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    wire.feed(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    wire.feed(CALL);
    expect((await wire.takeWhen(2))[1].error).toEqual({ code, ...error });
  });
});
