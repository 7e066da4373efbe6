import { describe, expect, it } from 'vitest';
import { brief, events, joined, read, values } from '../support/events.ts';

const whole = '{"jsonrpc":"2.0","id":1,"method":"m"}';

describe('at the end of the stream without a newline', () => {
  it.each(['', ' ', '\t ', '\r', ' \r\r'])(
    'a whole object followed by %j is delivered, unterminated',
    (after) => {
      for (const split of ['whole', 1] as const) {
        expect(brief(whole + after, {}, split)).toEqual(['request id 1 unterminated']);
        expect(values(whole + after, {}, split)).toEqual([JSON.parse(whole)]);
      }
    },
  );

  it('one trailing CR is dropped', () => {
    expect(events(`${whole}\r`)[0]?.end).toBe(whole.length);
    expect(events(`${whole}\r\r`)[0]?.end).toBe(whole.length + 1);
  });

  it('an object that is no message is delivered as invalid', () => {
    expect(brief('{}')).toEqual(['invalid ENVELOPE_VERSION unterminated']);
  });

  it.each(['', ' ', '\r', '\t\r '])('a blank rest %j is nothing and is not counted', (rest) => {
    expect(events(`${whole}\n${rest}`)).toHaveLength(1);
    expect(read(`\n${rest}`, {}, () => {}).stats().blankFrames).toBe(1);
  });

  it.each([
    '{',
    '{"jsonrpc":"2.0","id":1,"method":"m"',
    '{"a',
    '[',
    '[]',
    '[1]',
    '1',
    '42',
    '"x"',
    'null',
    'true',
    'nul',
    '-',
    'npm',
    '{}x',
    '{}{}',
    '{]',
    'Content-Length: 5',
    'Content',
    '{"a":"\\',
    '{"a":01}',
    '\ufeff{',
  ])('%j is FRAME_TRUNCATED with its byte count', (rest) => {
    const frame = rest.replace('\ufeff', '');
    const start = rest.length === frame.length ? 0 : 3;
    for (const split of ['whole', 1] as const) {
      const found = events(rest, {}, split);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatchObject({
        kind: 'fault',
        code: 'FRAME_TRUNCATED',
        offset: start + frame.length,
        actual: frame.length,
        unterminated: true,
        idText: undefined,
      });
    }
  });

  it('bytes that are not UTF-8 are a cut frame, even in a whole object', () => {
    expect(brief(joined('{"a":"', [0xff], '"}'))).toEqual(['fault FRAME_TRUNCATED @9 unterminated']);
    expect(brief(joined('{"a":"', [0xff], '"}'), { utf8: 'replace' })).toEqual([
      'invalid ENVELOPE_VERSION unterminated',
    ]);
    expect(brief(joined('{"id":1,"id":"', [0xff], '"}'))).toEqual(['fault FRAME_TRUNCATED @17 unterminated']);
    expect(brief(joined('{"a":[[]],"b":"', [0xff], '"}'), { maxDepth: 2 })).toEqual([
      'fault FRAME_TRUNCATED @18 unterminated',
    ]);
  });

  it('a whole object that is only too deep, or has a member twice, keeps its own code', () => {
    expect(brief('{"a":[[]]}', { maxDepth: 2 })).toEqual(['fault JSON_DEPTH @6 unterminated']);
    expect(brief('{"id":1,"id":2}')).toEqual(['fault ENVELOPE_DUPLICATE @8 unterminated']);
    expect(brief('{"id":1,"id":2')).toEqual(['fault FRAME_TRUNCATED @14 unterminated']);
    expect(brief('{"a":[[]]', { maxDepth: 2 })).toEqual(['fault FRAME_TRUNCATED @9 unterminated']);
  });

  it('no byte is a frame', () => {
    expect(events('')).toEqual([]);
    expect(events('\n\n')).toEqual([]);
  });

  it('only an object closes itself, without an envelope too', () => {
    expect(brief('{"a":1}', { envelope: 'none' })).toEqual(['value unterminated']);
    expect(brief('[1]', { envelope: 'none' })).toEqual(['fault FRAME_TRUNCATED @3 unterminated']);
  });

  it('any rest that is not blank is delivered without validation', () => {
    const settings = { envelope: 'none', validate: 'none' } as const;
    expect(brief('abc\n[1', settings)).toEqual(['value', 'value unterminated']);
    expect(brief('abc\n \r', settings)).toEqual(['value']);
    expect(events('[1\r', settings)[0]?.end).toBe(2);
  });

  it.each([4096, 8192, 12_288, 5000])(
    'a rest of %i bytes that has just left the window is not lost',
    (byteCount) => {
      const head = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"';
      const object = `${head}${'x'.repeat(byteCount - head.length - 3)}"}}`;
      for (const feed of ['push', 'commit'] as const) {
        for (const split of ['whole', 1024, [byteCount - 1]] as const) {
          const settings = { windowBytes: 4096 };
          const [event, ...more] = events(object, settings, split, feed);
          expect(more).toEqual([]);
          expect(event).toMatchObject({
            kind: 'request',
            start: 0,
            end: byteCount,
            text: object,
            unterminated: true,
          });
        }
      }
    },
  );
});
