import { type CorpusName, corpora, createCorpus } from '@linewire/testkit';
import { describe, expect, it, vi } from 'vitest';
import { encodeJson, JsonEncoder, JsonNumber, jsonConstant } from '../../../src/index.ts';
import { poisons } from '../../../src/reader/poison.ts';
import { encoded, encodedWithin } from '../../support/encoded.ts';
import { oddValues } from '../../support/odd-values.ts';

const lax = { nonFinite: 'null' } as const;

const refused = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'ENCODE_REFUSED', message: expect.stringMatching(message) });

/** An encoder as it is in another runtime: by its V8, and whether it has Node's Buffer. */
async function encoderOf(v8: string, hasBuffer: boolean): Promise<JsonEncoder> {
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, v8 } });
  if (!hasBuffer) vi.stubGlobal('Buffer', undefined);
  vi.resetModules();
  const framing = await import('../../../src/index.ts');
  vi.unstubAllGlobals();
  return new framing.JsonEncoder(lax);
}

const runtimes: readonly (readonly [string, () => Promise<JsonEncoder> | JsonEncoder])[] = [
  ['this runtime', () => new JsonEncoder(lax)],
  ['a V8 with the slow JSON.stringify', () => encoderOf('11.3.244.8', true)],
  ['a V8 with the fast JSON.stringify', () => encoderOf('14.6.202', true)],
  ['a browser', () => encoderOf('14.6.202', false)],
  ['a runtime without Buffer and with the slow JSON.stringify', () => encoderOf('11.3.244.8', false)],
];

// Nothing is borrowed here, so one of the passes over the suite is enough.
describe.skipIf(poisons).each(runtimes)('JsonEncoder in %s', (_, make) => {
  it.each(oddValues)('is byte-equal to JSON.stringify, however often: %s', async (_what, value) => {
    const encoder = await make();
    for (let turn = 0; turn < 12; turn++) {
      expect(encoded(encoder, value())).toBe(JSON.stringify(value()));
      expect(encoded(encoder, { at: [value()] })).toBe(JSON.stringify({ at: [value()] }));
    }
  });

  it('is byte-equal when odd values take turns at one place', async () => {
    const encoder = await make();
    for (let turn = 0; turn < 4; turn++) {
      for (const [, value] of oddValues) expect(encoded(encoder, value())).toBe(JSON.stringify(value()));
    }
  });

  it('writes just what fits, and says so exactly when it does', async () => {
    const encoder = await make();
    const values = oddValues.map(([, value]) => value);
    for (const value of values) {
      const text = JSON.stringify(value());
      const length = new TextEncoder().encode(text).length;
      const capacities =
        length < 120
          ? Array.from({ length: length + 40 }, (_, i) => i)
          : [0, 1, length - 1, length, length + 1];
      for (const capacity of capacities) {
        expect(encodedWithin(encoder, value(), capacity, capacity % 5)).toBe(
          capacity < length ? undefined : text,
        );
      }
    }
  });

  it('stops at any byte of a long string that does not fit', async () => {
    const encoder = await make();
    for (const text of [
      'ก'.repeat(40),
      `${'🧪'.repeat(20)}x`,
      'é'.repeat(50),
      `${'x'.repeat(40)}🧪`,
      `"${'ก'.repeat(31)}\n`,
    ]) {
      const json = JSON.stringify([text]);
      const { length } = new TextEncoder().encode(json);
      for (let capacity = 0; capacity < length + 8; capacity++)
        expect(encodedWithin(encoder, [text], capacity)).toBe(capacity < length ? undefined : json);
    }
  });

  it('escapes few, many and very many units', async () => {
    const encoder = await make();
    for (const count of [2, 7, 8, 9, 1000, 1016, 1017, 1023, 1024, 1025, 5000])
      for (const piece of ['\n', 'line of text\n', '"quoted" ก', '\u0001🧪', '\\\\\\\\'])
        expect(encoded(encoder, { text: piece.repeat(count) }, 1 << 18)).toBe(
          JSON.stringify({ text: piece.repeat(count) }),
        );
  });

  it('escapes the same units at any place of a word, in short and in long strings', async () => {
    const encoder = await make();
    const target = new Uint8Array(1024);
    for (const unit of [
      '"',
      '\\',
      '\n',
      '\u0000',
      '\u001f',
      '\b',
      '\u007f',
      '\u0080',
      '\u07ff',
      '\u0800',
      '\uffff',
      '\ud800',
      '\udfff',
      '🧪',
    ]) {
      for (const length of [3, 24, 29, 30, 31, 45, 220]) {
        for (let place = 0; place < Math.min(length, 40); place++) {
          const text = `${'x'.repeat(place)}${unit}${'y'.repeat(length - place - 1)}`;
          const end = encoder.encodeInto(target, place % 9, text);
          expect(Buffer.from(target.subarray(place % 9, end)).toString()).toBe(JSON.stringify(text));
        }
      }
    }
  });

  it('writes every UTF-16 unit like JSON.stringify, in short and in long strings', async () => {
    const encoder = await make();
    const target = Buffer.alloc(256);
    for (let unit = 0; unit <= 0xffff; unit++) {
      for (const text of [
        `a${String.fromCharCode(unit)}b`,
        `${String.fromCharCode(unit)}${'-'.repeat(40)}`,
      ]) {
        const end = encoder.encodeInto(target, 0, text);
        if (target.toString('utf8', 0, end) !== JSON.stringify(text)) expect.fail(`unit ${unit}`);
      }
    }
  });
});

