import { describe, expect, it } from 'vitest';
import { brief, events, joined, type Settings } from '../support/events.ts';

const good = '{"jsonrpc":"2.0","id":"ok","method":"ping"}\n';
const served = 'request id "ok"';

/** A request of exactly `byteCount` bytes. */
function request(byteCount: number): string {
  const head = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"';
  return `${head}${'x'.repeat(byteCount - head.length - 3)}"}}`;
}

describe.each<Settings>([
  { maxFrameBytes: 1024, windowBytes: 4096 },
  { maxFrameBytes: 5000, windowBytes: 4096 },
  { maxFrameBytes: 4096, windowBytes: 4096 },
  { maxFrameBytes: 4095, windowBytes: 4096, validate: 'envelope' },
  { maxFrameBytes: 3072, windowBytes: 4096 },
])('maxFrameBytes $maxFrameBytes with a window of $windowBytes', (settings) => {
  const limit = settings.maxFrameBytes as number;
  const fault = `fault FRAME_TOO_LARGE @${limit} id 1`;
  const splits = [
    'whole',
    1,
    1000,
    [limit - 1],
    [limit],
    [limit + 1],
    [limit, limit + 1],
    [limit + 2],
  ] as const;

  it.each(splits)('takes a frame of the limit and refuses one byte more, split %j', (split) => {
    for (const end of ['\n', '\r\n']) {
      expect(brief(request(limit - 1) + end + good, settings, split)).toEqual(['request id 1', served]);
      expect(brief(request(limit) + end + good, settings, split)).toEqual(['request id 1', served]);
      expect(brief(request(limit + 1) + end + good, settings, split)).toEqual([fault, served]);
    }
  });

  it.each(splits)('counts a CR that is not the last byte before the newline, split %j', (split) => {
    expect(brief(`${request(limit)}\r\r\n${good}`, settings, split)).toEqual([fault, served]);
    expect(brief(`${request(limit)}\r \n${good}`, settings, split)).toEqual([fault, served]);
    expect(brief(`${request(limit - 1)}\r\r\n${good}`, settings, split)).toEqual(['request id 1', served]);
    expect(brief(`${request(limit - 1)} \n${good}`, settings, split)).toEqual(['request id 1', served]);
    expect(brief(`${request(limit)} \n${good}`, settings, split)).toEqual([fault, served]);
  });

  it.each(splits)('does not count the byte order mark that opens the stream, split %j', (split) => {
    const marked = joined([0xef, 0xbb, 0xbf], `${request(limit)}\n${good}`);
    expect(brief(marked, settings, split)).toEqual(['request id 1', served]);
  });

  it.each(splits)('holds at the end of the stream too, split %j', (split) => {
    const over = `fault FRAME_TOO_LARGE @${limit}`;
    expect(brief(request(limit), settings, split)).toEqual(['request id 1 unterminated']);
    expect(brief(`${request(limit)}\r`, settings, split)).toEqual(['request id 1 unterminated']);
    expect(brief(request(limit + 1), settings, split)).toEqual([`${over} id 1 unterminated`]);
    expect(brief('x'.repeat(limit + 1), settings, split)).toEqual([`${over} unterminated`]);
    expect(brief('x'.repeat(limit), settings, split)).toEqual([
      `fault FRAME_TRUNCATED @${limit} unterminated`,
    ]);
  });

  it('tells the limit and the length', () => {
    const [event] = events(`${request(limit + 1)}\n`, settings, 1000);
    expect(event).toMatchObject({ limit, actual: limit + 1, start: 0, end: limit + 1 });
  });
});

describe('maxFrameBytes without validation', () => {
  const settings: Settings = { validate: 'none', envelope: 'none', maxFrameBytes: 5000, windowBytes: 4096 };
  it.each(['whole', 1, 1000, [5000], [5001]] as const)('decides by one byte, split %j', (split) => {
    for (const end of ['\n', '\r\n', '']) {
      expect(brief('x'.repeat(5000) + end, settings, split)).toEqual([
        end === '' ? 'value unterminated' : 'value',
      ]);
      const over = brief('x'.repeat(5001) + end, settings, split);
      expect(over).toEqual([`fault FRAME_TOO_LARGE @5000${end === '' ? ' unterminated' : ''}`]);
    }
  });
});

