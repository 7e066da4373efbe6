import { describe, expect, it } from 'vitest';
import { brief, events, joined, read, values } from '../support/events.ts';

const mark = [0xef, 0xbb, 0xbf];
const frame = '{"jsonrpc":"2.0","id":1,"method":"m"}';
const splits = ['whole', 1, [1], [2], [3], [1, 2], [2, 3]] as const;

describe.each(splits)('a byte order mark, split %j', (split) => {
  it('is skipped once at the start of the stream, and not part of the frame', () => {
    const [event] = events(joined(mark, frame, '\n'), {}, split);
    expect(event).toMatchObject({ kind: 'request', start: 3, end: 3 + frame.length, text: frame });
    const plain = { envelope: 'none', validate: 'none' } as const;
    expect(events(joined(mark, frame, '\n'), plain, split)[0]).toMatchObject({ start: 3, text: frame });
  });

  it('at any other frame is FRAME_BOM, right behind the first mark too', () => {
    expect(brief(joined(mark, mark, frame, '\n', frame, '\n'), {}, split)).toEqual([
      'fault FRAME_BOM @3',
      'request id 1',
    ]);
    expect(brief(joined('\n', mark, frame, '\n'), {}, split)).toEqual(['fault FRAME_BOM @1']);
    expect(brief(joined(frame, '\n', mark, '\n', frame, '\n'), {}, split)).toEqual([
      'request id 1',
      `fault FRAME_BOM @${frame.length + 1}`,
      'request id 1',
    ]);
  });

  it('after a space is JSON_SYNTAX', () => {
    expect(brief(joined('\n ', mark, frame, '\n'), {}, split)).toEqual(['fault JSON_SYNTAX @2']);
  });

  it('that is only half there is ill-formed', () => {
    expect(brief(joined(mark.slice(0, 2), frame, '\n'), {}, split)).toEqual(['fault FRAME_UTF8 @0']);
    expect(brief(joined(mark.slice(0, 1), '\n', frame, '\n'), {}, split)).toEqual([
      'fault FRAME_UTF8 @0',
      'request id 1',
    ]);
    expect(brief(joined(mark.slice(0, 2)), {}, split)).toEqual(['fault FRAME_TRUNCATED @2 unterminated']);
    expect(brief(joined(mark.slice(0, 1)), {}, split)).toEqual(['fault FRAME_TRUNCATED @1 unterminated']);
  });

  it('with nothing behind it is no frame', () => {
    expect(events(joined(mark), {}, split)).toEqual([]);
    expect(read(joined(mark, '\n'), {}, () => {}, split).stats().blankFrames).toBe(1);
  });

  it('inside a string is data', () => {
    const text = joined('{"jsonrpc":"2.0","id":"', mark, '","method":"m"}\n');
    expect(values(text, {}, split)).toEqual([{ jsonrpc: '2.0', id: '\ufeff', method: 'm' }]);
    expect(events(text, {}, split)[0]?.idText).toBe('"\ufeff"');
  });

  it('of UTF-16 is no mark here', () => {
    expect(brief(joined([0xff, 0xfe, 0x7b, 0x00], '\n'), {}, split)).toEqual(['fault FRAME_UTF8 @0']);
  });
});
