import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../../support/events.ts';
import { learned, NO_JSON } from '../../support/slots.ts';

/** Documents that between them hold every kind of value, in shapes that a slot learns to the end. */
const documents: readonly (readonly [string, string])[] = [
  [
    'a call',
    '{"name":"search_files","arguments":{"path":"/src","limit":20,"deep":true,"f":null},"_meta":{"t":7}}',
  ],
  [
    'numbers',
    '{"a":0,"b":-0,"c":12.5,"d":-1e3,"e":123456789012,"f":1.25E+2,"g":[1,-2.5,3e0],"h":1234567890123456}',
  ],
  [
    'strings',
    '{"s":"","t":"é\\n","u":"\\ud83d","v":"ทดสอบ ok","w":"a plain text of some length","x":["ab","cd"]}',
  ],
  ['white space', '{ "jsonrpc": "2.0", "id": 7, "x": [ 1, { "a" : false } , [ ] , { } ],\t"y" :null\r}'],
  ['odd names', '{"\\u0061b":1,"2":2,"1":3,"ก":{"":4},"a-name-of-more-than-a-few-words":{"k":[[true],[]]}}'],
];

/** All texts that one change at a byte makes: cut there, without it, twice, with it and the next one swapped. */
function* shifted(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at++) {
    const [head, rest] = [text.subarray(0, at), text.subarray(at + 1)];
    const byte = text[at] ?? 0;
    yield head.slice();
    yield joined(head, rest);
    yield joined(head, [byte, byte], rest);
    if (rest.length > 0) yield joined(head, [rest[0] ?? 0, byte], rest.subarray(1));
  }
}

/** All texts with one byte replaced by each other one. */
function* replaced(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; at++) {
    for (let byte = 0; byte < 256; byte++) {
      const changed = text.slice();
      changed[at] = byte;
      if (text[at] !== byte) yield changed;
    }
  }
}

/** Bytes that mean something in JSON, and such as no text may have. */
const telling = bytesOf(' \t\n\r\0\u000b"\\{}[]:,+-.eE019aftnu/é\u007f');

/** All texts with one of these bytes put in somewhere, also in front and behind. */
function* inserted(text: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at <= text.length; at++) {
    for (const byte of telling) yield joined(text.subarray(0, at), [byte], text.subarray(at));
  }
}

/**
 * Feeds each text to a slot that knows the document, and to the same slot again, which may have learned from it; then the document, of
 * which it must not have lost anything. `hits` are those whose first value did not come from `JSON.parse`.
 */
function tryAll(
  document: string,
  texts: Iterable<Uint8Array>,
): { hits: number; passed: number; count: number } {
  const sum = { hits: 0, passed: 0, count: 0 };
  for (const text of texts) {
    const trial = learned(document);
    const before = trial.stats.hits;
    const value = trial.feed(text);
    sum.hits += trial.stats.hits - before;
    if (value !== NO_JSON) trial.feed(text);
    trial.feed(document);
    sum.passed += trial.stats.passed;
    sum.count++;
  }
  return sum;
}

// Hundreds of thousands of texts are no JSON, and nobody looks at where they were found to be none.
Error.stackTraceLimit = 0;

describe.each(documents)('a slot that knows a document (%s)', (_, document) => {
  it('knows it to its last byte: otherwise nothing below would be tried', () => {
    const trial = learned(document);
    const { hits } = trial.stats;
    trial.feed(document);
    expect(trial.stats.hits).toBe(hits + 1);
  });

  it('gives what JSON.parse gives when it is cut, or a byte is left out, doubled or swapped', () => {
    const { passed, count } = tryAll(document, shifted(bytesOf(document)));
    expect(passed).toBe(0);
    expect(count).toBeGreaterThan(3 * document.length);
  });

  it('gives what JSON.parse gives when any byte becomes any other', () => {
    const { hits, passed, count } = tryAll(document, replaced(bytesOf(document)));
    expect(passed).toBe(0);
    expect(count).toBe(255 * bytesOf(document).length);
    // Digits, letters of strings: a changed value is no new shape.
    expect(hits).toBeGreaterThan(30);
  });

  it('gives what JSON.parse gives when any byte comes in between', () => {
    const { hits, passed } = tryAll(document, inserted(bytesOf(document)));
    expect(passed).toBe(0);
    expect(hits).toBeGreaterThan(30);
  });
});
