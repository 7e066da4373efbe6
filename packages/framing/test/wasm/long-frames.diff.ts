import { describe, expect, it } from 'vitest';
import type { ScanEngine, ScanOptions } from '../../src/engine/engine.ts';
import { scalarEngine } from '../../src/scalar/engine.ts';
import { LINE_END, ROW_WORDS } from '../../src/table/row.ts';
import { wasmEngine } from '../../src/wasm/engine.ts';
import { account, defaultOptions, expectEqualTables } from '../support/engine-account.ts';

/** Beginnings of up to 16 bytes wait in such a window; all else leaves it in pieces. */
const windowBytes = 64;
const engines = [scalarEngine, wasmEngine];

const modes: readonly Partial<ScanOptions>[] = [
  { validate: 'full' },
  { validate: 'envelope' },
  { validate: 'envelope', utf8: 'replace', duplicates: 'last' },
  { validate: 'full', envelope: 'none' },
  { validate: 'none', envelope: 'none' },
];

const frames = [
  '{"jsonrpc":"2.0","id":"early","method":"m","params":{"a":[1,"\\"}",{"b":null}]}}',
  '{"params":{"a":"\\\\","b":"\xe0\xb8\x97\xf0\x9f\x98\x80"},"method":"tools/call","id":-12.50e1,"jsonrpc":"2.0"}',
  '{"result":{"a":[[[[[]]]]]},"\\u0069d":"\\u0041\\n","jsonr\\u0070c":"2.\\u0030"}',
  '{"jsonrpc":"2.0","id":{"a":"]"},"method":"behind an id that is none","params":{}}',
  '{"method":["not a name"],"id":[1,2,{}],"jsonrpc":{"a":"2.0"},"params":null}',
  '{"id":1,"method":"twice","id":2,"method":"again","jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","method":"bad \xff\xe0\xb8 text","id":"\xc3"}',
  '{"jsonrpc":"2.0","method":"cut short","params":{"a":"\xf0\x9f',
  '{"jsonrpc":"2.0","id":true,"error":{"a":tru}}',
  '[{"jsonrpc":"2.0","id":1,"method":"m"},1,"x",[],{}]',
  `${' '.repeat(70)}\r`,
  `${' '.repeat(30)}{"a":1}${' '.repeat(30)}\r\r`,
  'Content-Length: 12 and so much more that it does not fit into the window at all',
  `"${'\xef\xbb\xbf'.repeat(30)}"`,
];

describe('both engines tell the same of a frame that leaves the window piece by piece', () => {
  it.each(modes)('cut at every byte, in pieces of every size, over the limit and within, %j', (mode) => {
    for (const frame of frames) {
      const bytes = Buffer.from(`{}\n${frame}\n{"a":1}`, 'latin1');
      for (const maxFrameBytes of [20, 50, 1 << 20]) {
        const options = { ...mode, windowBytes, maxFrameBytes, maxIdBytes: 16 };
        for (let step = 1; step <= 48; step++) expectEqualTables(bytes, steps(bytes.length, step), options);
        for (let cut = 1; cut < bytes.length; cut++) expectEqualTables(bytes, [cut], options);
      }
    }
  });

  it.each(modes)('and that tells what it tells of the frame in one piece, %j', (mode) => {
    const bytes = Buffer.from(frames.join('\n'), 'latin1');
    for (const maxFrameBytes of [20, 50, 1 << 20]) {
      const options = { ...defaultOptions, ...mode, maxFrameBytes, maxIdBytes: 16 };
      const whole = account(scalarEngine, bytes, [], options).frames;
      for (const engine of engines) {
        for (const step of [1, 2, 7, 33]) {
          const cuts = steps(bytes.length, step);
          expect(account(engine, bytes, cuts, { ...options, windowBytes }).frames).toEqual(whole);
        }
      }
    }
  });

  it('keeps the method of a frame over the limit while an id that is a container comes in pieces', () => {
    const bytes = Buffer.from(
      `{"method":"kept","id":{"a":"${'x'.repeat(200)}"},"jsonrpc":"2.0"}\n`,
      'latin1',
    );
    const options = { ...defaultOptions, windowBytes, maxFrameBytes: 100 };
    for (const engine of engines) {
      for (const cut of [30, 60, 100, 240]) {
        expect(account(engine, bytes, [cut], options).frames[0]).toContain('id  method kept,');
      }
    }
  });

  it('longer than 2^31 and 2^32 bytes, with the id at the end', () => {
    for (const length of [2 ** 31 - 1, 2 ** 31, 2 ** 32 + 70_000]) {
      const mode = { validate: 'none', envelope: 'none' } as const;
      expect(tellOfHuge(wasmEngine, length, mode)).toEqual(tellOfHuge(scalarEngine, length, mode));
    }
    const told = tellOfHuge(wasmEngine, 2 ** 32 + 70_000, { validate: 'envelope' });
    expect(told).toEqual(tellOfHuge(scalarEngine, 2 ** 32 + 70_000, { validate: 'envelope' }));
    expect(told).toMatchObject({ longFrameBytes: 2 ** 32 + 70_000, id: '"late"', method: 'early' });
  });
});

