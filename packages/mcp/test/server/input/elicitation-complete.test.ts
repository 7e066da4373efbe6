import { readFileSync } from 'node:fs';
import { memoryPair } from '@linewire/transport';
import { describe, expect, it } from 'vitest';
import { RpcError } from '../../../src/errors.ts';
import type { CallContext } from '../../../src/server/api/tool.ts';
import type { ServeOptions } from '../../../src/server/serve-options.ts';
import { serve } from '../../../src/server/server-session.ts';
import { ALL_CAPABILITIES, askingServer, modern, retry } from '../../support/asking.ts';
import { type Frame, Wire } from '../../support/wire.ts';

const CALL = '{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"ask"}}';
const PAGE = {
  mode: 'url',
  message: 'Log in',
  url: 'https://example.com/login',
  elicitationId: 'page',
} as const;

function initialize(version: string, capabilities: object): string {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'c', version: '1' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}

/** The context of a call that a legacy client of that revision has made, and its wire, from which the answer was taken. */
async function called(
  version = '2025-11-25',
  capabilities: object = ALL_CAPABILITIES,
  options: ServeOptions = {},
): Promise<{ wire: Wire; context: CallContext }> {
  const wire = new Wire();
  const contexts: CallContext[] = [];
  const server = askingServer((_, context) => {
    contexts.push(context);
    return 'ok';
  });
  serve(server, wire, options);
  wire.feed(initialize(version, capabilities));
  wire.feed(CALL);
  await wire.takeWhen(2);
  return { wire, context: contexts[0] as CallContext };
}

const told = (elicitationId: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/elicitation/complete',
  params: { elicitationId },
});

