import { describe, expect, it } from 'vitest';
import { type IdKey, type IdSource, idKeyOfSource, idOfSource, type RpcId } from '../../src/index.ts';
import { events, joined, read } from '../support/events.ts';

function message(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"m"}\n`;
}

interface Id {
  readonly text: string | undefined;
  readonly source: IdSource | undefined;
  readonly key: IdKey | undefined;
  readonly value: RpcId | undefined;
}

function idOf(id: string): Id {
  let found: Id | undefined;
  read(message(id), {}, (batch, index) => {
    found = {
      text: batch.idText(index),
      source: batch.idSource(index),
      key: batch.idKey(index),
      value: batch.id(index),
    };
  });
  if (found === undefined) throw new Error('no frame');
  return found;
}

const usable: readonly (readonly [text: string, value: RpcId])[] = [
  ['0', 0],
  ['-0', 0],
  ['0.0', 0],
  ['0e99', 0],
  ['1', 1],
  ['1.0', 1],
  ['1e0', 1],
  ['10e-1', 1],
  ['1E+0', 1],
  ['-7', -7],
  ['100e-2', 1],
  ['999999999999999', 999999999999999],
  ['1000000000000000', 1e15],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['1e20', 100000000000000000000n],
  ['1.5e1', 15],
  ['""', ''],
  ['"1"', '1'],
  ['"a b"', 'a b'],
  ['"\\u0061"', 'a'],
  ['"ทดสอบ"', 'ทดสอบ'],
  ['"\\ud83d"', '\ud83d'],
  ['"\\u0000"', '\u0000'],
  ['"__proto__"', '__proto__'],
];

const unusable = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[1]',
  '{"a":1}',
  '1.5',
  '0.1',
  '1e-1',
  '1e-999999999',
  '-0.5',
];

describe('an id', () => {
  it.each(usable)('%s is usable, echoed as it is written', (text, value) => {
    const id = idOf(text);
    expect(id.text).toBe(text);
    expect(id.value).toBe(value);
  });

  it.each(usable)(
    '%s has a source that is echoed as it is written, and the same key and value',
    (text, value) => {
      const { source, key } = idOf(text);
      if (source === undefined) throw new Error('no source');
      expect(`${source}`).toBe(text);
      expect(idKeyOfSource(source)).toBe(key);
      expect(idOfSource(source)).toBe(value);
    },
  );

  it('is a number as its source only when it is written as numbers are', () => {
    const kinds = ['0', '7', '123456789012345', '-7', '-0', '1.0', '1e0', '9007199254740993', '"7"'].map(
      (text) => typeof idOf(text).source,
    );
    expect(kinds).toEqual(['number', 'number', 'number', ...new Array<string>(6).fill('string')]);
  });

  it.each(unusable)('%s makes the message invalid and has no text', (text) => {
    const [event] = events(message(text));
    expect(event).toMatchObject({
      kind: 'invalid',
      code: 'ENVELOPE_ID',
      idText: undefined,
      idKey: undefined,
      method: 'm',
    });
  });

  it('keeps its text in a message that is invalid for another reason', () => {
    expect(events('{"jsonrpc":"1.0","id":5,"method":"m"}\n')[0]).toMatchObject({
      kind: 'invalid',
      idText: '5',
      idKey: 5,
    });
  });

  it('with ill-formed UTF-8 is unusable where such text is accepted at all', () => {
    const frame = joined('{"jsonrpc":"2.0","id":"a', [0xff], '","method":"m"}\n');
    expect(events(frame, { utf8: 'replace' })[0]).toMatchObject({ code: 'ENVELOPE_ID', idText: undefined });
    const real = '{"jsonrpc":"2.0","id":"a\ufffd","method":"m"}\n';
    expect(events(real, { utf8: 'replace' })[0]).toMatchObject({ kind: 'request', idText: '"a\ufffd"' });
  });
});

describe('the key of an id', () => {
  const keyOf = (text: string): IdKey | undefined => idOf(text).key;

  it('is one for all spellings of an integer', () => {
    expect(['1', '1.0', '1e0', '10e-1', '100e-2', '1E+0', '0.1e1'].map(keyOf)).toEqual(Array(7).fill(1));
    expect(new Set(['0', '-0', '0.0', '0e5', '-0.0e-9'].map(keyOf))).toEqual(new Set([0]));
    expect(new Set(['1e400', '10e399', '0.1e401', '1000e397'].map(keyOf)).size).toBe(1);
    expect(
      new Set(
        ['9007199254740993', '9007199254740993.0', '9007199254740993e0', '90071992547409930e-1'].map(keyOf),
      ).size,
    ).toBe(1);
  });

  it('tells integers apart that one double stands for', () => {
    expect(keyOf('9007199254740993')).not.toBe(keyOf('9007199254740992'));
    expect(keyOf('1e400')).not.toBe(keyOf('1e401'));
    expect(keyOf('1e400')).not.toBe(keyOf('-1e400'));
  });

  it('tells a string from a number that looks alike', () => {
    expect(keyOf('"1"')).not.toBe(keyOf('1'));
    expect(keyOf('"n1e400"')).not.toBe(keyOf('1e400'));
    expect(keyOf('""')).not.toBe(keyOf('0'));
  });

  it('is one for all spellings of a string', () => {
    expect(new Set(['"a/b"', '"a\\/b"', '"\\u0061/b"'].map(keyOf)).size).toBe(1);
  });
});

describe('long numbers', () => {
  it.each([
    ['a fraction of a million zeros', `1.${'0'.repeat(1_000_000)}`],
    ['twenty digits behind a million zeros', `0.${'0'.repeat(1_000_000)}12345678901234567891e1000020`],
    ['a million digits taken back by the exponent', `12345678901234567891${'0'.repeat(1_000_000)}e-1000000`],
    ['an exponent with a million digits', `1e${'9'.repeat(1_000_000)}`],
  ])('as ids cost no more than their bytes: %s', (_, id) => {
    const started = performance.now();
    const [event] = events(message(id));
    expect(event?.kind).toMatch(/request|invalid/);
    // Quadratic work would take minutes; the allowance is for a busy machine.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
