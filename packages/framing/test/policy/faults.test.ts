import { describe, expect, it } from 'vitest';
import { createFrameReader, DATA_CODES, type FrameCode } from '../../src/index.ts';
import { events, joined, type Settings } from '../support/events.ts';

const good = '{"jsonrpc":"2.0","id":"ok","method":"ping"}\n';

interface Example {
  readonly code: FrameCode;
  readonly why: string;
  readonly bytes: Uint8Array;
  /** From the frame's first byte. */
  readonly offset: number;
  readonly settings?: Settings;
}

function example(
  code: FrameCode,
  why: string,
  frame: string | readonly number[],
  offset: number,
  settings: Settings = {},
): Example {
  return { code, why, bytes: joined(frame), offset, settings };
}

const call = '{"jsonrpc":"2.0","id":1,"method":"m"';

/** Faults and invalid messages by code; an invalid message is complained about from its first byte on. */
const examples: readonly Example[] = [
  example('FRAME_TOO_LARGE', 'one byte over the limit', `"${'x'.repeat(1023)}"`, 1024, {
    maxFrameBytes: 1024,
  }),
  example('FRAME_UTF8', 'a byte that begins no sequence', [0x22, 0x61, 0xff, 0x22], 2),
  example('FRAME_UTF8', 'an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1),
  example('FRAME_UTF8', 'an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1),
  example('FRAME_UTF8', 'a value above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1),
  example('FRAME_UTF8', 'a sequence cut by a quotation mark', [0x22, 0x61, 0xf0, 0x9f, 0x22], 2),
  example('FRAME_UTF8', 'a sequence cut by the end', [0x22, 0xe0, 0xb8], 1),
  example('FRAME_UTF8', 'an ill-formed sequence where no text may be', [0x7b, 0x80], 1),
  example('FRAME_BOM', 'a byte order mark before a later frame', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], 0),
  example('FRAME_LSP_HEADER', 'a header in any case', 'cONTENT-length: 12', 0),
  example('JSON_SYNTAX', 'a word', 'npm notice', 1),
  example('JSON_SYNTAX', 'a word that begins like a header', 'Content-Type: text', 0),
  example('JSON_SYNTAX', 'a comma too many', '{"a":1,}', 7),
  example('JSON_SYNTAX', 'a missing colon', '{"a" 1}', 5),
  example('JSON_SYNTAX', 'missing bytes: the frame ends too early', '{"a":1', 6),
  example('JSON_SYNTAX', 'an unclosed string', '"abc', 4),
  example('JSON_SYNTAX', 'a bracket of the wrong kind', '[1}', 2),
  example('JSON_SYNTAX', 'a bad escape, at the letter', '"\\x41"', 2),
  example('JSON_SYNTAX', 'a bad hexadecimal digit', '"\\u00g0"', 5),
  example('JSON_SYNTAX', 'a control byte in a string', '"a\u0000"', 2),
  example('JSON_SYNTAX', 'a leading zero', '[01]', 2),
  example('JSON_SYNTAX', 'a point without digits', '1.', 2),
  example('JSON_SYNTAX', 'half a literal', 'nul', 3),
  example('JSON_SYNTAX', 'something after a whole root number', '1 2', 2),
  example('JSON_SYNTAX', 'something after a whole root literal', 'true x', 5),
  example('JSON_SYNTAX', 'a byte order mark between tokens', '[\ufeff1]', 1),
  example('JSON_SYNTAX', 'a space that JSON does not know', '[\u00a01]', 1),
  example('JSON_DEPTH', 'one level too many, at its bracket', '[[[1]]]', 2, { maxDepth: 2 }),
  example('JSON_TRAILING', 'a second object', '{"a":1}{}', 7),
  example('JSON_TRAILING', 'a bracket too many', '{"a":1}}', 7),
  example('JSON_TRAILING', 'something after a whole root array', '[] x', 3),
  example('JSON_TRAILING', 'something after a whole root string', '"a" "b"', 4),
  example('JSON_TRAILING', 'text beyond ASCII after a whole root', '{} é', 3),
  example('ENVELOPE_DUPLICATE', 'the quotation mark of the second key', `${call},"id":2}`, call.length + 1),
  example('ENVELOPE_VERSION', 'no jsonrpc', '{"id":1,"method":"m"}', 0),
  example('ENVELOPE_ID', 'an id that is null', '{"jsonrpc":"2.0","id":null,"method":"m"}', 0),
  example('ENVELOPE_METHOD', 'a method that is no string', '{"jsonrpc":"2.0","id":1,"method":2}', 0),
  example('ENVELOPE_PARAMS', 'params that are an array', `${call},"params":[]}`, 0),
  example('ENVELOPE_OUTCOME', 'neither method nor result nor error', '{"jsonrpc":"2.0","id":1}', 0),
  example('ENVELOPE_SHAPE', 'a scalar', '42', 0),
];

describe('a bad frame between two good ones', () => {
  it.each(examples)(
    'is one $code with its offset, and the next frame is served: $why',
    ({ code, bytes, offset, settings }) => {
      const stream = joined(good, bytes, '\n', good);
      for (const split of ['whole', 1] as const) {
        const [before, bad, after, ...more] = events(stream, settings, split);
        expect([before?.kind, after?.kind, more]).toEqual(['request', 'request', []]);
        expect(bad).toMatchObject({
          code,
          kind: DATA_CODES.find((entry) => entry.code === code)?.makes,
          start: good.length,
          end: good.length + bytes.length,
          offset: good.length + offset,
        });
      }
    },
  );

  it.each(examples.filter(({ settings }) => settings?.maxFrameBytes === undefined))(
    'is the same with a CR before the newline: $code, $why',
    ({ bytes, settings }) => {
      expect(events(joined(bytes, '\r\n'), settings)).toEqual(events(joined(bytes, '\n'), settings));
    },
  );
});

describe('the data codes', () => {
  it('have an example each, here or for the end of a stream', () => {
    const shown = new Set(examples.map(({ code }) => code));
    const [cut] = events('{');
    if (cut?.code !== undefined) shown.add(cut.code);
    expect([...shown].sort()).toEqual(DATA_CODES.map(({ code }) => code).sort());
  });
});

describe('of two faults in a frame', () => {
  const first = (frame: Uint8Array | string, settings: Settings = {}): string => {
    const [event] = events(joined(frame, '\n'), settings);
    return `${event?.code} @${event?.offset}`;
  };

  it('the one with the smaller offset is told', () => {
    expect(first(joined('["', [0xff], '" x]'))).toBe('FRAME_UTF8 @2');
    expect(first(joined('[x "', [0xff], '"]'))).toBe('JSON_SYNTAX @1');
    expect(first('[[[x]]]', { maxDepth: 2 })).toBe('JSON_DEPTH @2');
    expect(first('{"id":1,"id":2,x}')).toBe('ENVELOPE_DUPLICATE @8');
    expect(first('{"id":1,x,"id":2}')).toBe('JSON_SYNTAX @8');
    expect(first(joined('{"id":1,"id":"', [0xff], '"}'))).toBe('ENVELOPE_DUPLICATE @8');
    expect(first('{} "x')).toBe('JSON_TRAILING @3');
  });

  it('a key that is no string to its end is not a duplicate', () => {
    expect(first('{"id":1,"id')).toBe('JSON_SYNTAX @11');
  });

  it('a duplicate beats every other breach of the envelope', () => {
    expect(first('{"id":null,"id":2}')).toBe('ENVELOPE_DUPLICATE @11');
  });

  it('an ill-formed sequence beats the syntax fault at the same byte', () => {
    expect(first(joined('{}', [0xff]))).toBe('FRAME_UTF8 @2');
    expect(first(joined('{}', [0xff]), { utf8: 'replace' })).toBe('JSON_TRAILING @2');
    expect(first(joined([0xef, 0xbb], '{}'))).toBe('FRAME_UTF8 @0');
  });
});

describe('a fault', () => {
  it('carries at most 32 bytes from the start of the frame, escaped', () => {
    const [event] = events(joined('\u001b[31m"\\é', 'x'.repeat(60), '\n'));
    expect(event?.preview).toBe(`\\x1b[31m"\\\\\\xc3\\xa9${'x'.repeat(23)}`);
  });

  it('carries no id and no method, good as they may look', () => {
    const [event] = events('{"jsonrpc":"2.0","id":1,"method":"m","params":x}\n');
    expect(event).toMatchObject({
      code: 'JSON_SYNTAX',
      idText: undefined,
      idKey: undefined,
      method: undefined,
      members: '',
    });
  });

  it('never quotes more of a frame than the preview in its message', () => {
    const secret = 'x'.repeat(40);
    for (const split of ['whole', 7] as const) {
      const [event] = events(`nope ${secret}\n`, {}, split);
      expect(event?.preview).toBe(`nope ${'x'.repeat(27)}`);
    }
  });
});

it.each(['{x "é"}', '[1,]é', '{"a":1} ทดสอบ', '{"a":\u0001"ก"}'])(
  'the text of %j is told as it is, though nobody looks at what stands behind the fault',
  (text) => {
    const told: unknown[] = [];
    const reader = createFrameReader({
      onFrames: (batch) => void told.push(batch.kind(0), batch.ascii(0), batch.text(0)),
    });
    reader.push(Buffer.from(`${text}\n`));
    expect(told).toEqual(['fault', false, text]);
  },
);
