import { describe, expect, it } from 'vitest';
import { type LazyValue, lazyJson } from '../../../src/index.ts';
import { bytesOf, joined } from '../../support/events.ts';
import { during } from '../../support/lazy.ts';

const of = (text: string): LazyValue => lazyJson(bytesOf(text));

const error = (code: string, message: RegExp = /./): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('get', () => {
  it('takes the last of equal names, whatever its spelling', () => {
    const value = of(String.raw`{"id":1,"x":{"a":1},"\u0069d":2,"x":{"b":2}}`);
    expect(value.get('id').number()).toBe(2);
    expect(value.get('x').raw()).toBe('{"b":2}');
    expect(value.find('x', 'a')).toBeUndefined();
  });

  it('takes the first of them where that is asked for, and reads no further', () => {
    const value = of(String.raw`{"\u0069d":1,"x":{"a":1},"id":2,"x":{"b":2}}`);
    expect(value.getFirst('id').number()).toBe(1);
    expect(value.findFirst('x', 'a')?.number()).toBe(1);
    expect(value.findFirst('x', 'b')).toBeUndefined();
    expect(() => value.getFirst('x', 'b')).toThrow(error('PATH_MISSING'));
  });

  it('with no steps gives the value itself', () => {
    expect(of('[1]').get().raw()).toBe('[1]');
  });

  it('knows nothing of prototypes', () => {
    expect(of('{}').find('toString')).toBeUndefined();
    expect(of('{}').find('__proto__')).toBeUndefined();
    expect(of('{"__proto__":1}').get('__proto__').number()).toBe(1);
  });

  it('tells names apart that differ after a common length, and a prefix from the whole', () => {
    const value = of('{"ab":1,"a":2,"abc":3,"é":4,"e":5}');
    expect(['ab', 'a', 'abc', 'é', 'e'].map((name) => value.get(name).number())).toEqual([1, 2, 3, 4, 5]);
    expect(value.find('é́')).toBeUndefined();
  });

  it('throws PATH_MISSING with the path from the root, cut where it is long', () => {
    const value = of('{"a":{"b":[1,{"odd name":{}}]}}');
    expect(() => value.get('a', 'c')).toThrow(error('PATH_MISSING', /at \$\.a\.c$/));
    const inner = [...value.get('a').get('b').items()][1];
    expect(() => inner?.get('odd name', 'é'.repeat(99))).toThrow(
      error('PATH_MISSING', /at \$\.a\.b\[1\]\["odd name"\]\["(\\u00e9){32}"…\]$/),
    );
    expect(() => of('[1]').get(1)).toThrow(error('PATH_MISSING', /at \$\[1\]$/));
    for (const index of [-1, 0.5, Number.NaN, 2 ** 32]) expect(of('[1]').find(index)).toBeUndefined();
    const deep = of(`${'[['.repeat(20)}${']]'.repeat(20)}`);
    expect(() => deep.get(...new Array(40).fill(0))).toThrow(error('PATH_MISSING', /at …(\[0\]){8}$/));
  });

  it('throws VALUE_KIND for a step that does not fit, also from find', () => {
    const value = of('{"a":{"b":[1]},"s":"x"}');
    expect(() => value.get('a', 'b', 'c')).toThrow(
      error('VALUE_KIND', /^\$\.a\.b is an array, not an object$/),
    );
    expect(() => value.find('a', 0)).toThrow(error('VALUE_KIND', /^\$\.a is an object, not an array$/));
    expect(() => value.get('s', 'length')).toThrow(error('VALUE_KIND', /^\$\.s is a string, not an object$/));
  });
});

const readers = [
  'string',
  'number',
  'bigint',
  'numberText',
  'boolean',
  'items',
  'members',
  'length',
] as const;
const fits: Readonly<Record<string, readonly string[]>> = {
  '{}': ['members'],
  '[]': ['items', 'length'],
  '"1"': ['string'],
  '1': ['number', 'bigint', 'numberText'],
  true: ['boolean'],
  false: ['boolean'],
  null: [],
};

function readBy(value: LazyValue, reader: (typeof readers)[number]): unknown {
  return reader === 'length' ? value.length : value[reader]();
}

