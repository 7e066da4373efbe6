import { describe, expect, it } from 'vitest';
import * as framing from '../src/index.ts';
import { DATA_CODES, KIND_NAMES } from '../src/table/codes.ts';
import * as row from '../src/table/row.ts';

/* What is written down here is relied on by other packages, by an engine in another language, or by users who match codes. */

describe('the public names', () => {
  it('are these', () => {
    expect(Object.keys(framing).sort()).toEqual([
      'DATA_CODES',
      'FramingError',
      'JsonEncoder',
      'JsonNumber',
      'MISUSE_CODES',
      'activeEngine',
      'createFrameReader',
      'decodeJson',
      'encodeJson',
      'encodeText',
      'idKey',
      'idKeyOfSource',
      'idKeyOfText',
      'idOfSource',
      'idOfText',
      'isFramingError',
      'jsonBytes',
      'jsonConstant',
      'keepFrame',
      'keptFrameOverheadBytes',
      'lazyJson',
      'limitWithin',
      'limits',
    ]);
  });
});

describe('the limits', () => {
  it('have these defaults and ranges', () => {
    const shown = Object.entries(framing.limits).map(
      ([name, { default: value, min, max, unit }]) => `${name} ${value} ${min}…${max} ${unit}`,
    );
    expect(shown).toEqual([
      'maxFrameBytes 67108864 1024…2147483647 bytes',
      'maxDepth 512 1…1000000 levels',
      'maxIdBytes 1024 16…65536 bytes',
      'windowBytes 262144 4096…16777216 bytes',
    ]);
  });
});

describe('the codes', () => {
  it('of data stand in this order, which is their precedence and their number in a row', () => {
    expect(DATA_CODES.map(({ code, makes }) => `${code} ${makes}`)).toEqual([
      'FRAME_TRUNCATED fault',
      'FRAME_TOO_LARGE fault',
      'FRAME_UTF8 fault',
      'FRAME_BOM fault',
      'FRAME_LSP_HEADER fault',
      'JSON_SYNTAX fault',
      'JSON_DEPTH fault',
      'JSON_TRAILING fault',
      'ENVELOPE_DUPLICATE fault',
      'ENVELOPE_VERSION invalid',
      'ENVELOPE_ID invalid',
      'ENVELOPE_METHOD invalid',
      'ENVELOPE_PARAMS invalid',
      'ENVELOPE_OUTCOME invalid',
      'ENVELOPE_SHAPE invalid',
    ]);
  });

  it('of misuse are these', () => {
    expect(Object.keys(framing.MISUSE_CODES)).toEqual([
      'VIEW_RELEASED',
      'REENTRANT',
      'OPTION_RANGE',
      'OPTION_INVALID',
      'ENGINE_UNAVAILABLE',
      'OUT_OF_MEMORY',
      'READER_CLOSED',
      'ENCODE_REFUSED',
      'PATH_MISSING',
      'VALUE_KIND',
      'VALUE_RANGE',
      'SIMDJSON_UNAVAILABLE',
    ]);
  });
});

describe('the frame table', () => {
  it('names the kinds in this order', () => {
    expect(KIND_NAMES).toEqual([
      'request',
      'notification',
      'result',
      'error',
      'batch',
      'invalid',
      'fault',
      'value',
    ]);
  });

  it('has this layout', () => {
    expect({ ...row }).toEqual({
      ROW_WORDS: 12,
      START: 0,
      END: 1,
      META: 2,
      ID_START: 3,
      ID_END: 4,
      METHOD_START: 5,
      METHOD_END: 6,
      PAYLOAD_START: 7,
      PAYLOAD_END: 8,
      FAULT_OFFSET: 9,
      LINE_END: 10,
      KIND_MASK: 0xf,
      ID_FORM_SHIFT: 4,
      ID_FORM_MASK: 0xf,
      CODE_SHIFT: 8,
      CODE_MASK: 0xff,
      FLAG_ASCII: 0x1_0000,
      FLAG_UNTERMINATED: 0x2_0000,
      FLAG_STORED: 0x4_0000,
      FLAG_DROPPED: 0x8_0000,
      FLAG_METHOD: 0x10_0000,
      FLAG_PARAMS: 0x20_0000,
      FLAG_RESULT: 0x40_0000,
      FLAG_ERROR: 0x80_0000,
    });
  });
});
