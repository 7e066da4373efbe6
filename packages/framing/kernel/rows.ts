import { FORM_NONE } from '../src/engine/forms.ts';
import { PREVIEW_BYTES } from '../src/engine/sizes.ts';
import {
  CODE_NONE,
  CODE_TOO_LARGE,
  CODE_TRUNCATED,
  ID_INTEGER_SPELLED,
  ID_STRING,
  ID_UNUSABLE,
  KIND_FAULT,
  KIND_VALUE,
} from '../src/table/meta.ts';
import {
  CODE_SHIFT,
  END,
  FAULT_OFFSET,
  FLAG_ASCII,
  FLAG_DROPPED,
  FLAG_ERROR,
  FLAG_METHOD,
  FLAG_PARAMS,
  FLAG_RESULT,
  FLAG_STORED,
  FLAG_UNTERMINATED,
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
} from '../src/table/row.ts';
import { OPTION_JSONRPC, ROWS, WINDOW } from '../src/wasm/memory-map.ts';
import { envelopeCode, envelopeKind } from './envelope.ts';
import {
  capturedMethodStart,
  captureMembers,
  isIdTooLong,
  isMethodTooLong,
  trustedIdForm,
  trustsMethod,
} from './record.ts';
import { has, machine, options, record, scan } from './state.ts';

const ROW_BYTES: usize = ROW_WORDS * 4;
const MAX_INT32: i64 = 0x7fff_ffff;

/** Address of the next row of the table. */
// @inline
export function nextRow(): usize {
  return <usize>ROWS + <usize>scan.rowCount * ROW_BYTES;
}

/** Sets all words of a row to 0. */
// @inline
export function clearRow(row: usize): void {
  const zeros = i64x2.splat(0);
  v128.store(row, zeros);
  v128.store(row, zeros, 16);
  v128.store(row, zeros, 32);
}

// @inline
export function setWord(row: usize, word: i32, value: i32): void {
  store<i32>(row + ((<usize>word) << 2), value);
}

/** Writes a row whose frame has no members. `length` counts from the frame's first byte. */
export function writeRow(length: i64, lineEnd: usize, meta: i32, faultOffset: i64): void {
  const row = nextRow();
  clearRow(row);
  if (scan.spilledBytes > 0) {
    setWord(row, END, <i32>min(length, MAX_INT32));
    scan.longFrameBytes = length;
  } else {
    setWord(row, START, <i32>(scan.frameStart - WINDOW));
    setWord(row, END, <i32>(<i64>scan.frameStart + length - WINDOW));
  }
  setWord(row, META, meta);
  setWord(row, FAULT_OFFSET, <i32>faultOffset);
  setWord(row, LINE_END, <i32>(lineEnd - WINDOW));
  scan.rowCount++;
}

/** Writes what the grammar found out about the frame of `length` bytes that ends before `lineEnd`. `isWhole`: it would be good without a newline. */
export function writeGrammarRow(length: i64, lineEnd: usize, unterminated: bool, isWhole: bool): void {
  const row = nextRow();
  if (length > options.maxFrameBytes) {
    machine.faultCode = CODE_TOO_LARGE;
    machine.faultOffset = options.maxFrameBytes;
  } else if (unterminated && !isWhole) {
    machine.faultCode = CODE_TRUNCATED;
    machine.faultOffset = length;
  }
  const code = machine.faultCode;
  const isFault = code != CODE_NONE;
  const isTooLarge = code == CODE_TOO_LARGE;
  let meta = code << CODE_SHIFT;
  if (isFault) {
    meta |= KIND_FAULT;
  } else if (!has(OPTION_JSONRPC)) {
    meta |= KIND_VALUE;
  } else {
    const breach = envelopeCode();
    meta |= envelopeKind(breach) | (breach << CODE_SHIFT);
  }
  // Behind a fault nobody has looked at the bytes.
  if (machine.ascii && !isFault) meta |= FLAG_ASCII;
  if (unterminated) meta |= FLAG_UNTERMINATED;
  const isSpilled = scan.spilledBytes > 0;
  if (isSpilled) meta |= isTooLarge ? FLAG_DROPPED : FLAG_STORED;
  writeRow(length, lineEnd, meta, machine.faultOffset);
  // Of a faulty frame nothing is believed, but one that is only too large still says whose it is.
  if (has(OPTION_JSONRPC) && (!isFault || isTooLarge)) writeMembers(row, isTooLarge, isSpilled && isTooLarge);
}

function writeMembers(row: usize, isTooLarge: bool, isDropped: bool): void {
  let idForm = trustedIdForm();
  const hasId = idForm >= ID_STRING && idForm <= ID_INTEGER_SPELLED && !(isTooLarge && isIdTooLong());
  if (!hasId && idForm >= ID_STRING) idForm = ID_UNUSABLE;
  const isCall = record.methodForm != FORM_NONE;
  let flags = idForm << ID_FORM_SHIFT;
  if (isCall) flags |= FLAG_METHOD;
  if (record.paramsForm != FORM_NONE) flags |= FLAG_PARAMS;
  if (record.resultForm != FORM_NONE) flags |= FLAG_RESULT;
  if (record.errorForm != FORM_NONE) flags |= FLAG_ERROR;
  setWord(row, META, load<i32>(row + ((<usize>META) << 2)) | flags);
  // Of a dropped frame the captured copies are all that is left.
  if (isDropped) captureMembers(scan.frameStart);
  if (hasId) {
    const start = isDropped ? PREVIEW_BYTES : <i32>record.idStart;
    setWord(row, ID_START, start);
    setWord(row, ID_END, start + <i32>(record.idEnd - record.idStart));
  }
  if (trustsMethod() && !(isTooLarge && isMethodTooLong())) {
    const start = isDropped ? capturedMethodStart() : <i32>record.methodStart;
    setWord(row, METHOD_START, start);
    setWord(row, METHOD_END, start + <i32>(record.methodEnd - record.methodStart));
  }
  if (isTooLarge) return;
  setWord(row, PAYLOAD_START, <i32>(isCall ? record.paramsStart : record.outcomeStart));
  setWord(row, PAYLOAD_END, <i32>(isCall ? record.paramsEnd : record.outcomeEnd));
}