describe('kinds', () => {
  it.each(Object.keys(fits))(
    '%s is read by what fits it, and VALUE_KIND comes from everything else',
    (text) => {
      for (const reader of readers) {
        const act = (): unknown => readBy(of(`{"v":${text}}`).get('v'), reader);
        if (fits[text]?.includes(reader)) expect(act).not.toThrow();
        else expect(act).toThrow(error('VALUE_KIND', /^\$\.v is .+, not an? \w+$/));
      }
    },
  );

  it('are named, and null is told without a name', () => {
    const kinds = ['{}', '[]', '""', '-1', 'true', 'false', 'null'].map((text) => [
      of(text).kind,
      of(text).isNull,
    ]);
    expect(kinds).toEqual([
      ['object', false],
      ['array', false],
      ['string', false],
      ['number', false],
      ['boolean', false],
      ['boolean', false],
      ['null', true],
    ]);
  });
});

describe('numbers', () => {
  it('keep every digit as bigint and as text', () => {
    expect(of('123456789012345678901234567890').bigint()).toBe(123456789012345678901234567890n);
    expect(
      ['1e3', '1.0', '-0', '10e-1', '-1.50e1', '0e999999999', '0.0'].map((text) => of(text).bigint()),
    ).toEqual([1000n, 1n, 0n, 1n, -15n, 0n, 0n]);
    expect(of('[ -1.50E+1 ]').get(0).numberText()).toBe('-1.50E+1');
  });

  it('that are fractions are no bigint', () => {
    for (const text of ['1.5', '1e-1', '1e-999999999999'])
      expect(() => of(text).bigint()).toThrow(error('VALUE_KIND', /is a fraction, not an integer$/));
  });

  it('of more than 1,000 digits are refused as bigint with VALUE_RANGE, however short they are written', () => {
    expect(of('1e999').bigint()).toBe(10n ** 999n);
    for (const text of ['1e1000', '1e999999999', '9'.repeat(1001), `1e${'9'.repeat(400)}`])
      expect(() => of(text).bigint()).toThrow(expect.objectContaining({ code: 'VALUE_RANGE', limit: 1000 }));
  });

  it('are -0 where they are written so', () => {
    expect(of('-0').number()).toBe(-0);
    expect(of('-0.0').number()).toBe(-0);
  });
});

describe('members and items', () => {
  it('come in the order of the text, equal names as often as they stand', () => {
    const value = of(String.raw`{"b":1,"1":2,"\u0062":[3], "__proto__" : null}`);
    const told = Array.from(value.members(), ([name, member]) => `${name} ${member.raw()}`);
    expect(told).toEqual(['b 1', '1 2', 'b [3]', '__proto__ null']);
  });

  it('know their paths', () => {
    for (const [, member] of of('{"a b":[true]}').members())
      for (const item of member.items())
        expect(() => item.string()).toThrow(
          error('VALUE_KIND', /^\$\["a b"\]\[0\] is a boolean, not a string$/),
        );
  });

  it('of empty containers are none, white space in them or not', () => {
    expect([
      ...of('{}').members(),
      ...of('{ }').members(),
      ...of('[]').items(),
      ...of('[ ]').items(),
    ]).toEqual([]);
    expect(of(' [ ] ').length).toBe(0);
  });
});

