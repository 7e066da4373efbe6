import { describe, expect, it } from 'vitest';
import {
  createFrameReader,
  encodeJson,
  JsonEncoder,
  jsonBytes,
  lazyJson,
  type SplicedJson,
} from '../../../src/index.ts';
import { encoded, encodedWithin } from '../../support/encoded.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('jsonBytes', () => {
  const text = '{"a": [1.00, "\\u0061ก"],"a":1e2}';

  it('is written as it is, wherever it stands, by both encoders', () => {
    const encoder = new JsonEncoder();
    const splice = jsonBytes(bytesOf(text));
    class Holder {
      inside = splice;
    }
    const values: readonly [unknown, string][] = [
      [splice, text],
      [{ a: splice, b: [splice, 1] }, `{"a":${text},"b":[${text},1]}`],
      [{ a: { toJSON: () => splice } }, `{"a":${text}}`],
      [[new Holder()], `[{"inside":${text}}]`],
      [{ a: null, b: splice }, `{"a":null,"b":${text}}`],
    ];
    for (const [value, expected] of values) {
      expect(encodeJson(value)).toBe(expected);
      for (let turn = 0; turn < 3; turn++) expect(encoded(encoder, value)).toBe(expected);
    }
    const { length } = bytesOf(text);
    expect(encodedWithin(encoder, splice, length - 1)).toBe(undefined);
    expect(encodedWithin(encoder, splice, length)).toBe(text);
    expect(splice.byteLength).toBe(length);
  });

  it('is its decoded value for JSON.stringify', () => {
    expect(JSON.stringify([jsonBytes(bytesOf(text))])).toBe('[{"a":100}]');
  });

  it('copies: what becomes of the given bytes does not matter', () => {
    const bytes = bytesOf('[1]');
    const splice = jsonBytes(bytes);
    bytes.fill(0);
    expect(encodeJson(splice)).toBe('[1]');
  });

  it('takes a lazy value of a batch, and keeps it beyond the batch', () => {
    const kept: SplicedJson[] = [];
    const reader = createFrameReader({
      onFrames: (batch) => {
        kept.push(jsonBytes(batch.lazy(0).get('params', 'list')));
      },
    });
    reader.push(bytesOf('{"jsonrpc":"2.0","method":"m","params":{"list":[1.0,  2]}}\n'));
    reader.end();
    expect(encodeJson({ list: kept[0] })).toBe('{"list":[1.0,  2]}');
  });

  it.each([
    ['{"a":}', 'JSON_SYNTAX'],
    ['', 'JSON_SYNTAX'],
    ['1 2', 'JSON_SYNTAX'],
    ['[1,\n2]', 'ENCODE_REFUSED'],
  ])('refuses what is not one JSON text on one line: %j', (json, code) => {
    expect(() => jsonBytes(bytesOf(json))).toThrow(expect.objectContaining({ code }));
  });

  it('refuses what is not UTF-8, and a lazy value that is not JSON', () => {
    expect(() => jsonBytes(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(
      expect.objectContaining({ code: 'FRAME_UTF8' }),
    );
    expect(() => jsonBytes(lazyJson(bytesOf('[1,\n2]')))).toThrow(/newline at byte 3/);
  });
});
