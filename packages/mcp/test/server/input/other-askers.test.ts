import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../src/server/api/context.ts';
import { EraInputDesk } from '../../../src/server/input/input-desk.ts';
import { StateSeal } from '../../../src/server/input/state-seal.ts';
import { McpServer } from '../../../src/server/mcp-server.ts';
import type { Call } from '../../../src/server/run/call.ts';
import type { ConnectionState } from '../../../src/server/run/connection-state.ts';
import { serve } from '../../../src/server/server-session.ts';
import { modern, nameForm, retry } from '../../support/asking.ts';
import { info } from '../../support/example-server.ts';
import { type Frame, Wire } from '../../support/wire.ts';

async function askName(context: RequestContext): Promise<string> {
  const { content } = await context.requestInput('name', nameForm('Name?'));
  return `Hello, ${content?.['name']}`;
}

const ACCEPTED = { name: { action: 'accept', content: { name: 'Z' } } };
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}';

/** One of each kind of handler that asks for a name. */
function server(): McpServer {
  return new McpServer(info)
    .registerTool(
      'structured',
      {
        outputSchema: {
          type: 'object',
          properties: { greeting: { type: 'string' } },
          required: ['greeting'],
        },
      },
      async (_, context) => ({ structuredContent: { greeting: await askName(context) } }),
    )
    .registerPrompt('greet', { arguments: [{ name: 'who' }] }, (_, context) => askName(context))
    .registerResource('note', 'mem://note', {}, (_uri, context) => askName(context))
    .registerResourceTemplate('notes', 'mem://notes/{id}', {}, (_uri, _variables, context) =>
      askName(context),
    );
}

const askers: readonly [string, string, object, (answer: Frame) => unknown][] = [
  [
    'a tool with an outputSchema',
    'tools/call',
    { name: 'structured' },
    ({ result }) => result.structuredContent.greeting,
  ],
  [
    'a prompt',
    'prompts/get',
    { name: 'greet', arguments: { who: 'x' } },
    ({ result }) => result.messages[0].content.text,
  ],
  [
    'a resource',
    'resources/read',
    { name: undefined, uri: 'mem://note' },
    ({ result }) => result.contents[0].text,
  ],
  [
    'a template',
    'resources/read',
    { name: undefined, uri: 'mem://notes/1' },
    ({ result }) => result.contents[0].text,
  ],
];

describe.each(askers)('%s', (_, method, params, textOf) => {
  it('asks a modern client', async () => {
    const wire = new Wire();
    serve(server(), wire);
    const first = await modern(wire, { method, params });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { name: nameForm('Name?') },
    });
    // Hints for a cache belong to complete results only.
    expect(Object.keys(first.result).sort()).toEqual([
      '_meta',
      'inputRequests',
      'requestState',
      'resultType',
    ]);
    const second = await retry(wire, first, ACCEPTED, { method, params });
    expect(second.result.resultType).toBe('complete');
    expect(textOf(second)).toBe('Hello, Z');
  });

  it('is -32021 for a modern client that cannot be asked', async () => {
    const wire = new Wire();
    serve(server(), wire);
    expect((await modern(wire, { method, params, capabilities: {} })).error.code).toBe(-32021);
  });

  it('refuses the state of another request', async () => {
    const wire = new Wire();
    serve(server(), wire);
    for (const [, otherMethod, otherParams] of askers.filter((other) => other[2] !== params)) {
      const other = await modern(wire, { method: otherMethod, params: otherParams });
      expect((await retry(wire, other, ACCEPTED, { method, params })).error.code).toBe(-32602);
    }
  });

  it('asks a legacy client', async () => {
    const wire = new Wire();
    serve(server(), wire);
    wire.feed(INITIALIZE, JSON.stringify({ jsonrpc: '2.0', id: 2, method, params }));
    const [, request] = await wire.takeWhen(2);
    expect(request).toEqual({ jsonrpc: '2.0', id: 0, ...nameForm('Name?') });
    wire.feed(JSON.stringify({ jsonrpc: '2.0', id: 0, result: ACCEPTED.name }));
    expect(textOf((await wire.takeWhen(1))[0])).toBe('Hello, Z');
  });
});

it('a state opens for the same params under the method that it was sealed for only', async () => {
  const twins = new McpServer(info)
    .registerTool('twin', {}, (_, context) => askName(context))
    .registerPrompt('twin', {}, (_, context) => askName(context));
  const wire = new Wire();
  serve(twins, wire);
  const params = { name: 'twin', arguments: {} };
  const first = await modern(wire, { method: 'prompts/get', params });
  expect((await retry(wire, first, ACCEPTED, { method: 'tools/call', params })).error.code).toBe(-32602);
  expect((await retry(wire, first, ACCEPTED, { method: 'prompts/get', params })).result.resultType).toBe(
    'complete',
  );
});

it('handlers of other methods may not ask, in either era', async () => {
  const desk = new EraInputDesk({} as ConnectionState, new StateSeal({}), '{}');
  for (const call of [
    { modern: true, params: {}, answers: { method: undefined } },
    { modern: false, answers: { method: undefined } },
    // A route that gives no params has nothing that a state could be bound to.
    { modern: true, answers: { method: 'tools/call' } },
  ]) {
    const inputs = desk.open(call as Call);
    await expect(inputs.ask('k', { method: 'roots/list' })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(inputs.settled()).toBe(false);
  }
});

it('the keys and limits of a server are checked when it is made', () => {
  for (const options of [
    { stateKeys: ['short'] },
    { stateTtlMs: 0 },
    { maxStateBytes: 1023 },
    { maxStateBytes: 1.5 },
  ]) {
    expect(() => new McpServer(info, options)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }));
  }
});