describe('both engines skip a byte order mark at the start of the stream', () => {
  const starts = [
    '',
    '\xef',
    '\xef\xbb',
    '\xef\xbb\xbf',
    '\xef\xbb\xbf\xef\xbb\xbf',
    '\xef\xbb\xc0',
    '\xef\xbc\xbf',
  ];

  it.each(modes)('cut anywhere, and nowhere else, %j', (mode) => {
    for (const start of starts) {
      for (const rest of [
        '',
        '{"a":1}',
        '\n',
        `\n${start}{}`,
        '\r\n{}',
        ' ',
        `{"${start}":"${start}"}\n${start}`,
      ]) {
        const bytes = Buffer.from(start + rest, 'latin1');
        expectEqualTables(bytes, steps(bytes.length, 1), { ...mode, windowBytes });
        for (let cut = 0; cut <= bytes.length; cut++) {
          // A turn that brings nothing changes nothing.
          expectEqualTables(bytes, [cut, cut], mode);
          for (let second = cut; second <= bytes.length; second++) {
            expectEqualTables(bytes, [cut, second], { ...mode, windowBytes });
          }
        }
      }
    }
  });
});

/** What a scanner says of one frame of `length` bytes, of which most is the same byte. */
function tellOfHuge(engine: ScanEngine, length: number, mode: Partial<ScanOptions>): object {
  const options = { ...defaultOptions, ...mode, maxFrameBytes: 2 ** 31 - 1 };
  const area = engine.openArea(options);
  const scanner = engine.createScanner(options);
  const head = Buffer.from('{"method":"early","params":{"a":"');
  const tail = Buffer.from('"},"\\u0069d":"late","jsonrpc":"2.0"}\n{}\n');
  const feed = (count: number): void => {
    scanner.enter(area, 0);
    scanner.scan(count);
    if (scanner.frameStart < scanner.position) scanner.spill();
  };
  area.window.fill('x'.charCodeAt(0));
  area.window.set(head);
  feed(area.window.length);
  area.window.fill('x'.charCodeAt(0));
  let left = length - area.window.length - tail.indexOf('\n');
  for (; left > 0; left -= area.window.length) feed(Math.min(left, area.window.length));
  area.window.set(tail);
  feed(tail.length);
  const { rowCount, longFrameBytes, captured } = scanner;
  const words = Array.from(area.rows.subarray(0, LINE_END + 1));
  const text = (from = 0, to = 0): string => Buffer.from(captured.subarray(from, to)).toString('latin1');
  const [, , , idStart, idEnd, methodStart, methodEnd] = words;
  const second = Array.from(area.rows.subarray(ROW_WORDS, ROW_WORDS + LINE_END + 1));
  return {
    rowCount,
    words,
    second,
    longFrameBytes,
    id: text(idStart, idEnd),
    method: text(methodStart, methodEnd),
  };
}

function steps(length: number, step: number): number[] {
  return Array.from({ length: Math.floor(length / step) }, (_, at) => (at + 1) * step);
}
