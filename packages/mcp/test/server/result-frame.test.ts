import { JsonEncoder } from '@linewire/framing';
import { describe, expect, test } from 'vitest';
import { NotAToolResult } from '../../src/server/run/not-a-tool-result.ts';
import { ResultFrame } from '../../src/server/run/result-frame.ts';
import {
  legacyShapes,
  modernShapes,
  type ResultShape,
  wholeResult,
} from '../../src/server/run/result-shape.ts';

const modern = modernShapes('{"name":"tést","version":"1"}');
const encoder = new JsonEncoder();
const frame = new ResultFrame();

function bytesOf(room: number): string | -1 {
  const target = new Uint8Array(room + 3);
  const end = frame.writeInto(target, 3);
  return end < 0 ? -1 : Buffer.from(target.subarray(3, end)).toString();
}

const result = { content: [{ type: 'text', text: 'zwölf "Äpfel"' }], structuredContent: { n: [1, 0.5] } };

describe('the frame of a result', () => {
  const cases: [string, ResultShape, unknown, object][] = [
    ['legacy text', legacyShapes.text, 'a"b\n', { content: [{ type: 'text', text: 'a"b\n' }] }],
    [
      'legacy failure',
      legacyShapes.failure,
      'no',
      { content: [{ type: 'text', text: 'no' }], isError: true },
    ],
    ['legacy object', legacyShapes.object, result, result],
    [
      'modern text',
      modern.text,
      'x',
      { resultType: 'complete', content: [{ type: 'text', text: 'x' }], _meta: serverMeta() },
    ],
    [
      'modern failure',
      modern.failure,
      'x',
      { resultType: 'complete', content: [{ type: 'text', text: 'x' }], isError: true, _meta: serverMeta() },
    ],
    ['modern object', modern.object, result, { resultType: 'complete', ...result, _meta: serverMeta() }],
    ['whole object', wholeResult, { resultType: 'x', content: [] }, { resultType: 'x', content: [] }],
  ];

  test.each(cases)(
    '%s is one JSON text, the same as bytes and as text, with the id as it came',
    (_, shape, value, expected) => {
      for (const id of ['1', '1.0', '"\\u0061 long id, longer than a few words"', '9'.repeat(40)]) {
        frame.set(id, shape, value, encoder);
        const text = `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(expected)}}`;
        expect(frame.text()).toBe(text);
        expect(bytesOf(10_000)).toBe(text);
      }
    },
  );

  test.each(cases)('%s says so when it does not fit, whatever is missing', (_, shape, value) => {
    frame.set('7', shape, value, encoder);
    const text = frame.text();
    const byteCount = Buffer.byteLength(text);
    for (let room = 0; room < byteCount; room++) expect(bytesOf(room)).toBe(-1);
    expect(bytesOf(byteCount)).toBe(text);
  });

  test.each([
    ['a string', () => 'text'],
    ['a list', () => [1]],
    ['null', () => null],
    ['an object without members', () => ({})],
  ])('refuses to join what toJSON turns into %s', (_, toJSON) => {
    frame.set('7', modern.object, { content: [], toJSON }, encoder);
    expect(() => frame.text()).toThrow(NotAToolResult);
    expect(() => bytesOf(1000)).toThrow(NotAToolResult);
  });
});

function serverMeta(): object {
  return { 'io.modelcontextprotocol/serverInfo': { name: 'tést', version: '1' } };
}
