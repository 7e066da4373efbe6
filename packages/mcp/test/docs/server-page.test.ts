import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../src/server/server-session.ts';
import { endOfTurn, line } from '../support/era-requests.ts';
import { INITIALIZE } from '../support/example-server.ts';
import { Wire } from '../support/wire.ts';
import { change, server } from './server-page.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const blocks = [...read('../../docs/server.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code as string,
);

describe('the page about servers', () => {
  const wire = new Wire();

  beforeAll(() => {
    serve(server, wire);
  });

  async function ask(method: string, params: object) {
    wire.feed(line('modern', 1, method, params));
    const frames = await wire.takeWhen(1);
    return frames.at(-1).result ?? frames.at(-1).error;
  }

  const call = (name: string, args: object = {}) => ask('tools/call', { name, arguments: args });

  it.each(blocks)('shows code that is run here: %s', (code) => {
    expect(read('server-page.ts')).toContain(code);
  });

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThan(7);
  });

  it('adds, searches, fails and refuses as it says', async () => {
    expect((await call('add', { a: 1, b: 2 })).content[0].text).toBe('3');
    expect((await call('search', { query: 'One' })).structuredContent).toEqual({ hits: ['# One'] });
    expect((await call('search', { query: '' })).isError).toBe(true);
    expect(await call('restore')).toMatchObject({ isError: true });
    expect(await call('pay')).toEqual({ code: 4020, message: 'Payment required', data: { plan: 'pro' } });
  });

  it('reads, completes and prompts as it says', async () => {
    expect((await ask('resources/read', { uri: 'notes://inbox/1' })).contents[0].text).toBe('# One');
    expect((await ask('resources/read', { uri: 'notes://logo' })).contents[0].blob).toBe('iVA=');
    expect(await ask('resources/read', { uri: 'notes://inbox/1?rev=2' })).toMatchObject({ code: -32602 });
    const ref = { type: 'ref/resource', uri: 'notes://{folder}/{id}{?rev}' };
    const { completion } = await ask('completion/complete', {
      ref,
      argument: { name: 'folder', value: 'in' },
    });
    expect(completion.values).toEqual(['inbox']);
    const prompt = await ask('prompts/get', { name: 'summarise', arguments: { note: 'x' } });
    expect(prompt.messages[0].content.text).toBe('Summarise x in a plain tone.');
    const translated = await ask('prompts/get', {
      name: 'translate',
      arguments: { note: 'x', language: 'de' },
    });
    expect(translated.messages[0].content.text).toBe('Translate x to de.');
  });

  it('tells of changes as it says', async () => {
    wire.feed(INITIALIZE);
    wire.take();
    change();
    await endOfTurn();
    expect(wire.take().map((frame) => frame.method)).toEqual([
      'notifications/message',
      'notifications/tools/list_changed',
    ]);
  });
});
