import { describe, expect, it } from 'vitest';
import type { ServerSession } from '../../src/server/serve-options.ts';
import { serve } from '../../src/server/server-session.ts';
import { endlessTurns } from '../support/endless-turns.ts';
import { exampleServer, INITIALIZE } from '../support/example-server.ts';
import { type Frame, Wire } from '../support/wire.ts';

endlessTurns();

const PING = '{"jsonrpc":"2.0","id":99,"method":"ping"}';
const PONG = { jsonrpc: '2.0', id: 99, result: {} };

interface Played {
  readonly answers: Frame[];
  readonly session: ServerSession;
  readonly reports: string[];
}

/** Plays lines to an initialized server, with a ping behind that must be answered whatever came before. */
function play(...lines: (string | Uint8Array)[]): Played {
  const reports: string[] = [];
  const wire = new Wire({ maxFrameBytes: 1024 });
  const session = serve(exampleServer(), wire, { onReport: (report) => reports.push(report.code) });
  wire.feed(INITIALIZE);
  wire.take();
  for (const line of lines) {
    if (typeof line === 'string') wire.feed(line);
    else wire.feedBytes(line);
  }
  wire.feed(PING);
  const answers = wire.take();
  expect(answers.pop()).toEqual(PONG);
  return { answers, session, reports };
}

