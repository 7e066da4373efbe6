import { describe, expect, it } from 'vitest';
import { type LazyValue, lazyJson } from '../../../src/index.ts';
import { bytesOf } from '../../support/events.ts';
import { during, expectSame } from '../../support/lazy.ts';

/** Shows `params` of a call whose payload begins at any of eight offsets, and the same text as bytes of its own, with nothing behind. */
function everywhere(params: string, visit: (value: LazyValue) => void): void {
  for (let shift = 0; shift < 8; shift++) {
    const line = `{"jsonrpc":"2.0","id":${'1'.repeat(shift + 1)},"method":"m","params":${params}}\n`;
    during(line, (batch, index) => visit(batch.lazyPayload(index) as LazyValue), { validate: 'envelope' });
  }
  visit(lazyJson(bytesOf(params)));
}

/** Every length around a word and two, and what a word test may take for something else. */
const lengths = Array.from({ length: 19 }, (_, length) => length);
const odd = [
  'é',
  'ก',
  '🧪',
  String.raw`\"`,
  String.raw`\\`,
  String.raw`\u0041`,
  '\x7f',
  '!',
  ' ',
  '#',
  ']',
  '{',
];

describe('strings', () => {
  it('of every length at every offset are passed over and read', () => {
    for (const length of lengths) {
      const text = 'abcdefghijklmnopqrs'.slice(0, length);
      everywhere(`{"x":"${text}","k${text}":["${text}"],"z":1}`, (value) => {
        expect(value.get('z').number()).toBe(1);
        expect(value.get('x').string()).toBe(text);
        expect(value.get(`k${text}`, 0).string()).toBe(text);
        expect(value.find(`k${text}b`)).toBeUndefined();
      });
    }
  });

  it('that reach to the last byte of the memory are read, and passed over', () => {
    for (const piece of ['', ...odd]) {
      for (const length of lengths) {
        const source = `${'a'.repeat(length)}${piece}`;
        const text = JSON.parse(`"${source}"`) as string;
        expect(lazyJson(bytesOf(`"${source}"`)).string()).toBe(text);
        expect(lazyJson(bytesOf(`["${source}"]`)).length).toBe(1);
        expect(
          lazyJson(bytesOf(`{"${source}":"${source}"}`))
            .get(text)
            .string(),
        ).toBe(text);
      }
    }
  });

  it('with something odd at any place are passed over and read', () => {
    for (const piece of odd) {
      for (const length of lengths) {
        const source = `${'a'.repeat(length)}${piece}${'b'.repeat(length % 5)}`;
        const text = JSON.parse(`"${source}"`) as string;
        everywhere(`{"x":"${source}","${source}":{"in":"${source}"},"z":1}`, (value) => {
          expect(value.get('z').number()).toBe(1);
          expect(value.get('x').string()).toBe(text);
          expect(value.get(text, 'in').string()).toBe(text);
        });
      }
    }
  });

  it('that never end, or hold a control byte, throw JSON_SYNTAX at its offset', () => {
    const settings = { envelope: 'none', validate: 'none' } as const;
    for (const length of lengths) {
      const head = `{"x":"${'a'.repeat(length)}`;
      for (const [text, offset] of [
        [head, head.length],
        [`${head}\\`, head.length + 1],
        [`${head}\u0001","z":1}`, head.length],
      ] as const) {
        const fault = expect.objectContaining({ code: 'JSON_SYNTAX', offset });
        during(
          `${text}\n`,
          (batch, index) => {
            expect(() => batch.lazy(index).get('z')).toThrow(fault);
            if (text.endsWith('\\')) return;
            expect(() => batch.lazy(index).get('x').string()).toThrow(fault);
          },
          settings,
        );
      }
    }
  });
});

describe('containers', () => {
  it('of every length at every offset of a block are passed over', () => {
    for (let length = 0; length < 140; length++) {
      const filler = 'x'.repeat(length);
      for (const inner of [
        `["${filler}"]`,
        `{"k":["${filler}]}",{"}":[]}]}`,
        `[${'[],'.repeat(length >> 2)}1]`,
        String.raw`{"k${filler}":"\"]}","${filler}":"\\"}`,
        `["${filler}é","ก]"]`,
      ]) {
        const params = `{"a":${inner},"name":"n","b":${inner},"tail":"${'y'.repeat(length % 64)}"}`;
        const line = `{"jsonrpc":"2.0","id":${'1'.repeat(1 + (length % 7))},"method":"m","params":${params}}\n`;
        const { a } = JSON.parse(params) as { a: unknown };
        for (const validate of ['envelope', 'full'] as const) {
          during(
            // The next line begins with backslashes: what stands behind a payload is none of its business.
            `${line}{"jsonrpc":"2.0","method":"\\\\\\\\"}\n${line}`,
            (batch, index) => {
              const value = batch.lazyPayload(index);
              if (value === undefined) return;
              expect(value.get('name').string()).toBe('n');
              expect(value.get('tail').string()).toBe('y'.repeat(length % 64));
              expectSame(value.get('b').decode(), a);
            },
            { validate },
          );
        }
      }
    }
  });
});
