import { describe, expect, it } from 'vitest';
import { brief, events, joined, values } from '../support/events.ts';

const head = '{"jsonrpc":"2.0","id":1,"result":{"t":"';
const tail = '"}}\n';
const good = '{"jsonrpc":"2.0","id":"ok","method":"ping"}\n';

const illFormed: readonly (readonly number[])[] = [
  [0x80],
  [0xbf],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xc2],
  [0xc2, 0x41],
  [0xe0, 0x9f, 0xbf],
  [0xe0, 0xa0],
  [0xe1, 0x80, 0x41],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf0, 0x90, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
];

const wellFormed = [
  '\u0080',
  '\u07ff',
  '\u0800',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
  '\u2028',
  '\u0085',
  '\ufeff',
];

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16)).join(' ');

describe('text', () => {
  it.each(illFormed.map((bytes) => [hex(bytes), bytes] as const))(
    '%s faults its frame at its first byte',
    (_, bytes) => {
      const stream = joined(head, 'é', bytes, tail, good);
      const settings = [{}, { validate: 'envelope' }, { envelope: 'none' }] as const;
      for (const setting of settings) {
        for (const split of ['whole', 1, [head.length + 3], [head.length + 4]] as const) {
          const [bad, next] = events(stream, setting, split);
          expect([bad?.code, bad?.offset]).toEqual(['FRAME_UTF8', head.length + 2]);
          expect(['request', 'value']).toContain(next?.kind);
        }
      }
    },
  );

  it.each(illFormed.map((bytes) => [hex(bytes), bytes] as const))(
    "%s is replaced under utf8: 'replace'",
    (_, bytes) => {
      const stream = joined(head, bytes, tail);
      const expected = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(stream));
      expect(values(stream, { utf8: 'replace' })).toEqual([expected]);
      expect(values(stream, { utf8: 'replace' }, 1)).toEqual([expected]);
    },
  );

  it.each(wellFormed)('%j is data', (character) => {
    const stream = joined(head, character, tail);
    for (const validate of ['full', 'envelope'] as const) {
      for (const split of ['whole', 1] as const)
        expect(values(stream, { validate }, split)).toEqual([JSON.parse(head + character + tail)]);
    }
  });

  it('is checked in names, ids and methods too', () => {
    expect(brief(joined('{"', [0xff], '":1}\n'))).toEqual(['fault FRAME_UTF8 @2']);
    expect(brief(joined('{"jsonrpc":"2.0","id":"', [0xff], '","method":"m"}\n'))).toEqual([
      'fault FRAME_UTF8 @23',
    ]);
    expect(brief(joined('{"jsonrpc":"2.0","method":"', [0xff], '"}\n'))).toEqual(['fault FRAME_UTF8 @27']);
  });

  it('of a method is replaced under replace', () => {
    expect(
      events(joined('{"jsonrpc":"2.0","method":"a', [0xff], '"}\n'), { utf8: 'replace' })[0],
    ).toMatchObject({
      kind: 'notification',
      method: 'a\ufffd',
    });
  });

  it('is told to be ASCII exactly when it is', () => {
    const ascii = (json: string): boolean | undefined => events(`${json}\n`)[0]?.ascii;
    expect(ascii('{"a":"x"}')).toBe(true);
    expect(ascii('{"a":"é"}')).toBe(false);
    expect(ascii('{"jsonrpc":"2.0","id":1,"result":{"a":"\\u00e9"}}')).toBe(true);
    expect(ascii('{"jsonrpc":"2.0","id":1,"result":{"é":1}}')).toBe(false);
  });

  it('keeps lone surrogates that are escaped', () => {
    expect(values('{"a":"\\ud800","b":"\\udc00\\ud800"}\n')).toEqual([{ a: '\ud800', b: '\udc00\ud800' }]);
  });
});
