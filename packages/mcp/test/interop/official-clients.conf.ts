import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clients, type Peer } from './official-peers.ts';

// The official clients against a real process of ours: needs a build.

/** Of a wait for what was sent already. */
const bounded = { timeout: 10_000 };
const multiByte = 'naïve – ไทย – 漢字 – 👩‍👩‍👧‍👦 –    – "quoted" \\ \n';

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(clients)('the official client %s', (_name, open) => {
  let peer: Peer;
  beforeEach(async () => {
    peer = await open();
  });
  afterEach(() => peer.close());

  it('lists and calls tools', async () => {
    const tools = await peer.list('tools');
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['echo', 'sum', 'ask', 'grow']));
    expect(tools.find((tool) => tool.name === 'sum')).toMatchObject({
      title: 'Sum',
      outputSchema: { type: 'object', required: ['sum'] },
      annotations: { readOnlyHint: true },
    });
    expect((await peer.call('echo', { text: 'hi' })).content).toEqual([{ type: 'text', text: 'hi' }]);
    const { structuredContent, content } = await peer.call('sum', { numbers: [1, 2, 3.5] });
    expect(structuredContent).toEqual({ sum: 6.5 });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual({ sum: 6.5 });
    expect(peer.instructions()).toBe('Ask politely.');
  });

  it('lists resources, templates and prompts', async () => {
    expect(await peer.list('resources')).toMatchObject([
      { name: 'note', uri: 'mem://note', mimeType: 'text/plain' },
      { name: 'bytes', uri: 'mem://bytes' },
    ]);
    expect(await peer.list('resourceTemplates')).toMatchObject([
      { name: 'row', uriTemplate: 'mem://rows/{id}' },
    ]);
    expect(await peer.list('prompts')).toMatchObject([
      { name: 'greet', arguments: [{ name: 'name', required: true }] },
    ]);
  });

  it('reads resources, templates, prompts and completions', async () => {
    expect(await peer.read('mem://note')).toMatchObject([{ uri: 'mem://note', text: 'first' }]);
    expect(await peer.read('mem://bytes')).toMatchObject([{ blob: 'AQL/' }]);
    expect(await peer.read('mem://rows/7')).toMatchObject([{ uri: 'mem://rows/7', text: 'row 7' }]);
    await expect(peer.read('mem://none')).rejects.toMatchObject({ code: -32602 });
    expect(await peer.prompt('greet', { name: 'Bo' })).toEqual([
      { role: 'user', content: { type: 'text', text: 'Say hello to Bo.' } },
    ]);
    await expect(peer.prompt('greet', {})).rejects.toMatchObject({ code: -32602 });
    const prompt = { type: 'ref/prompt', name: 'greet' };
    expect(await peer.complete(prompt, { name: 'name', value: 'A' })).toEqual(['A!']);
    const row = { type: 'ref/resource', uri: 'mem://rows/{id}' };
    expect(await peer.complete(row, { name: 'id', value: '12' })).toEqual(['12', '123']);
  });

  it('gets the errors of tools as results, and those of the protocol as errors', async () => {
    expect(await peer.call('fail')).toMatchObject({ isError: true, content: [{ text: 'kaboom' }] });
    expect(await peer.call('echo', { text: 5 })).toMatchObject({ isError: true });
    await expect(peer.call('nope')).rejects.toMatchObject({ code: -32602 });
    await expect(peer.call('refuse')).rejects.toMatchObject({ code: 4242, data: { why: 'closed' } });
  });

  it('hears progress and logs', async () => {
    const seen: number[] = [];
    const call = peer.call('steps', { count: 3 }, { onprogress: ({ progress }) => seen.push(progress) });
    // These clients drop progress that comes in one read with the answer, so the tool waits to be let go.
    await expect.poll(() => seen, bounded).toEqual([1, 2, 3]);
    await peer.call('letGo');
    expect((await call).content).toMatchObject([{ text: 'done' }]);
    expect(seen).toEqual([1, 2, 3]);
    // A modern client asks for logs per request, which this one did not.
    const logs = [1, 2, 3].map((step) => `log info {"step":${step}}`);
    await expect.poll(() => peer.heard, bounded).toEqual(peer.era === 'legacy' ? logs : []);
  });

  it('hears logs from the level on that it asked for', async () => {
    await peer.callAtLevel('warning', 'mutter');
    await expect.poll(() => peer.heard, bounded).toEqual(['log warning "two"', 'log error "three"']);
  });

  it('cancels: the handler is told, and nothing comes back', async () => {
    const controller = new AbortController();
    const call = peer.call('hang', {}, { signal: controller.signal });
    await peer.call('echo', { text: 'running' });
    controller.abort('enough');
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await peer.call('aborted')).content[0]?.text, bounded).toBe('1');
  });

  it('gets a thousand answers at once', async () => {
    const calls = Array.from({ length: 1000 }, (_, i) => peer.call('echo', { text: `${i}` }));
    const texts = (await Promise.all(calls)).map((result) => result.content[0]?.text);
    expect(texts).toEqual(Array.from({ length: 1000 }, (_, i) => `${i}`));
  });

  it('gets 5 MB and all kinds of characters back', async () => {
    const big = 'é'.repeat(2_500_000);
    expect((await peer.call('echo', { text: big })).content[0]?.text === big).toBe(true);
    expect((await peer.call('echo', { text: multiByte })).content[0]?.text).toBe(multiByte);
  });

  it('is asked, and answers', async () => {
    expect((await peer.call('ask')).content[0]?.text).toBe('hello Ada');
    expect((await peer.call('askTwice')).content[0]?.text).toBe(
      'sampled {"type":"text","text":"file:///home"}',
    );
    expect((await peer.call('ask', { message: 'Your secret?' })).content[0]?.text).toBe('no name: decline');
  });

  it('that cannot be asked is told so, and goes on', async () => {
    const dumb = await open(false);
    try {
      if (dumb.era === 'legacy') expect(await dumb.call('ask')).toMatchObject({ isError: true });
      else await expect(dumb.call('ask')).rejects.toMatchObject({ code: -32021 });
      expect((await dumb.call('echo', { text: 'on' })).content[0]?.text).toBe('on');
    } finally {
      await dumb.close();
    }
  });

  it('hears of changes that it subscribed to', async () => {
    await peer.subscribe('mem://note');
    await peer.call('write', { text: 'second' });
    await peer.call('grow');
    await expect.poll(() => [...peer.heard].sort(), bounded).toEqual(['tools', 'updated mem://note']);
    expect(await peer.read('mem://note')).toMatchObject([{ text: 'second' }]);
    expect((await peer.list('tools')).map((tool) => tool.name)).toContain('grown');
    await peer.unsubscribe('mem://note');
    await peer.call('write', { text: 'third' });
    expect(await peer.read('mem://note')).toMatchObject([{ text: 'third' }]);
    expect(peer.heard.filter((what) => what.startsWith('updated'))).toHaveLength(1);
  });

  it('closes in milliseconds, also with subscriptions open', async () => {
    await peer.subscribe('mem://note');
    const start = performance.now();
    await peer.close();
    // It would send SIGTERM after 2,000 ms.
    expect(performance.now() - start).toBeLessThan(1900);
    expect(isAlive(peer.pid)).toBe(false);
  });

  it('closes with a call under way: SIGTERM is enough', async () => {
    const call = peer.call('wait').catch(() => 'ended');
    await peer.call('echo', { text: 'running' });
    const start = performance.now();
    await peer.close();
    // What was accepted may be answered after the end of input, so the client waits for 2,000 ms; SIGKILL would come at 4,000.
    expect(performance.now() - start).toBeLessThan(3900);
    expect(isAlive(peer.pid)).toBe(false);
    expect(await call).toBe('ended');
  });
});
