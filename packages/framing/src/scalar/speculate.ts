import {
  IN_BACKSLASH,
  IN_NON_ASCII,
  IN_QUOTE,
  OUT_CLOSE,
  OUT_NON_ASCII,
  OUT_OPEN,
  OUT_QUOTE,
  SKIM_CLASS,
  STRING_CLASS,
} from '../byte-classes.ts';
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  CR,
  DIGIT_0,
  DIGIT_9,
  LF,
  LOWER_E,
  LOWER_I,
  LOWER_J,
  LOWER_M,
  LOWER_P,
  LOWER_R,
  NON_ASCII,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from '../bytes.ts';
import type { ScanOptions } from '../engine/engine.ts';
import {
  MEMBER_ERROR,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../engine/forms.ts';
import {
  ID_INTEGER,
  ID_STRING,
  KIND_ERROR,
  KIND_NOTIFICATION,
  KIND_REQUEST,
  KIND_RESULT,
} from '../table/meta.ts';
import {
  END,
  FAULT_OFFSET,
  FLAG_ASCII,
  FLAG_ERROR,
  FLAG_METHOD,
  FLAG_PARAMS,
  FLAG_RESULT,
  ID_END,
  ID_FORM_SHIFT,
  ID_START,
  LINE_END,
  META,
  METHOD_END,
  METHOD_START,
  PAYLOAD_END,
  PAYLOAD_START,
  ROW_WORDS,
  START,
} from '../table/row.ts';
import { LONG_TEXT_BYTES, plainTextEnd } from './plain-text.ts';
import { sequenceEnd } from './utf8.ts';
import { validValueEnd } from './valid-value.ts';

/** Nesting that fits the bits of one integer; deeper frames go to the machine. */
const MAX_BITS = 31;

/** Integer ids up to this many digits are exact doubles. Longer ones go to the machine. */
const MAX_ID_DIGITS = 15;

const REQUEST = MEMBER_VERSION | MEMBER_ID | MEMBER_METHOD;
const NOTIFICATION = MEMBER_VERSION | MEMBER_METHOD;
const RESULT = MEMBER_VERSION | MEMBER_ID | MEMBER_RESULT;
const ERROR = MEMBER_VERSION | MEMBER_ID | MEMBER_ERROR;

/**
 * Reads a whole frame on the bet that it is a good message in a common spelling, and writes its row.
 *
 * The bet is lost, and 0 returned, at the first byte that is anything but common: an unknown or escaped member, a strange id, any
 * fault. The machine then reads the frame from its start, so this code never decides that something is wrong.
 * Won, it costs about one table look-up per byte (bench case `frame index`). A newline must stand at or after `start`.
 *
 * Returns the position of the newline.
 */
export function speculate(
  bytes: Uint8Array,
  words: Int32Array,
  start: number,
  rows: Int32Array,
  row: number,
  options: ScanOptions,
): number {
  if (bytes[start] !== OPEN_BRACE) return 0;
  const isFull = options.validate === 'full';
  const maxBits = Math.min(options.maxDepth, MAX_BITS);
  let seen = 0;
  let idForm = 0;
  let idStart = 0;
  let idEnd = 0;
  let methodStart = 0;
  let methodEnd = 0;
  let payloadStart = 0;
  let payloadEnd = 0;
  let ascii = FLAG_ASCII;
  let i = start + 1;
  for (;;) {
    while (bytes[i] === SPACE) i++;
    if (bytes[i] !== QUOTE) return 0;
    const key = i + 1;
    let member = 0;
    switch (bytes[key]) {
      case LOWER_J:
        if (!isJsonrpc(bytes, key)) return 0;
        member = MEMBER_VERSION;
        i = key + 8;
        break;
      case LOWER_I:
        if (bytes[key + 1] !== 0x64 || bytes[key + 2] !== QUOTE) return 0;
        member = MEMBER_ID;
        i = key + 3;
        break;
      case LOWER_M:
        if (!isMethod(bytes, key)) return 0;
        member = MEMBER_METHOD;
        i = key + 7;
        break;
      case LOWER_P:
        if (!isParams(bytes, key)) return 0;
        member = MEMBER_PARAMS;
        i = key + 7;
        break;
      case LOWER_R:
        if (!isResult(bytes, key)) return 0;
        member = MEMBER_RESULT;
        i = key + 7;
        break;
      case LOWER_E:
        if (!isError(bytes, key)) return 0;
        member = MEMBER_ERROR;
        i = key + 6;
        break;
      default:
        return 0;
    }
    if ((seen & member) !== 0) return 0;
    seen |= member;
    if (bytes[i] !== COLON) return 0;
    i++;
    while (bytes[i] === SPACE) i++;
    const valueStart = i;
    if (member >= MEMBER_PARAMS) {
      if (bytes[i] !== OPEN_BRACE) return 0;
      i = isFull ? validValueEnd(bytes, words, i, maxBits - 1) : skimmedEnd(bytes, words, i, maxBits - 1);
      if (i === 0) return 0;
      if (i < 0) {
        // Non-ASCII text inside: the end comes back negated.
        ascii = 0;
        i = -i;
      }
      payloadStart = valueStart - start;
      payloadEnd = i - start;
    } else if (member === MEMBER_VERSION) {
      if (bytes[i] !== QUOTE || bytes[i + 1] !== 0x32 || bytes[i + 2] !== 0x2e || bytes[i + 3] !== DIGIT_0)
        return 0;
      if (bytes[i + 4] !== QUOTE) return 0;
      i += 5;
    } else if (member === MEMBER_METHOD) {
      if (bytes[i] !== QUOTE) return 0;
      i++;
      while (STRING_CLASS[bytes[i]] === 0) i++;
      if (bytes[i] !== QUOTE) return 0;
      methodStart = valueStart + 1 - start;
      methodEnd = i - start;
      i++;
    } else {
      let byte = bytes[i];
      if (byte === QUOTE) {
        i++;
        while (STRING_CLASS[bytes[i]] === 0) i++;
        if (bytes[i] !== QUOTE || i - valueStart - 1 > options.maxIdBytes) return 0;
        i++;
        idForm = ID_STRING << ID_FORM_SHIFT;
      } else {
        if (byte < DIGIT_0 || byte > DIGIT_9) return 0;
        do byte = bytes[++i];
        while (byte >= DIGIT_0 && byte <= DIGIT_9);
        // 0 is an id, 01 is not JSON.
        if (bytes[valueStart] === DIGIT_0 && i - valueStart > 1) return 0;
        if (i - valueStart > MAX_ID_DIGITS) return 0;
        idForm = ID_INTEGER << ID_FORM_SHIFT;
      }
      idStart = valueStart - start;
      idEnd = i - start;
    }
    const next = bytes[i];
    if (next === COMMA) {
      i++;
      continue;
    }
    if (next === CLOSE_BRACE) break;
    return 0;
  }
  i++;
  const end = i;
  if (bytes[i] === CR) i++;
  if (bytes[i] !== LF) return 0;
  if (end - start > options.maxFrameBytes) return 0;

  let meta: number;
  const withoutParams = seen & ~MEMBER_PARAMS;
  if (withoutParams === REQUEST) meta = KIND_REQUEST | FLAG_METHOD;
  else if (withoutParams === NOTIFICATION) meta = KIND_NOTIFICATION | FLAG_METHOD;
  else if (seen === RESULT) meta = KIND_RESULT | FLAG_RESULT;
  else if (seen === ERROR) meta = KIND_ERROR | FLAG_ERROR;
  else return 0;
  if (seen !== withoutParams) meta |= FLAG_PARAMS;

  const at = row * ROW_WORDS;
  rows[at + START] = start;
  rows[at + END] = end;
  rows[at + META] = meta | idForm | ascii;
  rows[at + ID_START] = idStart;
  rows[at + ID_END] = idEnd;
  rows[at + METHOD_START] = methodStart;
  rows[at + METHOD_END] = methodEnd;
  rows[at + PAYLOAD_START] = payloadStart;
  rows[at + PAYLOAD_END] = payloadEnd;
  rows[at + FAULT_OFFSET] = 0;
  rows[at + LINE_END] = i;
  return i;
}

/**
 * End of the container that begins at `start`, checked as `validate: 'envelope'` asks for: strings, brackets by kind, UTF-8.
 * Negative when it holds non-ASCII text, 0 when the bet is lost. `levels` is how deep it may nest, itself included.
 */
function skimmedEnd(bytes: Uint8Array, words: Int32Array, start: number, levels: number): number {
  if (levels < 1) return 0;
  let i = start + 1;
  let depth = 1;
  // One bit per open container, the innermost lowest: 1 for an array.
  let arrays = 0;
  let ascii = true;
  for (;;) {
    const byte = bytes[i++];
    const kind = SKIM_CLASS[byte];
    if (kind === 0) continue;
    if (kind === OUT_QUOTE) {
      for (;;) {
        const long = i + LONG_TEXT_BYTES;
        let inner: number;
        do inner = STRING_CLASS[bytes[i++]];
        while (inner === 0 && i < long);
        if (inner === 0) {
          i = plainTextEnd(bytes, words, i, bytes.length);
          continue;
        }
        if (inner === IN_QUOTE) break;
        if (inner === IN_BACKSLASH) {
          const escaped = bytes[i++];
          if (escaped < SPACE || escaped >= NON_ASCII) return 0;
        } else if (inner === IN_NON_ASCII) {
          i = sequenceEnd(bytes, i - 1, bytes.length);
          if (i === 0) return 0;
          ascii = false;
        } else {
          return 0;
        }
      }
    } else if (kind === OUT_OPEN) {
      if (depth === levels) return 0;
      depth++;
      arrays = (arrays << 1) | (byte === OPEN_BRACKET ? 1 : 0);
    } else if (kind === OUT_CLOSE) {
      if ((arrays & 1) !== (byte === CLOSE_BRACE ? 0 : 1)) return 0;
      if (--depth === 0) return ascii ? i : -i;
      arrays >>>= 1;
    } else if (kind === OUT_NON_ASCII) {
      i = sequenceEnd(bytes, i - 1, bytes.length);
      if (i === 0) return 0;
      ascii = false;
    } else {
      return 0;
    }
  }
}

/* Key texts, compared byte by byte up to the closing quote. `at` is the first byte after the opening quote. */

function isJsonrpc(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at + 1] ^ 0x73) |
      (bytes[at + 2] ^ 0x6f) |
      (bytes[at + 3] ^ 0x6e) |
      (bytes[at + 4] ^ 0x72) |
      (bytes[at + 5] ^ 0x70) |
      (bytes[at + 6] ^ 0x63) |
      (bytes[at + 7] ^ QUOTE)) ===
    0
  );
}