describe('a frame', () => {
  it('is lazy whole or by its payload', () => {
    const seen: unknown[] = [];
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":[1]}}',
      ' {"jsonrpc":"2.0","id":1,"result":{"y":2}} \r',
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":""}}',
      '{"jsonrpc":"2.0","method":"m"}',
    ];
    during(`${lines.join('\n')}\n`, (batch, i) => {
      seen.push(batch.lazyPayload(i)?.raw());
      expect(batch.lazy(i).raw()).toBe(lines[i]?.trim());
    });
    expect(seen).toEqual(['{"x":[1]}', '{"y":2}', '{"code":3,"message":""}', undefined]);
  });

  it('that is a fault throws its own code', () => {
    during('{"a":}\n', (batch, i) => {
      expect(() => batch.lazy(i)).toThrow(expect.objectContaining({ code: 'JSON_SYNTAX', offset: 5 }));
      expect(batch.lazyPayload(i)).toBeUndefined();
    });
    const settings = { maxFrameBytes: 1024, windowBytes: 4096 };
    const large = `{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"${'x'.repeat(9000)}"}}\n`;
    during(
      large,
      (batch, i) => {
        expect(() => batch.lazy(i)).toThrow(error('FRAME_TOO_LARGE'));
        expect(batch.lazyPayload(i)).toBeUndefined();
      },
      settings,
      1000,
    );
  });

  it('that outgrew the window is read from where it is stored, and those after it from the window', () => {
    const text = 'x'.repeat(20_000);
    const line = (id: number, s: string): string =>
      `{"jsonrpc":"2.0","id":${id},"result":{"s":"${s}","bad":01}}\n`;
    const offsets: number[] = [];
    during(
      line(1, text) + line(2, 'y'),
      (batch, i) => {
        const value = batch.lazyPayload(i);
        expect(value?.get('s').string()).toBe(batch.id(i) === 1 ? text : 'y');
        try {
          value?.get('bad').number();
        } catch (thrown) {
          offsets.push((thrown as { offset: number }).offset);
        }
      },
      { validate: 'envelope', windowBytes: 4096 },
      1500,
    );
    const stream = line(1, text) + line(2, 'y');
    expect(offsets).toEqual([stream.indexOf('01}') + 1, stream.lastIndexOf('01}') + 1]);
  });

  it('gives bytes as copies with memory of their own, or borrowed', () => {
    during('{"jsonrpc":"2.0","id":1,"result":{"s":"é"}}\n', (batch, i) => {
      const value = batch.lazy(i).get('result');
      const copy = value.rawBytes();
      expect([...copy]).toEqual([...bytesOf('{"s":"é"}')]);
      expect(copy.buffer.byteLength).toBe(copy.length);
      expect(value.rawView().buffer).toBe(batch.frameView(i).buffer);
      expect([...value.rawView()]).toEqual([...copy]);
    });
  });

  it("under utf8: 'replace' gives what the decoder gives", () => {
    const line = joined('{"jsonrpc":"2.0","id":1,"result":{"a', [0xff], '":"', [0xe2, 0x82], '"}}\n');
    during(
      line,
      (batch, i) => {
        expect(batch.lazyPayload(i)?.get('a\ufffd').string()).toBe('\ufffd');
        expect(batch.payload(i)).toEqual({ 'a\ufffd': '\ufffd' });
      },
      { utf8: 'replace' },
    );
  });
});

describe('lazyJson', () => {
  it('throws for what is no JSON text, with its offset', () => {
    const thrown = (bytes: Uint8Array): unknown => {
      try {
        return lazyJson(bytes).kind;
      } catch (caught) {
        const { code, offset } = caught as { code: string; offset: number };
        return `${code} ${offset}`;
      }
    };
    const texts = [
      '',
      ' \n',
      '{"a":1',
      '{"a":1}x',
      '[1]\n[2]',
      '"a\nb"',
      '\ufeff1',
      '{"a":01}',
      'Content-Length: 1',
    ];
    expect(texts.map((text) => thrown(bytesOf(text)))).toEqual([
      'JSON_SYNTAX 0',
      'JSON_SYNTAX 0',
      'JSON_SYNTAX 6',
      'JSON_SYNTAX 7',
      'JSON_SYNTAX 4',
      'JSON_SYNTAX 2',
      'JSON_SYNTAX 0',
      'JSON_SYNTAX 6',
      'JSON_SYNTAX 0',
    ]);
    expect(thrown(joined('["', [0xff], '"]'))).toBe('FRAME_UTF8 2');
    expect(thrown(bytesOf('['.repeat(1_000_001)))).toBe('JSON_DEPTH 1000000');
  });

  it('leaves the bytes as they are', () => {
    const bytes = bytesOf('{\n"a":\n1}\n');
    expect(lazyJson(bytes).get('a').number()).toBe(1);
    expect(lazyJson(bytes).raw()).toBe('{\n"a":\n1}');
  });
});
