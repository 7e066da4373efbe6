import { describe, expect, it, vi } from 'vitest';
import { NameCache, slotOf } from '../../src/text/name-cache.ts';
import { bytesOf, events } from '../support/events.ts';

function nameIn(cache: NameCache, text: string): string {
  const bytes = bytesOf(`xx${text}yy`);
  return cache.name(bytes, 2, bytes.length - 2);
}

const protocolMethods = [
  'initialize ping tools/list tools/call resources/list resources/templates/list resources/read',
  'resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete',
  'logging/setLevel sampling/createMessage roots/list elicitation/create tasks/get tasks/result',
  'tasks/cancel tasks/list server/discover subscriptions/listen notifications/initialized',
  'notifications/cancelled notifications/progress notifications/message',
  'notifications/resources/list_changed notifications/tools/list_changed',
  'notifications/prompts/list_changed notifications/resources/updated notifications/roots/list_changed',
  'notifications/elicitation/complete notifications/tasks/status',
  'notifications/subscriptions/acknowledged',
].flatMap((line) => line.split(' '));

describe('the cache of method names', () => {
  it('never mistakes one name for another, however many share its slots', () => {
    const cache = new NameCache();
    const names = Array.from({ length: 2000 }, (_, index) => `method/${index % 7}/${index}`);
    for (let round = 0; round < 2; round++) for (const name of names) expect(nameIn(cache, name)).toBe(name);
  });

  it('tells names apart that differ in one byte only', () => {
    const cache = new NameCache();
    // Length, first, last and middle byte are what a slot is chosen by.
    for (const name of ['abcdef', 'axcdef', 'abcdxf', 'abcdef', 'abxdef'])
      expect(nameIn(cache, name)).toBe(name);
  });

  it('has a slot for each method of the protocol', () => {
    const slots = protocolMethods.map((name) => {
      const bytes = bytesOf(`"${name}"`);
      return slotOf(new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length);
    });
    expect(new Set(slots).size).toBe(protocolMethods.length);
  });

  it('makes keys of the first 128 names only, whatever else a peer calls', () => {
    const cache = new NameCache();
    const keys = vi.spyOn(Object, 'keys');
    try {
      for (let n = 0; n < 1000; n++) nameIn(cache, `method/${n}`);
      expect(keys).toHaveBeenCalledTimes(128);
    } finally {
      keys.mockRestore();
    }
  });

  it('gives the same string for the same bytes', () => {
    const cache = new NameCache();
    expect(nameIn(cache, 'tools/call')).toBe('tools/call');
    expect(nameIn(cache, 'tools/call')).toBe('tools/call');
  });

  it.each([
    ['', ''],
    ['a\\u0062c', 'abc'],
    ['\\"\\\\\\/\\n', '"\\/\n'],
    ['ทดสอบ', 'ทดสอบ'],
    ['\\ud83e\\uddea', '🧪'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'x'.repeat(65)],
  ])('decodes %j, first and again', (source, name) => {
    const cache = new NameCache();
    expect(nameIn(cache, source)).toBe(name);
    expect(nameIn(cache, source)).toBe(name);
  });

  it('decodes names at the edges of memory, where nothing is around them', () => {
    const cache = new NameCache();
    const bytes = bytesOf('tools/call');
    for (let round = 0; round < 2; round++) {
      for (const [start, end] of [
        [0, 10],
        [0, 5],
        [6, 10],
        [1, 10],
      ] as const)
        expect(cache.name(bytes, start, end)).toBe('tools/call'.slice(start, end));
    }
  });

  it('does not keep a view of the bytes it was given', () => {
    const cache = new NameCache();
    const bytes = bytesOf('tools/call');
    cache.name(bytes, 0, bytes.length);
    bytes.fill(0x78);
    expect(cache.name(bytes, 0, bytes.length)).toBe('xxxxxxxxxx');
    expect(nameIn(cache, 'tools/call')).toBe('tools/call');
  });

  it('serves all frames of a reader', () => {
    const names = Array.from({ length: 300 }, (_, index) => `m${index % 150}`);
    const stream = names.map((name) => `{"jsonrpc":"2.0","method":"${name}"}\n`).join('');
    expect(events(stream).map(({ method }) => method)).toEqual(names);
  });
});