function isMethod(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at + 1] ^ 0x65) |
      (bytes[at + 2] ^ 0x74) |
      (bytes[at + 3] ^ 0x68) |
      (bytes[at + 4] ^ 0x6f) |
      (bytes[at + 5] ^ 0x64) |
      (bytes[at + 6] ^ QUOTE)) ===
    0
  );
}

function isParams(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at + 1] ^ 0x61) |
      (bytes[at + 2] ^ 0x72) |
      (bytes[at + 3] ^ 0x61) |
      (bytes[at + 4] ^ 0x6d) |
      (bytes[at + 5] ^ 0x73) |
      (bytes[at + 6] ^ QUOTE)) ===
    0
  );
}

function isResult(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at + 1] ^ 0x65) |
      (bytes[at + 2] ^ 0x73) |
      (bytes[at + 3] ^ 0x75) |
      (bytes[at + 4] ^ 0x6c) |
      (bytes[at + 5] ^ 0x74) |
      (bytes[at + 6] ^ QUOTE)) ===
    0
  );
}

function isError(bytes: Uint8Array, at: number): boolean {
  return (
    ((bytes[at + 1] ^ 0x72) |
      (bytes[at + 2] ^ 0x72) |
      (bytes[at + 3] ^ 0x6f) |
      (bytes[at + 4] ^ 0x72) |
      (bytes[at + 5] ^ QUOTE)) ===
    0
  );
}