describe('the end of a page', () => {
  it('is told to a client of 2025-11-25 that shows pages, also when the call is long answered', async () => {
    const { wire, context } = await called();
    const { elicitationComplete } = context;
    expect(elicitationComplete('page "1"\n')).toBe(true);
    expect(wire.take()).toEqual([told('page "1"\n')]);
  });

  it.each([
    ['of an older revision', '2025-06-18', ALL_CAPABILITIES],
    ['that shows forms only', '2025-11-25', { elicitation: { form: {} } }],
    ['that shows forms only, without saying so', '2025-11-25', { elicitation: {} }],
    ['that can be asked nothing', '2025-11-25', {}],
  ])('is nothing that a client %s hears of', async (_, version, capabilities) => {
    const { wire, context } = await called(version, capabilities);
    expect(context.elicitationComplete('page')).toBe(false);
    expect(wire.take()).toEqual([]);
  });

  it('is nothing that a modern client hears of', async () => {
    const wire = new Wire();
    let given: CallContext | undefined;
    const server = askingServer((_, context) => {
      given = context;
      return String(context.elicitationComplete('page'));
    });
    serve(server, wire);
    expect((await modern(wire)).result.content).toEqual([{ type: 'text', text: 'false' }]);
    expect(given?.elicitationComplete('page')).toBe(false);
    expect(wire.take()).toEqual([]);
  });

  it('comes behind the page itself, also when the user was done at once', async () => {
    const [serverEnd, clientEnd] = memoryPair();
    const server = askingServer((_, { requestInput, elicitationComplete }) => {
      const answered = requestInput('k', { method: 'elicitation/create', params: PAGE });
      elicitationComplete('page');
      return answered.then(() => 'ok');
    });
    serve(server, serverEnd);
    const methods: (string | undefined)[] = [];
    clientEnd.start({
      onFrames: (batch) => {
        for (let index = 0; index < batch.count; index++) methods.push(batch.method(index));
      },
      onClose: () => {},
    });
    clientEnd.send(initialize('2025-11-25', ALL_CAPABILITIES));
    clientEnd.send(CALL);
    while (methods.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(methods).toEqual([undefined, 'elicitation/create', 'notifications/elicitation/complete']);
    await clientEnd.close();
  });

  it('waits in order while the client does not read, and is dropped when too much waits', async () => {
    const { wire, context } = await called('2025-11-25', ALL_CAPABILITIES, { maxWaitingRequests: 2 });
    wire.isFull = true;
    expect(['a', 'b', 'c'].map(context.elicitationComplete)).toEqual([true, true, false]);
    expect(wire.take()).toEqual([]);
    wire.drain();
    expect(wire.take()).toEqual([told('a'), told('b')]);
  });

  it('is told to nobody when the connection is gone', async () => {
    const { wire, context } = await called();
    wire.feedEnd();
    await wire.closed;
    expect(context.elicitationComplete('page')).toBe(false);
  });

  it('is told to nobody from the moment on when the connection is being closed', async () => {
    const [serverEnd, clientEnd] = memoryPair();
    let given: CallContext | undefined;
    const server = askingServer((_, context) => {
      given = context;
      return 'ok';
    });
    serve(server, serverEnd);
    clientEnd.start({ onFrames: () => {}, onClose: () => {} });
    clientEnd.send(initialize('2025-11-25', ALL_CAPABILITIES));
    clientEnd.send(CALL);
    while (given === undefined) await new Promise((resolve) => setImmediate(resolve));
    const closed = serverEnd.close();
    expect(given.elicitationComplete('page')).toBe(false);
    await closed;
    expect(given.elicitationComplete('page')).toBe(false);
  });

  it.each(['', undefined, 5])('needs an id in either era, not %j', async (id) => {
    const { context } = await called();
    const refused = expect.objectContaining({ code: 'OPTION_INVALID' });
    expect(() => context.elicitationComplete(id as string)).toThrow(refused);
    const wire = new Wire();
    serve(
      askingServer((_, { elicitationComplete }) => String(elicitationComplete(id as string))),
      wire,
    );
    expect((await modern(wire)).result.isError).toBe(true);
  });
});

describe('the example of the page about asks', () => {
  const page = readFileSync(new URL('../../../docs/input.md', import.meta.url), 'utf8');
  const example = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code as string)[1] as string;

  /** The example's tool, served as `ask`, and what became of its logins. */
  function shown(): { wire: Wire; begun: string[]; finish(): void } {
    const begun: string[] = [];
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const logins = {
      openOrBegin(account: string): object {
        if (!begun.includes(account)) begun.push(account);
        return { id: `login-${account}`, url: `https://example.com/${account}`, done };
      },
    };
    const wire = new Wire();
    let handler: unknown;
    const registrar = {
      registerTool: (_name: string, _definition: object, given: unknown) => (handler = given),
    };
    new Function('server', 'logins', 'inputSchema', example)(registrar, logins, {});
    serve(askingServer(handler as never), wire);
    return { wire, begun, finish };
  }

  it('tells a client of 2025-11-25 when the user has logged in', async () => {
    const { wire, finish } = shown();
    wire.feed(initialize('2025-11-25', ALL_CAPABILITIES));
    wire.take();
    wire.feed(CALL.replace('"ask"', '"ask","arguments":{"account":"a"}'));
    const [ask] = await wire.takeWhen(1);
    expect(ask).toMatchObject({ method: 'elicitation/create', params: { elicitationId: 'login-a' } });
    wire.feed(JSON.stringify({ jsonrpc: '2.0', id: (ask as Frame).id, result: { action: 'accept' } }));
    expect((await wire.takeWhen(1))[0].result.content[0].text).toBe('Log in, and call again.');
    finish();
    expect(await wire.takeWhen(1)).toEqual([told('login-a')]);
  });

  it('begins one login in the two rounds of a modern client', async () => {
    const { wire, begun } = shown();
    const answer = await retry(wire, await modern(wire), { login: { action: 'accept' } });
    expect(answer.result.content[0].text).toBe('Log in, and call again.');
    expect(begun.length).toBe(1);
  });
});

describe('a code of one era only that a handler throws', () => {
  const elicitations = [PAGE];

  it.each([
    [-32042, { '2025-11-25': -32042, '2025-06-18': -32603, modern: -32603 }],
    [-32002, { '2025-11-25': -32002, '2025-06-18': -32002, modern: -32602 }],
    [-32021, { '2025-11-25': -32021, '2025-06-18': -32021, modern: -32021 }],
    [-5, { '2025-11-25': -5, '2025-06-18': -5, modern: -5 }],
  ])('%i reaches each client as %j', async (code, expected) => {
    const server = askingServer(() => {
      throw new RpcError(code, 'not yet', { elicitations });
    });
    for (const [version, seen] of Object.entries(expected)) {
      const wire = new Wire();
      serve(server, wire);
      let answer: Frame;
      if (version === 'modern') answer = await modern(wire);
      else {
        wire.feed(initialize(version, {}));
        wire.feed(CALL);
        answer = (await wire.takeWhen(2))[1];
      }
      expect(answer.error).toEqual({ code: seen, message: 'not yet', data: { elicitations } });
    }
  });
});