describe('bad input', () => {
  it.each(['', '   ', '\t', '\r'])('a blank line (%j) is skipped without a report', (line) => {
    const { answers, reports } = play(line);
    expect(answers).toEqual([]);
    expect(reports).toEqual([]);
  });

  it.each([
    ['text', 'not json'],
    ['truncated JSON', '{"jsonrpc":"2.0","id":8,"method":"ping"'],
    ['two values', '{"jsonrpc":"2.0","id":8,"method":"ping"}{}'],
    ['a doubled envelope member', '{"jsonrpc":"2.0","id":8,"id":9,"method":"ping"}'],
    ['an LSP header', 'Content-Length: 40'],
    ['UTF-16', 'p\u0000i\u0000'],
  ])('%s is a fault: reported, counted, not answered', (_, line) => {
    const { answers, session, reports } = play(line);
    expect(answers).toEqual([]);
    expect(session.stats.faults).toBe(1);
    expect(reports).toHaveLength(1);
  });

  it('invalid UTF-8 is a fault', () => {
    const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":"?"}}\n');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    const { answers, reports } = play(bytes);
    expect(answers).toEqual([]);
    expect(reports).toEqual(['FRAME_UTF8']);
  });

  it.each(['null', '42', '"x"', 'true'])('the scalar %s is dropped and reported', (line) => {
    const { answers, reports } = play(line);
    expect(answers).toEqual([]);
    expect(reports).toHaveLength(1);
  });

  it.each(['[]', `[${PING}]`])('the array %s is dropped and reported', (line) => {
    const { answers, session, reports } = play(line);
    expect(answers).toEqual([]);
    expect(session.stats.batches).toBe(1);
    expect(reports).toEqual(['BATCH_REFUSED']);
  });

  it.each(['null', '1.5', 'true', '{}', '[1]'])(
    'a request with id %s never runs and is not answered',
    (id) => {
      const { answers, session } = play(
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"}}}`,
      );
      expect(answers).toEqual([]);
      expect(session.stats.invalid).toBe(1);
    },
  );

  it.each([
    ['no jsonrpc', '{"id":8,"method":"ping"}'],
    ['jsonrpc "1.0"', '{"jsonrpc":"1.0","id":8,"method":"ping"}'],
    ['jsonrpc 2', '{"jsonrpc":2,"id":8,"method":"ping"}'],
    ['a method that is a number', '{"jsonrpc":"2.0","id":8,"method":5}'],
    ['a method that is null', '{"jsonrpc":"2.0","id":8,"method":null}'],
    ['params that are an array', '{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}'],
    ['params that are text', '{"jsonrpc":"2.0","id":8,"method":"ping","params":"a"}'],
  ])('a request with %s is -32600 by its id', (_, line) => {
    const { answers, session } = play(line);
    expect(answers).toEqual([
      {
        jsonrpc: '2.0',
        id: 8,
        error: { code: -32600, message: expect.stringMatching(/^Invalid request: /) },
      },
    ]);
    expect(session.stats.invalid).toBe(1);
  });

  it.each([
    ['neither method nor outcome', '{"jsonrpc":"2.0","id":8}'],
    ['both result and error', '{"jsonrpc":"2.0","id":8,"result":{},"error":{"code":1,"message":"x"}}'],
    ['method together with result', '{"jsonrpc":"2.0","id":8,"method":"ping","result":{}}'],
    ['method together with error', '{"jsonrpc":"1.0","id":8,"method":"ping","error":{}}'],
    ['an answer without jsonrpc', '{"id":8,"result":{}}'],
    ['a result that is null', '{"jsonrpc":"2.0","id":8,"result":null}'],
    ['no jsonrpc and no usable id', '{"id":null,"method":"ping"}'],
    ['a notification with params that are text', '{"jsonrpc":"2.0","method":"x","params":"a"}'],
  ])('%s is dropped: counted, reported, not answered', (_, line) => {
    const { answers, session, reports } = play(line);
    expect(answers).toEqual([]);
    expect(session.stats.invalid).toBe(1);
    expect(reports).toHaveLength(1);
  });

  it('params null are absent', () => {
    const { answers } = play('{"jsonrpc":"2.0","id":8,"method":"ping","params":null}');
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 8, result: {} }]);
  });

  it.each([
    [
      'a request',
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"text":01}}}',
    ],
    ['a request of an unknown method', '{"jsonrpc":"2.0","id":8,"method":"no/such","params":{"a":tru}}'],
    ['an invalid request', '{"jsonrpc":"1.0","id":8,"method":"ping","params":{"a":[1,]}}'],
    ['a cancel', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":+1}}'],
  ])('bad JSON deep inside %s is a fault of that frame, and no answer', (_, line) => {
    const { answers, session, reports } = play(line);
    expect(answers).toEqual([]);
    expect(session.stats.faults).toBe(1);
    expect(reports).toEqual(['JSON_SYNTAX']);
  });

  it('a request over the limit is -32600 with the limit and its size', () => {
    const line = `{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":"${'x'.repeat(2000)}"}}`;
    const { answers, session, reports } = play(line);
    expect(answers).toEqual([
      {
        jsonrpc: '2.0',
        id: 8,
        error: { code: -32600, message: expect.any(String), data: { limit: 1024, actual: line.length } },
      },
    ]);
    expect(session.stats.faults).toBe(1);
    expect(reports).toEqual(['FRAME_TOO_LARGE']);
  });

  it('T43: id and method behind the payload of a request over the limit are found', () => {
    const { answers } = play(
      `{"params":{"a":"${'x'.repeat(2000)}"},"method":"ping","jsonrpc":"2.0","id":"last"}`,
    );
    expect(answers[0]).toMatchObject({ id: 'last', error: { code: -32600 } });
  });

  it.each([
    ['an answer', `{"jsonrpc":"2.0","id":8,"result":{"a":"${'x'.repeat(2000)}"}}`],
    ['a notification', `{"jsonrpc":"2.0","method":"x","params":{"a":"${'x'.repeat(2000)}"}}`],
    [
      'a request with a bad id',
      `{"jsonrpc":"2.0","id":null,"method":"x","params":{"a":"${'x'.repeat(2000)}"}}`,
    ],
  ])('%s over the limit is only counted and reported', (_, line) => {
    const { answers, reports } = play(line);
    expect(answers).toEqual([]);
    expect(reports).toEqual(['FRAME_TOO_LARGE']);
  });

  it('T42: CRLF, spaces around and a BOM at the start of the stream are taken', () => {
    const wire = new Wire();
    serve(exampleServer(), wire);
    wire.feedBytes(new TextEncoder().encode(`\uFEFF${PING}\r\n  ${PING}\t \n`));
    expect(wire.take()).toEqual([PONG, PONG]);
  });

  it('a BOM later on is a fault', () => {
    expect(play(`\uFEFF${PING}`).reports).toEqual(['FRAME_BOM']);
  });

  it.each([
    '1',
    '0',
    '-7',
    '""',
    '"a\\u0062"',
    '1.0',
    '1e2',
    '-0',
    '9007199254740993',
    '123456789012345678901234567890',
  ])('the id %s comes back as it was written', (id) => {
    const wire = new Wire();
    serve(exampleServer(), wire);
    wire.feed(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect(wire.sent).toEqual([`{"jsonrpc":"2.0","id":${id},"result":{}}`]);
  });
});
