import {
  FORM_NONE,
  FORM_NULL,
  FORM_NUMBER,
  FORM_STRING,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../src/engine/forms.ts';
import { MAX_CAPTURED_METHOD_BYTES, PREVIEW_BYTES } from '../src/engine/sizes.ts';
import { ID_ABSENT, ID_NULL, ID_STRING, ID_UNUSABLE } from '../src/table/meta.ts';
import { OPTION_JSONRPC, OPTION_LAST_WINS } from '../src/wasm/memory-map.ts';
import { idNumberForm, resetIdNumber, weighIdByte } from './id-weight.ts';
import { isVersion, memberOf } from './members.ts';
import { base, captured, has, kept, options, record, scan } from './state.ts';
import { isWellFormed } from './utf8.ts';

/*
 * What the grammar learns about one frame at depth 1: which members stand there, of which type, and where.
 *
 * Frames that outgrow the window lose their bytes while they are scanned. `spillRecord` is told before that happens, and keeps the piece
 * of a name that is being read, and copies of id and method, in constant memory.
 */

/* Where the token that just ended can be read: set by `locate`. */
let textStart: usize = 0;
let textEnd: usize = 0;

export function beginRecord(): void {
  record.versionGood = false;
  record.idForm = ID_ABSENT;
  record.methodForm = FORM_NONE;
  record.paramsForm = FORM_NONE;
  record.resultForm = FORM_NONE;
  record.errorForm = FORM_NONE;
  record.idStart = 0;
  record.idEnd = 0;
  record.methodStart = 0;
  record.methodEnd = 0;
  record.paramsStart = 0;
  record.paramsEnd = 0;
  record.outcomeStart = 0;
  record.outcomeEnd = 0;
  record.member = 0;
  record.seen = 0;
  record.duplicated = 0;
  record.tokenStart = -1;
  record.keptBytes = 0;
  record.keptOverflow = false;
}

export function openToken(at: i64): void {
  record.tokenStart = at;
  record.keptBytes = 0;
  record.keptOverflow = false;
}

/** Settles which member the key names. Returns the key's position when the member stands here a second time and that is a fault, else 0. */
export function endRecordKey(end: i64): i64 {
  if (!has(OPTION_JSONRPC)) return 0;
  const at = record.tokenStart;
  const member = locate(end) ? memberOf(textStart + 1, textEnd - 1) : 0;
  record.tokenStart = -1;
  record.member = member;
  const isAgain = (record.seen & member) != 0;
  record.seen |= member;
  if (!isAgain || has(OPTION_LAST_WINS)) return 0;
  record.duplicated |= member;
  return at;
}

export function beginRecordValue(form: i32, at: i64): void {
  record.valueForm = form;
  openToken(at);
  if (record.member == MEMBER_ID && form == FORM_NUMBER) resetIdNumber();
}

export function noteNumberByte(byte: i32): void {
  if (record.member == MEMBER_ID) weighIdByte(byte);
}

export function endRecordValue(end: i64): void {
  const member = record.member;
  const form = record.valueForm;
  const start = record.tokenStart;
  if (member == MEMBER_VERSION) {
    record.versionGood = form == FORM_STRING && locate(end) && isVersion(textStart + 1, textEnd - 1);
  } else if (member == MEMBER_ID) {
    endId(form, start, end);
  } else if (member == MEMBER_METHOD) {
    endMethod(form, start, end);
  } else if (member == MEMBER_PARAMS) {
    const isNull = form == FORM_NULL;
    record.paramsForm = isNull ? FORM_NONE : form;
    record.paramsStart = isNull ? 0 : start;
    record.paramsEnd = isNull ? 0 : end;
  } else if (member != 0) {
    if (member == MEMBER_RESULT) record.resultForm = form;
    else record.errorForm = form;
    record.outcomeStart = start;
    record.outcomeEnd = end;
  }
  record.tokenStart = -1;
  record.member = 0;
}

function endId(form: i32, start: i64, end: i64): void {
  const hasLeft = record.keptBytes > 0;
  const readable = locate(end);
  record.idStart = start;
  record.idEnd = end;
  record.idForm = formOfId(form, end - start, readable);
  if (hasLeft && readable) captureId(textStart, textEnd);
}

function formOfId(form: i32, length: i64, readable: bool): i32 {
  if (form == FORM_NULL) return ID_NULL;
  if (form == FORM_NUMBER) return idNumberForm(options.maxIdBytes);
  if (form != FORM_STRING || length - 2 > options.maxIdBytes || !readable) return ID_UNUSABLE;
  // No answer could echo such bytes: with utf8: 'replace', and in a frame over the limit, they are no fault of the frame.
  return isWellFormed(textStart, textEnd) ? ID_STRING : ID_UNUSABLE;
}

function endMethod(form: i32, start: i64, end: i64): void {
  const hasLeft = record.keptBytes > 0;
  const readable = locate(end);
  record.methodForm = form;
  record.methodStart = form == FORM_STRING ? start + 1 : 0;
  record.methodEnd = form == FORM_STRING ? end - 1 : 0;
  if (hasLeft && readable && form == FORM_STRING) captureMethod(textStart + 1, textEnd - 1);
}

/** The usable form of the id: one that was given twice answers to nobody. */
export function trustedIdForm(): i32 {
  return (record.duplicated & MEMBER_ID) == 0 ? record.idForm : ID_UNUSABLE;
}

/** Method is a string and stands once. */
export function trustsMethod(): bool {
  return record.methodForm == FORM_STRING && (record.duplicated & MEMBER_METHOD) == 0;
}

/** Too long to be captured, so not reported for a frame over the limit, wherever it stood. */
export function isIdTooLong(): bool {
  return record.idEnd - record.idStart > options.maxIdSpelling;
}

export function isMethodTooLong(): bool {
  return record.methodEnd - record.methodStart > MAX_CAPTURED_METHOD_BYTES;
}

/** Offset in the captured bytes at which the method is kept. */
// @inline
export function capturedMethodStart(): i32 {
  return PREVIEW_BYTES + options.maxIdSpelling;
}

/** The bytes from `from` to `to` are about to leave the window. `isFirst`: the frame begins at `from`. */
export function spillRecord(from: usize, to: usize, isFirst: bool): void {
  if (isFirst) memory.copy(captured, from, min<usize>(to - from, PREVIEW_BYTES));
  if (!has(OPTION_JSONRPC)) return;
  if (record.tokenStart >= 0) keep(<usize>max(<i64>from, record.tokenStart + base()), to);
  captureMembers(from);
}

/** Copies id and method as far as they stand whole in the window, at or after `from`. */
export function captureMembers(from: usize): void {
  const start = base();
  if (record.idStart > 0 && record.idStart + start >= <i64>from) {
    captureId(<usize>(record.idStart + start), <usize>(record.idEnd + start));
  }
  if (record.methodStart > 0 && record.methodStart + start >= <i64>from) {
    captureMethod(<usize>(record.methodStart + start), <usize>(record.methodEnd + start));
  }
}

function keep(from: usize, to: usize): void {
  const room = options.maxIdSpelling + MAX_CAPTURED_METHOD_BYTES - record.keptBytes;
  const length = <i32>(to - from);
  if (length > room) record.keptOverflow = true;
  const taken = min(room, length);
  memory.copy(kept + record.keptBytes, from, taken);
  record.keptBytes += taken;
}

/** Finds the text of the token that ends at `end`; false when it is too long to matter. */
function locate(end: i64): bool {
  const frame = base();
  const start = record.tokenStart + frame;
  const stop = <usize>(end + frame);
  if (record.keptBytes == 0 && start >= <i64>scan.frameStart) {
    textStart = <usize>start;
    textEnd = stop;
    return true;
  }
  keep(scan.frameStart, stop);
  textStart = kept;
  textEnd = kept + record.keptBytes;
  return !record.keptOverflow;
}

function captureId(from: usize, to: usize): void {
  if (<i64>(to - from) <= options.maxIdSpelling) memory.copy(captured + PREVIEW_BYTES, from, to - from);
}

function captureMethod(from: usize, to: usize): void {
  if (<i32>(to - from) <= MAX_CAPTURED_METHOD_BYTES)
    memory.copy(captured + capturedMethodStart(), from, to - from);
}