describe('JsonEncoder', () => {
  it.each(Object.keys(corpora) as CorpusName[])(
    'writes the messages of corpus %s like JSON.stringify',
    (name) => {
      const encoder = new JsonEncoder(lax);
      const { bytes } = createCorpus(name, { targetBytes: 200_000 });
      const target = Buffer.alloc(2 * bytes.length + 64);
      const lines = bytes.toString().trimEnd().split('\n');
      for (const line of lines) {
        const value = JSON.parse(line) as unknown;
        const end = encoder.encodeInto(target, 5, value);
        if (target.toString('utf8', 5, end) !== JSON.stringify(value)) expect.fail(line.slice(0, 200));
      }
    },
  );

  it('writes into views of any offset and length', () => {
    const encoder = new JsonEncoder();
    const memory = new Uint8Array(256);
    for (let offset = 0; offset < 20; offset++) {
      const target = memory.subarray(offset, offset + 100);
      const end = encoder.encodeInto(target, offset, { a: ['b', 1] });
      expect(Buffer.from(memory.subarray(2 * offset, offset + end)).toString()).toBe('{"a":["b",1]}');
    }
  });

  it('takes no position outside its target', () => {
    const encoder = new JsonEncoder();
    for (const at of [-1, 9, 0.5, Number.NaN])
      expect(() => encoder.encodeInto(new Uint8Array(8), at, 1)).toThrow(
        expect.objectContaining({ code: 'OPTION_RANGE' }),
      );
    expect(encoder.encodeInto(new Uint8Array(8), 8, 1)).toBe(-1);
    expect(() => new JsonEncoder({ nonFinite: 'x' as 'null' })).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID' }),
    );
  });

  it('takes a target whose memory was taken away for an empty one', () => {
    const encoder = new JsonEncoder();
    const target = new Uint8Array(64);
    expect(encoder.encodeInto(target, 0, [1])).toBe(3);
    structuredClone(target.buffer, { transfer: [target.buffer] });
    expect(encoder.encodeInto(target, 0, [1])).toBe(-1);
  });

  it('keeps strings that come again and again right when others come', () => {
    const encoder = new JsonEncoder();
    for (const type of [
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'test',
      'text',
      '',
      'tex',
      'text\n',
      'ก',
    ])
      expect(encoded(encoder, { type })).toBe(JSON.stringify({ type }));
  });

  it('is right where user code encodes with the same encoder meanwhile', () => {
    const encoder = new JsonEncoder();
    const inner = new Uint8Array(64);
    const value = {
      a: [{ toJSON: () => encoder.encodeInto(inner, 0, { a: [1, 2, 3] }) }],
      get b() {
        return encoder.encodeInto(inner, 0, 'x');
      },
    };
    for (let i = 0; i < 3; i++) expect(encoded(encoder, value)).toBe('{"a":[13],"b":3}');
    expect(() =>
      encoded(encoder, {
        get a() {
          throw new Error('no');
        },
      }),
    ).toThrow(refused(/no/));
    expect(encoded(encoder, value)).toBe('{"a":[13],"b":3}');
  });

  it('runs code of the value as JSON.stringify does: the same calls in the same order', () => {
    const calls: string[] = [];
    const make = (): unknown => ({
      get a() {
        calls.push('a');
        return 1;
      },
      b: {
        toJSON: (key: string) => {
          calls.push(`b.toJSON(${key})`);
          return [
            {
              get c() {
                calls.push('c');
                return 2;
              },
            },
          ];
        },
      },
      list: [
        {
          get toJSON() {
            calls.push('get toJSON');
            return undefined;
          },
        },
        new Date(0),
        Object.defineProperty([1], '0', {
          get() {
            calls.push('[0]');
            return 3;
          },
        }),
      ],
      d: Object.create(
        {
          toJSON(key: string) {
            calls.push(`d.toJSON(${key})`);
            return this;
          },
        },
        {
          e: {
            enumerable: true,
            get() {
              calls.push('e');
              return 4;
            },
          },
        },
      ),
      f: Object.assign(() => 1, {
        toJSON: (key: string) => {
          calls.push(`f.toJSON(${key})`);
          return undefined;
        },
      }),
      get g() {
        calls.push('g');
        return undefined;
      },
    });
    const text = JSON.stringify(make());
    const expected = calls.splice(0);
    expect(expected).toHaveLength(10);
    const encoder = new JsonEncoder();
    for (let turn = 0; turn < 20; turn++) {
      expect(encoded(encoder, make())).toBe(text);
      expect(calls.splice(0)).toEqual(expected);
    }
  });

  it('is right about members that all objects inherit, also when they appear meanwhile', () => {
    const encoder = new JsonEncoder();
    const prototype = Object.prototype as Record<string, unknown>;
    expect(encoded(encoder, { a: 1, b: 2 })).toBe('{"a":1,"b":2}');
    try {
      expect(
        encoded(encoder, {
          get x() {
            prototype['b'] = 3;
            return 1;
          },
          y: { a: 1 },
        }),
      ).toBe('{"x":1,"y":{"a":1}}');
      expect(encoded(encoder, { a: 1 })).toBe('{"a":1}');
      prototype['toJSON'] = (): unknown => 7;
      expect(encoded(encoder, { a: 1 })).toBe('7');
      Object.defineProperty(prototype, 'toJSON', { enumerable: false });
      delete prototype['b'];
      const fresh = new JsonEncoder();
      expect(encoded(fresh, [{ a: 1 }, new Date(0)])).toBe('7');
    } finally {
      delete prototype['b'];
      delete prototype['toJSON'];
    }
    expect(encoded(encoder, { a: 1 })).toBe('{"a":1}');
  });

  it('refuses with the path', () => {
    const encoder = new JsonEncoder();
    const write = (value: unknown): string => encoded(encoder, value);
    for (let turn = 0; turn < 12; turn++) {
      expect(() => write({ a: { b: [0, 1, 2, Number.NaN] } })).toThrow(refused(/at \$\.a\.b\[3\] is NaN$/));
      expect(() => write(Number.NEGATIVE_INFINITY)).toThrow(refused(/at \$ is -Infinity$/));
      expect(() => write({ a: [{ 'odd name': 1n }] })).toThrow(
        refused(/at \$\.a\[0\]\["odd name"\] is a BigInt$/),
      );
      expect(() => write({ a: new Map(), b: new Point(Number.NaN) })).toThrow(refused(/at \$\.b\.x is NaN$/));
      expect(() => write({ a: { toJSON: () => [1n] } })).toThrow(refused(/at \$\.a\[0\] is a BigInt$/));
      expect(() => write([Object(Number.NaN)])).toThrow(
        refused(/at \$\[0\] is a boxed number that is not finite$/),
      );
      const cycle: Record<string, unknown> = { list: [1] };
      (cycle['list'] as unknown[]).push({ back: cycle });
      expect(() => write(cycle)).toThrow(refused(/back.* refers to itself$/));
    }
    for (const none of [undefined, () => 1, Symbol('x'), { toJSON: () => undefined }])
      expect(() => write(none)).toThrow(refused(/has no JSON form/));
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(() => write([proxy])).toThrow(refused(/revoked/));
  });

  it('does not refuse a number that would not be written', () => {
    const encoder = new JsonEncoder();
    expect(encoded(encoder, Object.assign([null, 'null'], { extra: Number.NaN }))).toBe('[null,"null"]');
    expect(encoded(encoder, { at: new Date(Number.NaN), m: new Map([[1, Number.NaN]]) })).toBe(
      '{"at":null,"m":{}}',
    );
    expect(encoded(encoder, { a: { toJSON: () => null, n: Number.NaN } })).toBe('{"a":null}');
  });

  it.each(['double', 'bigint', 'raw'] as const)(
    'writes exact numbers like encodeJson, under %s',
    (numbers) => {
      const encoder = new JsonEncoder({ numbers });
      const exact = new JsonNumber('1.50');
      for (let turn = 0; turn < 12; turn++) {
        for (const value of [exact, { a: [exact, 1], b: exact }, [new Map(), exact], [[exact, null]]])
          expect(encoded(encoder, value)).toBe(encodeJson(value, { numbers }));
        expect(encoded(encoder, { a: { toJSON: () => exact } })).toBe('{"a":1.50}');
        const big = {
          a: 12345678901234567890n,
          b: [1n, Object(2n)],
          c: { toJSON: () => 3n },
          d: Object.assign(Object.create(null), { e: 4n }),
        };
        if (numbers === 'double') expect(() => encoded(encoder, big)).toThrow(refused(/\$\.a is a BigInt$/));
        else expect(encoded(encoder, big)).toBe('{"a":12345678901234567890,"b":[1,2],"c":3,"d":{"e":4}}');
      }
    },
  );

  it('heeds a toJSON of BigInts only where they are not written as digits', () => {
    const prototype = BigInt.prototype as { toJSON?: unknown };
    try {
      prototype.toJSON = function (this: bigint, key: string): string {
        return `${key}:${this}`;
      };
      expect(encoded(new JsonEncoder(), { a: 1n, b: [2n] })).toBe('{"a":"a:1","b":["0:2"]}');
      expect(encoded(new JsonEncoder({ numbers: 'bigint' }), { a: 1n, b: [Object(2n)] })).toBe(
        '{"a":1,"b":[2]}',
      );
    } finally {
      delete prototype.toJSON;
    }
  });

  it('writes any depth', () => {
    let value: unknown = 'end';
    for (let i = 0; i < 20_000; i++) value = [value];
    expect(encoded(new JsonEncoder(), value)).toBe(`${'['.repeat(20_000)}"end"${']'.repeat(20_000)}`);
  });

  it('keeps little of hostile values', () => {
    const encoder = new JsonEncoder();
    const target = new Uint8Array(1 << 20);
    let keys = 0;
    let arrays = 0;
    const nested = (depth: number): unknown =>
      depth === 0 ? [] : [nested(depth - 1), { [`k${depth}`]: [] }];
    const write = (value: unknown): void => {
      encoder.encodeInto(target, 0, value);
      keys = Math.max(keys, encoder.learned.keys);
      arrays = Math.max(arrays, encoder.learned.arrays);
    };
    write(Object.fromEntries(Array.from({ length: 3000 }, (_, k) => [`key ${k}`, [[[k]]]] as const)));
    for (let i = 0; i < 3000; i++) {
      const members = Array.from(
        { length: 40 },
        (_, k) => [`key ${i} ${k}`, { [`sub ${i}`]: [[{ [`item ${k}`]: [] }]] }] as const,
      );
      write(Object.fromEntries(members));
      write([nested(30)]);
    }
    expect([keys, arrays]).toEqual([1024, 1024]);
  });

  it('still learns after hostile values', () => {
    const encoder = new JsonEncoder();
    for (let i = 0; i < 1000; i++) encoded(encoder, { [`a ${i}`]: { [`b ${i}`]: [i] } });
    for (let i = 0; i < 20_000; i++) encoded(encoder, { good: i }, 64);
    expect(encoder.learned).toEqual({ keys: 1, arrays: 0 });
  });

  it('learns a shape once, and lets go of what a place no longer brings', () => {
    const encoder = new JsonEncoder();
    for (let i = 0; i < 100; i++) encoded(encoder, { content: [{ type: 'text', text: `${i}` }] });
    expect(encoder.learned).toEqual({ keys: 3, arrays: 1 });
    for (let i = 0; i < 20; i++) encoded(encoder, { [`k${i}`]: 1 });
    expect(encoder.learned).toEqual({ keys: 0, arrays: 0 });
  });

  it('writes text and constants as they are, exactly when they fit', () => {
    const encoder = new JsonEncoder();
    for (const text of [
      '',
      '1',
      '"\\u0061"',
      '{"jsonrpc":"2.0","id":',
      '"กข"',
      'x'.repeat(100),
      `"${'ก'.repeat(500)}"`,
    ]) {
      const bytes = Buffer.from(text);
      const constant = jsonConstant(text);
      for (const capacity of [0, 1, bytes.length - 1, bytes.length, bytes.length + 3, bytes.length + 2000]) {
        if (capacity < 0) continue;
        const target = Buffer.alloc(capacity + 2);
        for (const write of [
          () => encoder.textInto(target, 2, text),
          () => encoder.constantInto(target, 2, constant),
        ]) {
          const end = write();
          expect(end).toBe(capacity < bytes.length ? -1 : 2 + bytes.length);
          if (end > 0) expect(target.subarray(2, end).equals(bytes)).toBe(true);
          target.fill(0);
        }
      }
    }
  });
});

describe('naturalInto', () => {
  it('writes a natural number as text has it, exactly when it fits', () => {
    const encoder = new JsonEncoder();
    for (const value of [0, 9, 10, 4_294_967_295, 4_294_967_296, 1e15, 2 ** 53 - 1]) {
      const text = String(value);
      for (const capacity of [0, text.length - 1, text.length, text.length + 1, text.length + 100]) {
        const target = Buffer.alloc(capacity + 2);
        const end = encoder.naturalInto(target, 2, value);
        expect(end).toBe(capacity < text.length ? -1 : 2 + text.length);
        if (end > 0) expect(target.toString('latin1', 2, end)).toBe(text);
      }
    }
    expect(() => encoder.naturalInto(Buffer.alloc(1), 2, 1)).toThrow(
      expect.objectContaining({ code: 'OPTION_RANGE' }),
    );
  });
});

class Point {
  readonly x: number;
  constructor(x: number) {
    this.x = x;
  }
}