describe('maxDepth', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}\n`;
  const deepParams = (depth: number): string =>
    `{"jsonrpc":"2.0","id":1,"method":"m","params":${'{"a":'.repeat(depth - 2)}{}${'}'.repeat(depth - 2)}}\n`;

  it.each([1, 2, 3, 30, 31, 32, 33, 63, 64, 65, 512])(
    '%i is the deepest level, the root counted as one',
    (maxDepth) => {
      for (const validate of ['full', 'envelope'] as const) {
        for (const envelope of ['jsonrpc', 'none'] as const) {
          const good = envelope === 'none' ? 'value' : 'batch';
          const settings = { maxDepth, validate, envelope };
          expect(brief(nested(maxDepth), settings)).toEqual([good]);
          expect(brief(nested(maxDepth + 1), settings)).toEqual([`fault JSON_DEPTH @${maxDepth}`]);
        }
      }
    },
  );

  it.each([2, 3, 30, 31, 32, 33, 64])('%i holds inside params', (maxDepth) => {
    for (const validate of ['full', 'envelope'] as const) {
      for (const split of ['whole', 1] as const) {
        expect(brief(deepParams(maxDepth), { maxDepth, validate }, split)).toEqual(['request id 1']);
        expect(brief(deepParams(maxDepth + 1), { maxDepth, validate }, split)).toEqual([
          `fault JSON_DEPTH @${46 + 5 * (maxDepth - 1)}`,
        ]);
      }
    }
  });

  it('tells the limit', () => {
    expect(events(nested(4), { maxDepth: 3 })[0]?.limit).toBe(3);
  });

  it('does not hide what stands after the depth it refuses', () => {
    expect(brief(`{"a":[[1]],"id":1}\n${good}`, { maxDepth: 2 })).toEqual(['fault JSON_DEPTH @6', served]);
  });
});

describe('maxIdBytes', () => {
  const settings: Settings = { maxIdBytes: 16 };
  const withId = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"m"}\n`;
  const [kind] = ['ENVELOPE_ID'];

  it('counts the bytes between the quotation marks of a string', () => {
    expect(brief(withId(`"${'x'.repeat(16)}"`), settings)).toEqual([`request id "${'x'.repeat(16)}"`]);
    expect(brief(withId(`"${'x'.repeat(17)}"`), settings)).toEqual([`invalid ${kind}`]);
    expect(brief(withId(`"${'é'.repeat(8)}"`), settings)).toEqual([`request id "${'é'.repeat(8)}"`]);
    expect(brief(withId(`"${'é'.repeat(8)}x"`), settings)).toEqual([`invalid ${kind}`]);
    expect(brief(withId('"\\u0041\\u0042abcd"'), settings)).toEqual(['request id "\\u0041\\u0042abcd"']);
    expect(brief(withId('"\\u0041\\u0042abcde"'), settings)).toEqual([`invalid ${kind}`]);
  });

  it('counts the digits of an integer by value, its spelling aside', () => {
    for (const id of [
      '1234567890123456',
      '-1234567890123456',
      '1e15',
      '10e14',
      '1.000000000000000000',
      '0.0000000000000000000001e22',
    ]) {
      expect(brief(withId(id), settings)).toEqual([`request id ${id}`]);
    }
    for (const id of [
      '12345678901234567',
      '-12345678901234567',
      '1e16',
      '10e15',
      '1e999999999',
      '1e99999999999999999999',
    ]) {
      expect(brief(withId(id), settings)).toEqual([`invalid ${kind}`]);
    }
  });

  it('is 1,024 by default', () => {
    expect(brief(withId('7'.repeat(1024)))).toEqual([`request id ${'7'.repeat(1024)}`]);
    expect(brief(withId('7'.repeat(1025)))).toEqual([`invalid ${kind}`]);
    expect(brief(withId('1e1023'))).toEqual(['request id 1e1023']);
    expect(brief(withId('1e1024'))).toEqual([`invalid ${kind}`]);
  });
});
