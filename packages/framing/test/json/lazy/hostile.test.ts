import { describe, expect, it } from 'vitest';
import { type LazyValue, lazyJson } from '../../../src/index.ts';
import { bytesOf } from '../../support/events.ts';
import { during, readLazy } from '../../support/lazy.ts';

const syntax = expect.objectContaining({ code: 'JSON_SYNTAX' });

/** The payload of a frame that was validated no further than its envelope. */
function lax(params: string, visit: (value: LazyValue) => void): void {
  const line = `{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}\n`;
  during(
    line,
    (batch, index) => {
      expect(batch.kind(index)).toBe('request');
      visit(batch.lazyPayload(index) as LazyValue);
    },
    { validate: 'envelope' },
  );
}

describe('hostile values', () => {
  it('100,000 levels deep are passed over, and entered without recursion', () => {
    const depth = 100_000;
    const deep = `${'[{"k":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    const line = `{"deep":${deep},"after":2}\n`;
    readLazy(
      line,
      (value) => {
        expect(value.get('after').number()).toBe(2);
        expect(value.get('deep').raw()).toBe(deep);
        expect(value.get('deep', 0, 'k', 0, 'k').kind).toBe('array');
        expect(() => value.get('deep').get(1)).toThrow(expect.objectContaining({ code: 'PATH_MISSING' }));
      },
      { envelope: 'none', maxDepth: 1_000_000 },
    );
    expect(lazyJson(bytesOf(deep)).length).toBe(1);
  });

  it('with a wrong bracket thousands of levels deep are found out', () => {
    for (const levels of [1, 31, 32, 33, 64, 1023, 1024, 1025, 5000]) {
      const text = (closing: string): string =>
        `{"x":${'['.repeat(levels)}{}${']'.repeat(levels - 1)}${closing},"y":1}\n`;
      const settings = { envelope: 'none', validate: 'none' } as const;
      readLazy(text(']'), (value) => expect(value.get('y').number()).toBe(1), settings);
      readLazy(text('}'), (value) => expect(() => value.get('y')).toThrow(syntax), settings);
    }
  });

  it('nested deeper than any limit allows are refused where nothing was checked before', () => {
    const deep = (levels: number): string => `[${'['.repeat(levels)}${']'.repeat(levels)},2]\n`;
    const settings = { envelope: 'none', validate: 'none' } as const;
    readLazy(deep(1_000_000), (value) => expect(value.get(1).number()).toBe(2), settings);
    const error = expect.objectContaining({ code: 'JSON_DEPTH', limit: 1_000_000, offset: 1_000_001 });
    readLazy(deep(1_000_001), (value) => expect(() => value.get(1)).toThrow(error), settings);
  });

  it('with a million members are read in one pass each time', () => {
    const count = 1_000_000;
    const members = Array.from({ length: count }, (_, index) => `"k${index}":${index}`);
    const value = lazyJson(bytesOf(`{${members.join()}}`));
    const start = performance.now();
    expect(value.get('k999999').number()).toBe(999_999);
    expect(value.get('k0').number()).toBe(0);
    expect(value.find('none')).toBeUndefined();
    let sum = 0;
    for (const [, member] of value.members()) sum += member.number();
    expect(sum).toBe((count * (count - 1)) / 2);
    // Some 0.3 s; were an access more than linear it would be hours.
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe('values that only look well-formed', () => {
  it.each([
    ['nope', 'nope'],
    ['a leading zero', '01'],
    ['a bare minus', '-'],
    ['an open fraction', '1.'],
    ['an open exponent', '1e+'],
    ['a plus', '+1'],
    ['a longer word', 'nullx'],
    ['a shorter word', 'tru'],
    ['an escape that is none', String.raw`"\q"`],
    ['an escape cut short', String.raw`"\u00"`],
    ['digits that are none', String.raw`"\u00g0"`],
  ])('throw JSON_SYNTAX from every way to read them: %s', (_, text) => {
    lax(`{"bad":${text},"good":1}`, (value) => {
      expect(value.get('good').number()).toBe(1);
      const bad = value.get('bad');
      const isString = text.startsWith('"');
      const reads = [() => bad.raw(), () => bad.rawBytes(), () => bad.rawView(), () => bad.decode()];
      const kinds = [() => bad.kind, () => bad.number(), () => bad.boolean()];
      for (const read of [...reads, ...(isString ? [() => bad.string()] : kinds)])
        expect(read).toThrow(syntax);
    });
  });

  it.each([
    ['no colon', '{"a" 1}'],
    ['no value', '{"a":}'],
    ['no key', '{:1}'],
    ['a bare key', '{a:1}'],
    ['no comma', '{"a":1 "b":2}'],
    ['two commas', '{"a":1,,"b":2}'],
    ['a last comma', '{"a":1,}'],
    ['a first comma', '{,"a":1}'],
    ['two values', '{"a":1 2}'],
    ['a key with a bad escape', String.raw`{"\q":1}`],
    ['a control byte between', '{"a"\u0001:1}'],
    ['a byte that is no token', '{"a":#}'],
    ['a word in capitals', '{"a":True}'],
  ])('throw JSON_SYNTAX from a lookup and from iteration: %s', (_, text) => {
    const act = (value: LazyValue): void => {
      expect(() => value.get('z')).toThrow(syntax);
      expect(() => [...value.members()]).toThrow(syntax);
    };
    lax(`{"in":${text}}`, (value) => act(value.get('in')));
    readLazy(`${text}\n`, act, { envelope: 'none', validate: 'none' });
  });

  it.each(['[1 2]', '[,1]', '[1,]', '[1,,2]', '[1:2]', '[#]', '[1}', '[', '[1', '["a'])(
    'throw JSON_SYNTAX as an array: %s',
    (text) => {
      const settings = { envelope: 'none', validate: 'none' } as const;
      readLazy(
        `${text}\n`,
        (value) => {
          expect(() => [...value.items()]).toThrow(syntax);
          expect(() => value.length).toThrow(syntax);
          expect(() => value.find(9)).toThrow(syntax);
        },
        settings,
      );
    },
  );

  it.each(['{"a":1}}', '{"a":1} x', '[1]]', '"a"b"', '"a" ', '1 2', 'true false'])(
    'are told from what follows them, and no byte beyond the frame is read: %s',
    (text) => {
      const settings = { envelope: 'none', validate: 'none' } as const;
      // What stands behind the frame would make some of them whole.
      readLazy(
        `${text}\n`,
        (value) => {
          const read = (): unknown => {
            if (value.kind === 'object') return [...value.members()];
            if (value.kind === 'array') return [...value.items()];
            return value.kind === 'string' ? value.string() : value.number();
          };
          if (text === '"a" ') expect(read()).toBe('a');
          else expect(read).toThrow(syntax);
        },
        settings,
      );
    },
  );

  it('end where the frame ends, whatever comes after it', () => {
    const settings = { envelope: 'none', validate: 'none' } as const;
    const offsets: unknown[] = [];
    during(
      '{"a":"b\n"}\n[1\n]\n1\n2\ntru\ne\n',
      (batch, index) => {
        const value = batch.lazy(index);
        try {
          offsets.push(value.decode());
        } catch {
          offsets.push('bad');
        }
        if (index === 0) expect(() => value.get('a')).toThrow(expect.objectContaining({ offset: 7 }));
        if (index === 2) expect(() => value.get(0)).not.toThrow();
      },
      settings,
    );
    expect(offsets).toEqual(['bad', 'bad', 'bad', 'bad', 1, 2, 'bad', 'bad']);
  });
});
