import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Conversation, type Era, type Frame } from './conversation.ts';

// What the server offers beside the five tools of the message files, by its committed binary: needs a build.

const bin = fileURLToPath(new URL('../bin/linewire-server.js', import.meta.url));
const countUri = 'linewire://count';
const text = (value: string): object[] => [{ type: 'text', text: value }];
const isUpdate = (frame: Frame): boolean => frame.method === 'notifications/resources/updated';

describe.each<Era>(['legacy', 'modern'])('linewire-server, %s', (era) => {
  let talk: Conversation;
  let hello: Frame;
  beforeEach(async () => {
    talk = new Conversation(bin, era, { elicitation: {} });
    hello = await talk.greet();
  });
  afterEach(async () => {
    expect(await talk.end()).toBe(0);
  });

  const call = (name: string, args: object = {}, meta: object = {}): Promise<Frame> =>
    talk.ask('tools/call', { name, arguments: args }, meta);

  it('says what it offers, to the letter', () => {
    expect(hello.result.capabilities).toEqual({
      logging: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
    });
    const { serverInfo, _meta } = hello.result;
    expect(era === 'legacy' ? serverInfo : _meta['io.modelcontextprotocol/serverInfo']).toEqual({
      name: 'linewire-server',
      version: '0.1.0',
    });
  });

  it('big: as many bytes as were asked for, up to what a frame can hold', async () => {
    const { result } = await call('big', { bytes: 60_000_000 });
    expect(result.content[0].text.length).toBe(60_000_000);
    expect((await call('big', { bytes: 0 })).result.content).toEqual(text(''));
    for (const bytes of [60_000_001, -1, 1.5])
      expect((await call('big', { bytes })).result).toMatchObject({ isError: true });
  });

  it('fail: an error that the model can read', async () => {
    expect((await call('fail')).result).toMatchObject({
      isError: true,
      content: text('failed, as it was asked to'),
    });
  });

  it.each([
    [{ action: 'accept', content: { name: 'Ada' } }, { content: text('Hello, Ada!') }],
    [{ action: 'decline' }, { content: text('No name was given'), isError: true }],
  ])('ask: %j gets %j', async (answer, result) => {
    expect((await asked(answer)).result).toMatchObject(result);
  });

  /** A call of `ask`, whose question is answered so. */
  async function asked(answer: object): Promise<Frame> {
    const question = { message: 'What is your name?', requestedSchema: { required: ['name'] } };
    if (era === 'legacy') {
      const id = talk.send('tools/call', { name: 'ask' });
      const request = await talk.hear((frame) => frame.method === 'elicitation/create');
      expect(request.params).toMatchObject(question);
      talk.write({ jsonrpc: '2.0', id: request.id, result: answer });
      return talk.hear((frame) => frame.id === id && frame.method === undefined);
    }
    const { resultType, inputRequests, requestState } = (await talk.ask('tools/call', { name: 'ask' }))
      .result;
    expect(resultType).toBe('input_required');
    expect(inputRequests).toMatchObject({ name: { method: 'elicitation/create', params: question } });
    return talk.ask('tools/call', { name: 'ask', inputResponses: { name: answer }, requestState });
  }

  it('count: changes its resource, and tells those who subscribed', async () => {
    expect((await call('count')).result.content).toEqual(text('1'));
    if (era === 'legacy') await talk.ask('resources/subscribe', { uri: countUri });
    else {
      talk.send('subscriptions/listen', { notifications: { resourceSubscriptions: [countUri] } });
      await talk.hear((frame) => frame.method === 'notifications/subscriptions/acknowledged');
    }
    expect(talk.heard.filter(isUpdate)).toEqual([]);
    expect((await call('count')).result.content).toEqual(text('2'));
    expect((await talk.hear(isUpdate)).params.uri).toBe(countUri);
    const { contents } = (await talk.ask('resources/read', { uri: countUri })).result;
    expect(contents).toEqual([{ uri: countUri, mimeType: 'text/plain', text: '2' }]);
    const { resources } = (await talk.ask('resources/list')).result;
    expect(resources).toEqual([{ name: 'count', uri: countUri, mimeType: 'text/plain' }]);
  });

  it('greet: a prompt with one required argument', async () => {
    const { prompts } = (await talk.ask('prompts/list')).result;
    expect(prompts).toEqual([{ name: 'greet', arguments: [{ name: 'name', required: true }] }]);
    const { messages } = (await talk.ask('prompts/get', { name: 'greet', arguments: { name: 'Bo' } })).result;
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Say hello to Bo.' } }]);
    expect((await talk.ask('prompts/get', { name: 'greet' })).error.code).toBe(-32602);
  });

  it('slow: logs each third of its way before its answer, to a client that wants it', async () => {
    const meta = era === 'modern' ? { 'io.modelcontextprotocol/logLevel': 'info' } : {};
    await call('slow', { ms: 3 }, meta);
    expect(talk.heard.slice(1, -1)).toMatchObject(
      [1, 2, 3].map((third) => ({
        method: 'notifications/message',
        params: { level: 'info', data: `slow: ${third} of 3` },
      })),
    );
    if (era === 'legacy') await talk.ask('logging/setLevel', { level: 'warning' });
    const before = talk.heard.length;
    await call('slow', { ms: 3 });
    expect(talk.heard.length).toBe(before + 1);
  });
});

describe('linewire-server asked by a client that cannot be asked', () => {
  it.each<Era>(['legacy', 'modern'])('%s: says so', async (era) => {
    const talk = new Conversation(bin, era, {});
    try {
      await talk.greet();
      const answer = await talk.ask('tools/call', { name: 'ask' });
      if (era === 'modern') expect(answer.error.code).toBe(-32021);
      else expect(answer.result).toMatchObject({ isError: true });
    } finally {
      await talk.end();
    }
  });
});
