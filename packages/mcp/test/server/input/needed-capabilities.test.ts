import { describe, expect, it } from 'vitest';
import type { InputRequest } from '../../../src/server/api/input.ts';
import { serve } from '../../../src/server/server-session.ts';
import { ALL_CAPABILITIES, askingServer, modern, nameForm } from '../../support/asking.ts';
import { type Frame, Wire } from '../../support/wire.ts';

const form = nameForm('?');
const page: InputRequest = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'm', url: 'https://example.com', elicitationId: 'e' },
};
const plain = { messages: [], maxTokens: 1 };
const sampling: InputRequest = { method: 'sampling/createMessage', params: plain };
const withTools: InputRequest = { method: 'sampling/createMessage', params: { ...plain, tools: [] } };
const withChoice: InputRequest = {
  method: 'sampling/createMessage',
  params: { ...plain, toolChoice: { mode: 'none' } },
};
const withContext: InputRequest = {
  method: 'sampling/createMessage',
  params: { ...plain, includeContext: 'thisServer' },
};
const noContext: InputRequest = {
  method: 'sampling/createMessage',
  params: { ...plain, includeContext: 'none' },
};
const roots: InputRequest = { method: 'roots/list' };

/** A modern call that asks for all of these at once. */
function ask(capabilities: object, ...requests: InputRequest[]): Promise<Frame> {
  const wire = new Wire();
  const server = askingServer((async (
    _: object,
    { requestInput }: { requestInput: (key: string, request: never) => Promise<unknown> },
  ) => {
    await Promise.allSettled(requests.map((request, at) => requestInput(`k${at}`, request as never)));
    return 'whatever';
  }) as never);
  serve(server, wire);
  return modern(wire, { capabilities });
}

describe('what a modern client must have listed', () => {
  it.each([
    [{ elicitation: {} }, form],
    [{ elicitation: { form: {} } }, form],
    [{ elicitation: { form: {}, url: {} } }, form],
    [{ elicitation: { url: {} } }, page],
    [{ sampling: {} }, sampling],
    [{ sampling: {} }, noContext],
    [{ sampling: { tools: {} } }, withTools],
    [{ sampling: { tools: {} } }, withChoice],
    [{ sampling: { context: {} } }, withContext],
    [{ roots: {} }, roots],
  ])('%j is enough', async (capabilities, request) => {
    expect((await ask(capabilities, request)).result.resultType).toBe('input_required');
  });

  it.each([
    [{}, form, { elicitation: { form: {} } }],
    [{ elicitation: { url: {} } }, form, { elicitation: { form: {} } }],
    [{ elicitation: null }, form, { elicitation: { form: {} } }],
    [{ elicitation: [] }, form, { elicitation: { form: {} } }],
    [{ elicitation: {} }, page, { elicitation: { url: {} } }],
    [{ elicitation: { form: {} } }, page, { elicitation: { url: {} } }],
    [{ elicitation: { url: true } }, page, { elicitation: { url: {} } }],
    [{}, sampling, { sampling: {} }],
    [{}, withTools, { sampling: { tools: {} } }],
    [{ sampling: {} }, withTools, { sampling: { tools: {} } }],
    [{ sampling: {} }, withChoice, { sampling: { tools: {} } }],
    [{ sampling: { tools: {} } }, withContext, { sampling: { context: {} } }],
    [{}, roots, { roots: {} }],
  ])('%j is not enough', async (capabilities, request, requiredCapabilities) => {
    const { error } = await ask(capabilities, request);
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
  });

  it('everything that is missing is named at once, and nothing is asked though part of it could be', async () => {
    const { error } = await ask({ roots: {} }, form, roots, page, withTools, withContext);
    expect(error.data).toEqual({
      requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} } },
    });
  });

  it('members that only the legacy era knows are left out', async () => {
    const { result } = await ask(ALL_CAPABILITIES, page, roots);
    expect(result.inputRequests).toEqual({
      k0: { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://example.com' } },
      k1: { method: 'roots/list' },
    });
  });
});
