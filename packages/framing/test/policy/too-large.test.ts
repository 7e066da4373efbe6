import { describe, expect, it } from 'vitest';
import { events, type FrameEvent, joined, read, type Settings } from '../support/events.ts';

const window = 4096;
const good = '{"jsonrpc":"2.0","id":"ok","method":"ping"}\n';

/** Below, at and far above the window; each of these frames is far over its limit. */
const sizes = [2000, window - 1, window, window + 1, 3 * window];
const filler = (byteCount: number): string => `"params":{"x":"${'x'.repeat(byteCount)}"}`;

interface Case {
  readonly name: string;
  readonly frame: (byteCount: number) => string;
  readonly id: string | undefined;
  readonly method: string | undefined;
}

const long = 'm'.repeat(1025);
const longest = 'm'.repeat(1024);

const cases: readonly Case[] = [
  {
    name: 'before the bulk',
    frame: (n) => `{"jsonrpc":"2.0","id":1,"method":"m",${filler(n)}}`,
    id: '1',
    method: 'm',
  },
  {
    name: 'after the bulk',
    frame: (n) => `{${filler(n)},"method":"late","id":"b","jsonrpc":"2.0"}`,
    id: '"b"',
    method: 'late',
  },
  { name: 'around the bulk', frame: (n) => `{"id":1.0,${filler(n)},"method":"m"}`, id: '1.0', method: 'm' },
  {
    name: 'under escaped keys',
    frame: (n) => `{"\\u0069d":7,${filler(n)},"m\\u0065thod":"a\\u0062\\/"}`,
    id: '7',
    method: 'ab/',
  },
  {
    name: 'of an answer',
    frame: (n) => `{"result":{"t":"${'x'.repeat(n)}"},"jsonrpc":"2.0","id":12}`,
    id: '12',
    method: undefined,
  },
  {
    name: 'of 1,024 bytes',
    frame: (n) => `{"id":1,"method":"${longest}",${filler(n)}}`,
    id: '1',
    method: longest,
  },
  {
    name: 'of 1,025 bytes: absent',
    frame: (n) => `{"id":1,"method":"${long}",${filler(n)}}`,
    id: '1',
    method: undefined,
  },
  {
    name: 'of 1,025 bytes at the end: absent',
    frame: (n) => `{${filler(n)},"id":1,"method":"${long}"}`,
    id: '1',
    method: undefined,
  },
  {
    name: 'given twice: absent',
    frame: (n) => `{"id":1,"method":"a",${filler(n)},"id":1,"method":"b"}`,
    id: undefined,
    method: undefined,
  },
  {
    name: 'given twice in other spellings: absent',
    frame: (n) => `{"id":1,${filler(n)},"\\u0069d":2}`,
    id: undefined,
    method: undefined,
  },
  {
    name: 'that is null',
    frame: (n) => `{"id":null,${filler(n)},"method":null}`,
    id: undefined,
    method: undefined,
  },
  {
    name: 'deeper only',
    frame: (n) => `{"params":{"id":1,"method":"m","x":"${'x'.repeat(n)}"}}`,
    id: undefined,
    method: undefined,
  },
  {
    name: 'of a batch',
    frame: (n) => `[{"id":1,"method":"m",${filler(n)}}]`,
    id: undefined,
    method: undefined,
  },
];

const splits = ['whole', 1, 1000, 3072, 4096, 5000] as const;

describe.each(sizes)('of a frame over the limit, its bulk %i bytes', (byteCount) => {
  it.each(cases)('id and method are known: $name', ({ frame, id, method }) => {
    const json = frame(byteCount);
    for (const end of ['\n', '\r\n']) {
      for (const split of splits) {
        const settings: Settings = { maxFrameBytes: 1024, windowBytes: window };
        const [bad, next, ...more] = events(joined(good, json, end, good), settings, split).slice(1);
        expect(bad).toMatchObject({
          kind: 'fault',
          code: 'FRAME_TOO_LARGE',
          start: good.length,
          end: good.length + json.length,
          offset: good.length + 1024,
          idText: id,
          method,
          payloadText: undefined,
          text: '',
          preview: json.slice(0, 32).replaceAll('\\', '\\\\').slice(0, 64),
        } satisfies Partial<FrameEvent>);
        expect([next?.idText, more]).toEqual(['"ok"', []]);
      }
    }
  });
});

describe('a frame over the limit', () => {
  const settings: Settings = { maxFrameBytes: 8192, windowBytes: window };
  const call = `{"jsonrpc":"2.0","id":1,"method":"m",${filler(20_000)}}`;

  it('says which members it had', () => {
    expect(events(`${call}\n`, settings, 1000)[0]?.members).toBe('mp');
    expect(events(`{"result":{"a":"${'x'.repeat(9000)}"},"id":1}\n`, settings, 1000)[0]?.members).toBe('r');
  });

  it('beats every other code', () => {
    const faulty = [
      joined('nope', 'x'.repeat(9000)),
      joined([0xff], 'x'.repeat(9000)),
      joined(call, call),
      joined('[', call, ',]'),
    ];
    for (const bytes of faulty) {
      for (const split of splits) {
        expect(
          events(joined(bytes, '\n', good), settings, split).map(({ code, idText }) => [code, idText])[1],
        ).toEqual([undefined, '"ok"']);
        expect(events(joined(bytes, '\n', good), settings, split)[0]?.code).toBe('FRAME_TOO_LARGE');
        expect(events(bytes, settings, split)[0]).toMatchObject({
          code: 'FRAME_TOO_LARGE',
          unterminated: true,
        });
      }
    }
  });

  it('keeps id and method known at the end of the stream', () => {
    for (const split of splits)
      expect(events(call, settings, split)[0]).toMatchObject({ idText: '1', method: 'm' });
    for (const split of splits)
      expect(events(call.slice(0, -2), settings, split)[0]).toMatchObject({ idText: '1', method: 'm' });
  });

  it('keeps an id that the window cuts at any place', () => {
    for (let before = window - 40; before <= window + 10; before++) {
      const json = `{"x":"${'x'.repeat(before - 7)}","id":"cut-me-here","method":"and-me",${filler(9000)}}`;
      for (const split of [window, 1000]) {
        expect(events(`${json}\n`, settings, split)[0]).toMatchObject({
          idText: '"cut-me-here"',
          method: 'and-me',
        });
      }
    }
  });

  it('has no id where the id is no valid text, since no answer could name it', () => {
    const json = joined('{"jsonrpc":"2.0","id":"a', [0xff], `","method":"m",${filler(9000)}}\n`);
    for (const utf8 of ['strict', 'replace'] as const) {
      for (const split of splits)
        expect(events(json, { ...settings, utf8 }, split)[0]?.idText).toBeUndefined();
    }
  });

  it("takes the last id under duplicates: 'last'", () => {
    const json = `{"id":1,${filler(9000)},"id":"two"}\n`;
    for (const split of splits) {
      expect(events(json, { ...settings, duplicates: 'last' }, split)[0]?.idText).toBe('"two"');
    }
  });

  it('is counted in bytes, and so is what was dropped', () => {
    for (const split of ['whole', 1000] as const) {
      const stats = read(`${call}\n${good}`, settings, () => {}, split).stats();
      expect(stats).toMatchObject({ frames: 2, faults: 1, droppedBytes: call.length, storedBytes: 0 });
    }
  });
});
