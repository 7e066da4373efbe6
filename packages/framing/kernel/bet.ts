import { CLOSE_BRACE, COLON, COMMA, CR, DIGIT_0, LF, OPEN_BRACE, QUOTE } from '../src/bytes.ts';
import {
  MEMBER_ERROR,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_RESULT,
  MEMBER_VERSION,
} from '../src/engine/forms.ts';
import { AFTER_VALUE, SKIM, VALUE } from '../src/engine/grammar-states.ts';
import {
  ID_INTEGER,
  ID_STRING,
  KIND_ERROR,
  KIND_NOTIFICATION,
  KIND_REQUEST,
  KIND_RESULT,
  KIND_VALUE,
} from '../src/table/meta.ts';
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
  START,
} from '../src/table/row.ts';
import { OPTION_FULL, WINDOW } from '../src/wasm/memory-map.ts';
import { OBJECT } from './brackets.ts';
import { nameBytes, plainMember } from './members.ts';
import { clearRow, nextRow, setWord } from './rows.ts';
import { skim } from './skim.ts';
import { containers, has, machine, options, scan } from './state.ts';
import { afterSpace, digitCount, plainEnd } from './text.ts';
import { byteAt } from './vectors.ts';
import { walk } from './walk.ts';

/*
 * Reads a whole frame on the bet that it is a good message in a common spelling, and writes its row. The bet is lost at the first byte
 * that is anything but common; the grammar then reads the frame from its start, so nothing here decides that something is wrong.
 */

/** Integer ids up to this many digits need no weighing: they fit every `maxIdBytes`. */
const MAX_ID_DIGITS = 15;

const REQUEST = MEMBER_VERSION | MEMBER_ID | MEMBER_METHOD;
const NOTIFICATION = MEMBER_VERSION | MEMBER_METHOD;
const RESULT = MEMBER_VERSION | MEMBER_ID | MEMBER_RESULT;
const ERROR = MEMBER_VERSION | MEMBER_ID | MEMBER_ERROR;

/** `"2.0` in memory order; the closing quote follows. */
const VERSION_TEXT: u32 = 0x30_2e_32_22;

