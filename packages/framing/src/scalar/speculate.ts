import { CLOSE_BRACE, COLON, COMMA, CR, DIGIT_0, DIGIT_9, LF, OPEN_BRACE, QUOTE, SPACE } from '../bytes.ts';
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
import { shortTextEnd } from '../text/plain-text.ts';
import { unalignedView } from '../text/unaligned-view.ts';
import {
  HEAD_1,
  HEAD_2,
  HEAD_3,
  HEAD_4,
  HEAD_BYTES,
  KEY_ERROR,
  KEY_ID,
  KEY_JSONRPC,
  KEY_METHOD,
  KEY_PARAMS,
  KEY_RESULT,
  REST_OF_ERROR,
  REST_OF_JSONRPC,
  REST_OF_METHOD,
  REST_OF_PARAMS,
  REST_OF_RESULT,
  VERSION_2,
} from './member-words.ts';
import { MAX_BET_LEVELS } from './nesting.ts';
import { skimmedEnd } from './skimmed-value.ts';
import { validValueEnd } from './valid-value.ts';

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
 * Won, it costs about a nanosecond per byte of a short message (bench case `frame index`). A newline must stand at or after `start`.
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
  const view = unalignedView(bytes);
  const isFull = options.validate === 'full';
  const levels = Math.min(options.maxDepth, MAX_BET_LEVELS) - 1;
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
  if (
    view.getInt32(start, true) === HEAD_1 &&
    view.getInt32(start + 4, true) === HEAD_2 &&
    view.getInt32(start + 8, true) === HEAD_3 &&
    view.getInt32(start + 12, true) === HEAD_4 &&
    bytes[start + HEAD_BYTES] === COMMA
  ) {
    // Nearly every frame begins with its version, without a space.
    seen = MEMBER_VERSION;
    i = start + HEAD_BYTES + 1;
  }
  for (;;) {
    while (bytes[i] === SPACE) i++;
    let member = 0;
    switch (view.getInt32(i, true)) {
      case KEY_JSONRPC:
        if (view.getInt32(i + 4, true) !== REST_OF_JSONRPC || bytes[i + 8] !== QUOTE) return 0;
        member = MEMBER_VERSION;
        i += 9;
        break;
      case KEY_ID:
        member = MEMBER_ID;
        i += 4;
        break;
      case KEY_METHOD:
        if (view.getInt32(i + 4, true) !== REST_OF_METHOD) return 0;
        member = MEMBER_METHOD;
        i += 8;
        break;
      case KEY_PARAMS:
        if (view.getInt32(i + 4, true) !== REST_OF_PARAMS) return 0;
        member = MEMBER_PARAMS;
        i += 8;
        break;
      case KEY_RESULT:
        if (view.getInt32(i + 4, true) !== REST_OF_RESULT) return 0;
        member = MEMBER_RESULT;
        i += 8;
        break;
      case KEY_ERROR:
        if (view.getInt32(i + 3, true) !== REST_OF_ERROR) return 0;
        member = MEMBER_ERROR;
        i += 7;
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
      i = isFull ? validValueEnd(bytes, words, i, levels) : skimmedEnd(bytes, words, view, i, levels);
      if (i === 0) return 0;
      if (i < 0) {
        // Non-ASCII text inside: the end comes back negated.
        ascii = 0;
        i = -i;
      }
      payloadStart = valueStart - start;
      payloadEnd = i - start;
    } else if (member === MEMBER_VERSION) {
      if (view.getInt32(i, true) !== VERSION_2 || bytes[i + 4] !== QUOTE) return 0;
      i += 5;
    } else if (member === MEMBER_METHOD) {
      if (bytes[i] !== QUOTE) return 0;
      i = shortTextEnd(view, i + 1);
      if (bytes[i] !== QUOTE) return 0;
      methodStart = valueStart + 1 - start;
      methodEnd = i - start;
      i++;
    } else {
      let byte = bytes[i];
      if (byte === QUOTE) {
        i = shortTextEnd(view, i + 1);
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