/** Position of the newline behind the frame that begins at `start`, its row written; 0 when the bet is lost. A newline stands before `to`. */
export function betMessage(start: usize, to: usize): usize {
  if (byteAt(start) != OPEN_BRACE) return 0;
  const isFull = has(OPTION_FULL);
  let seen = 0;
  let idForm = 0;
  let idStart: usize = start;
  let idEnd: usize = start;
  let methodStart: usize = start;
  let methodEnd: usize = start;
  let payloadStart: usize = start;
  let payloadEnd: usize = start;
  machine.ascii = true;
  let p = start + 1;
  while (true) {
    p = afterSpace(p);
    if (byteAt(p) != QUOTE) return 0;
    const member = plainMember(p + 1);
    if (member == 0 || (seen & member) != 0) return 0;
    seen |= member;
    p += nameBytes(member) + 2;
    if (byteAt(p) != COLON) return 0;
    p = afterSpace(p + 1);
    if (member >= MEMBER_PARAMS) {
      if (byteAt(p) != OPEN_BRACE) return 0;
      payloadStart = p;
      p = isFull ? walkValue(p, to) : skimValue(p, to);
      if (p == 0) return 0;
      payloadEnd = p;
    } else if (member == MEMBER_VERSION) {
      if (load<u32>(p) != VERSION_TEXT || load<u8>(p, 4) != QUOTE) return 0;
      p += 5;
    } else if (member == MEMBER_METHOD) {
      if (byteAt(p) != QUOTE) return 0;
      methodStart = p + 1;
      p = plainEnd(methodStart);
      if (byteAt(p) != QUOTE) return 0;
      methodEnd = p;
      p++;
    } else {
      idStart = p;
      if (byteAt(p) == QUOTE) {
        p = plainEnd(p + 1);
        if (byteAt(p) != QUOTE || <i32>(p - idStart - 1) > options.maxIdBytes) return 0;
        p++;
        idForm = ID_STRING << ID_FORM_SHIFT;
      } else {
        const digits = <i32>digitCount(p);
        // 0 is an id, 01 is not JSON.
        if (digits == 0 || digits > MAX_ID_DIGITS || (digits > 1 && byteAt(p) == DIGIT_0)) return 0;
        p += digits;
        idForm = ID_INTEGER << ID_FORM_SHIFT;
      }
      idEnd = p;
    }
    const next = byteAt(p++);
    if (next == COMMA) continue;
    if (next == CLOSE_BRACE) break;
    return 0;
  }
  const end = p;
  if (byteAt(p) == CR) p++;
  if (byteAt(p) != LF || <i64>(end - start) > options.maxFrameBytes) return 0;

  let meta: i32;
  const withoutParams = seen & ~MEMBER_PARAMS;
  if (withoutParams == REQUEST) meta = KIND_REQUEST | FLAG_METHOD;
  else if (withoutParams == NOTIFICATION) meta = KIND_NOTIFICATION | FLAG_METHOD;
  else if (seen == RESULT) meta = KIND_RESULT | FLAG_RESULT;
  else if (seen == ERROR) meta = KIND_ERROR | FLAG_ERROR;
  else return 0;
  if (seen != withoutParams) meta |= FLAG_PARAMS;
  if (machine.ascii) meta |= FLAG_ASCII;

  const row = nextRow();
  setWord(row, START, <i32>(start - WINDOW));
  setWord(row, END, <i32>(end - WINDOW));
  setWord(row, META, meta | idForm);
  setWord(row, ID_START, <i32>(idStart - start));
  setWord(row, ID_END, <i32>(idEnd - start));
  setWord(row, METHOD_START, <i32>(methodStart - start));
  setWord(row, METHOD_END, <i32>(methodEnd - start));
  setWord(row, PAYLOAD_START, <i32>(payloadStart - start));
  setWord(row, PAYLOAD_END, <i32>(payloadEnd - start));
  setWord(row, FAULT_OFFSET, 0);
  setWord(row, LINE_END, <i32>(p - WINDOW));
  scan.rowCount++;
  return p;
}

/** End of the object at `p`, its structure checked; 0 when the bet is lost. */
// @inline
function skimValue(p: usize, to: usize): usize {
  if (options.maxDepth < 2) return 0;
  machine.depth = 2;
  machine.floor = 1;
  machine.state = SKIM;
  machine.textIsGood = true;
  store<u8>(containers + 2, OBJECT);
  p = skim(p + 1, to);
  return machine.depth == 1 ? p : 0;
}

/** End of the value at `p`, its whole grammar checked; 0 when the bet is lost. */
// @inline
function walkValue(p: usize, to: usize): usize {
  machine.depth = 1;
  machine.floor = 1;
  machine.state = VALUE;
  p = walk(p, to);
  return machine.depth == 1 && machine.state == AFTER_VALUE ? p : 0;
}

/** The same for a plain NDJSON stream, whose frames are values of any kind. */
export function betValue(start: usize, to: usize): usize {
  machine.ascii = true;
  machine.depth = 0;
  machine.floor = 0;
  machine.state = VALUE;
  const end = walk(start, to);
  if (machine.depth != 0 || machine.state != AFTER_VALUE) return 0;
  const newline = byteAt(end) == CR ? end + 1 : end;
  if (byteAt(newline) != LF || <i64>(end - start) > options.maxFrameBytes) return 0;
  const row = nextRow();
  clearRow(row);
  setWord(row, START, <i32>(start - WINDOW));
  setWord(row, END, <i32>(end - WINDOW));
  setWord(row, META, KIND_VALUE | (machine.ascii ? FLAG_ASCII : 0));
  setWord(row, LINE_END, <i32>(newline - WINDOW));
  scan.rowCount++;
  return newline;
}
